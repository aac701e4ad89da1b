/// The header of a mail message or of one of its MIME parts (RFC 5322, section 2.2).
struct MailHeader {
  private var fields: [(name: String, value: [UInt8])] = []
  /// The index at which the body begins.
  let end: Int

  /// Reads fields up to the empty line. A line that begins with white space continues the previous field. A line that
  /// is not a field belongs to the body, as in Python's parser.
  init(_ message: ArraySlice<UInt8>) {
    var index = message.startIndex
    while index < message.endIndex {
      let lineStart = index
      let lineEnd = message[index...].firstIndex(of: UInt8(ascii: "\n")) ?? message.endIndex
      var line = message[index..<lineEnd]
      index = min(lineEnd + 1, message.endIndex)
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard let first = line.first else { break }
      if first == 0x20 || first == 0x09 {
        if !fields.isEmpty { fields[fields.count - 1].value.append(contentsOf: line) }
      } else if let colon = line.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 <= 0x20 || $0 >= 0x7F }),
        line[colon] == UInt8(ascii: ":")
      {
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        fields.append((name, Array(line[(colon + 1)...])))
      } else {
        index = lineStart
        break
      }
    }
    end = index
  }

  /// Returns the first field with this name, decoded and without surrounding white space; nil if it is missing or
  /// empty.
  func text(_ name: String) -> String? {
    guard let value = fields.first(where: { $0.name == name })?.value else { return nil }
    let text = EncodedWords.decode(value).split { $0.isWhitespace }.joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  /// Returns a field with parameters, such as `Content-Type: text/plain; charset="utf-8"`; nil if it is missing or
  /// empty.
  func parameterized(_ name: String) -> (value: String, parameters: [String: String])? {
    guard let field = fields.first(where: { $0.name == name })?.value, !field.allSatisfy({ $0.isJSONSpace }) else {
      return nil
    }
    return MailParameters.parse(field)
  }
}
