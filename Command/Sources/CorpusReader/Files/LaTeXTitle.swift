/// Finds the title of a LaTeX file: the argument of `\title`.
enum LaTeXTitle {
  /// The number of bytes that are searched. The title is in the preamble.
  private static let searchedCount = 256 << 10
  private static let maximumCount = 1000
  /// The maximum number of `\title` commands that are parsed. A file has one title, and each attempt reads up to
  /// ``maximumCount`` bytes.
  private static let maximumAttempts = 100

  /// Returns the title without commands such as `\textbf` and `\thanks{…}`; nil if the file has none.
  static func title(of text: UnsafeRawBufferPointer) -> String? {
    var lines = TextLines(UnsafeRawBufferPointer(rebasing: text.prefix(searchedCount)))
    var preamble: [UInt8] = []
    while let line = lines.next() {
      preamble.append(contentsOf: withoutComment(line))
      preamble.append(UInt8(ascii: "\n"))
    }
    let command = Array("\\title".utf8)
    var position = 0
    var attempts = 0
    while attempts < maximumAttempts, let start = preamble.firstRange(of: command, from: position) {
      position = start + command.count
      attempts += 1
      if let argument = argument(preamble[position...]) {
        let words = plain(argument).split { $0.isWhitespace }.joined(separator: " ")
        return words.isEmpty ? nil : words
      }
    }
    return nil
  }

  /// Returns the line up to the first `%` that is not escaped with a backslash.
  private static func withoutComment(_ line: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    var isEscaped = false
    for (index, byte) in line.enumerated() {
      if byte == UInt8(ascii: "%"), !isEscaped { return line[..<index] }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return line[...]
  }

  /// Returns the text in the braces that follow a command and its optional argument in brackets.
  private static func argument(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = text.drop { $0.isJSONSpace }
    if rest.first == UInt8(ascii: "[") {
      guard let end = rest.prefix(maximumCount).firstIndex(of: UInt8(ascii: "]")) else { return nil }
      rest = rest[(end + 1)...].drop { $0.isJSONSpace }
    }
    guard rest.first == UInt8(ascii: "{") else { return nil }
    var depth = 0
    for (index, byte) in zip(rest.indices, rest.prefix(maximumCount)) {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return rest[(rest.startIndex + 1)..<index] }
    }
    return nil
  }

  /// Returns the text without commands. The arguments of commands such as `\thanks` are removed; other arguments are
  /// kept.
  private static func plain(_ argument: ArraySlice<UInt8>) -> String {
    let text = String(decoding: argument, as: UTF8.self)
      .replacing(/\\(?:thanks|footnote|vspace|hspace|label)\*?\{[^{}]*\}/, with: "")
      .replacing(/\\\\(?:\[[^\]]*\])?/, with: " ")
      .replacing(/\\[A-Za-z]+\*?\s*/, with: "")
    return text.replacing(/\\(.)/) { String($0.output.1) }.replacing(/[{}]/, with: "").replacing("~", with: " ")
  }
}

extension [UInt8] {
  /// Returns the index of the next occurrence of a byte sequence.
  fileprivate func firstRange(of bytes: [UInt8], from start: Int) -> Int? {
    withUnsafeBytes { text in
      var position = start
      while let found = text.firstIndex(of: bytes[0], from: position) {
        if text[found...].starts(with: bytes) { return found }
        position = found + 1
      }
      return nil
    }
  }
}
