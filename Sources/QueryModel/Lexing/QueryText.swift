/// The bytes of a query text, with the operations that scanners and diagnostics need.
///
/// A Swift `String` is always valid UTF-8, so decoding needs no error path. Offsets from callers are clamped.
struct QueryText: Sendable {
  let string: String
  let bytes: [UInt8]

  init(_ string: String) {
    self.string = string
    bytes = Array(string.utf8)
  }

  func error(
    _ kind: Diagnostic.Kind, at span: SourceSpan, expected: [Diagnostic.Expectation] = [],
    hint: DiagnosticHint? = nil
  ) -> QuerySyntaxError {
    QuerySyntaxError(Diagnostic(kind, at: span, expected: expected, hint: hint), in: string)
  }

  func clamp(_ offset: Int) -> Int {
    max(0, min(offset, bytes.count))
  }

  func text(_ span: SourceSpan) -> String {
    String(decoding: bytes[clamp(span.start)..<clamp(span.end)], as: UTF8.self)
  }

  func byte(at offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  /// Returns the length of the white space character at `offset`, or 0 if there is none.
  ///
  /// White space is Unicode's `White_Space`. The ideographic space is the important case: the space bar of a Japanese
  /// keyboard types it.
  func whitespaceLength(at offset: Int) -> Int {
    guard let first = byte(at: offset) else { return 0 }
    if first < 0x80 { return first == 0x20 || (0x09...0x0D).contains(first) ? 1 : 0 }
    // The only bytes that begin a white space character.
    guard first == 0xC2 || (0xE1...0xE3).contains(first) else { return 0 }
    let length = scalarLength(at: offset)
    let scalar = bytes[offset..<clamp(offset + length)].withUnsafeBytes {
      String(decoding: $0, as: UTF8.self).unicodeScalars.first
    }
    return scalar?.properties.isWhitespace == true ? length : 0
  }

  /// Returns the length in bytes of the character that starts at `offset`.
  func scalarLength(at offset: Int) -> Int {
    guard let first = byte(at: offset) else { return 0 }
    return switch first {
    case ..<0x80: 1
    case ..<0xE0: 2
    case ..<0xF0: 3
    default: 4
    }
  }

  func lineStart(before offset: Int) -> Int {
    var start = clamp(offset)
    while start > 0, !isLineEnd(start - 1) { start -= 1 }
    return start
  }

  func lineEnd(after offset: Int) -> Int {
    var end = clamp(offset)
    while end < bytes.count, !isLineEnd(end) { end += 1 }
    return end
  }

  func lineNumber(at offset: Int) -> Int {
    var line = 1
    for index in 0..<clamp(offset) where isLineEnd(index) {
      // CR LF is one line end, counted at its LF.
      if bytes[index] == 0x0D, byte(at: index + 1) == 0x0A { continue }
      line += 1
    }
    return line
  }

  private func isLineEnd(_ index: Int) -> Bool {
    bytes[index] == 0x0A || bytes[index] == 0x0D
  }
}
