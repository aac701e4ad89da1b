import JSONText

/// Determines the format of a stream that has no name.
enum StreamFormat {
  /// Guesses the format from the first bytes of the stream.
  static func guess(_ head: UnsafeRawBufferPointer, _ parser: JSONParser) -> CorpusFormat {
    let text = UnsafeRawBufferPointer(rebasing: head.drop { $0.isJSONSpace })
    if text.first == UInt8(ascii: "[") { return .json }
    guard text.first == UInt8(ascii: "{") else { return .text }
    // A single object is rarely written as one line longer than this buffer.
    guard let end = text.firstIndex(of: UInt8(ascii: "\n"), from: 0) else { return .jsonl }
    do {
      _ = try parser.parse(UnsafeRawBufferPointer(rebasing: text[..<end]))
      return .jsonl
    } catch {
      return .json
    }
  }
}
