/// Iterates over the lines of a text, without line breaks.
struct TextLines {
  private let text: UnsafeRawBufferPointer
  /// The offset of the next line.
  private(set) var position = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  var isAtEnd: Bool { position >= text.count }

  /// Returns the next line; nil at the end.
  mutating func next() -> UnsafeRawBufferPointer? {
    guard position < text.count else { return nil }
    let end = text.firstIndex(of: UInt8(ascii: "\n"), from: position) ?? text.count
    var lineEnd = end
    if lineEnd > position, text[lineEnd - 1] == UInt8(ascii: "\r") { lineEnd -= 1 }
    defer { position = min(end + 1, text.count) }
    return UnsafeRawBufferPointer(rebasing: text[position..<lineEnd])
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes as a string, without surrounding white space.
  var trimmedString: String {
    String(decoding: trimmingJSONSpace, as: UTF8.self)
  }

  var isBlank: Bool { trimmingJSONSpace.isEmpty }

  /// The number of leading spaces.
  var indentation: Int { prefix { $0 == 0x20 }.count }

  /// Returns whether the line consists of at least `minimum` copies of one byte, apart from surrounding white space.
  func isRule(of byte: UInt8, atLeast minimum: Int) -> Bool {
    let trimmed = trimmingJSONSpace
    return trimmed.count >= minimum && trimmed.allSatisfy { $0 == byte }
  }
}
