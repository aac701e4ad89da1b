import QueryModel

/// Makes text safe for a terminal and measures its width.
enum TerminalText {
  /// Returns the text without terminal control characters. Documents are untrusted; the terminal must not execute their
  /// escape sequences.
  static func sanitized(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isCommand) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isCommand(scalar) ? "\u{FFFD}" : scalar) }
    return String(result)
  }

  /// Returns the text of a message with terminal control characters as JSON escapes. File names, patterns and file
  /// contents are untrusted. Line breaks and tabs are kept.
  static func message(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isCommand) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isCommand(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
    }
  }

  /// Returns JSON with the terminal control characters in its strings as escapes. The meaning does not change: tabs and
  /// line feeds are kept, because strings cannot contain them, and so are between tokens. A carriage return is also
  /// between tokens; it is removed, because the terminal would overwrite the line.
  static func json(_ text: String) -> String {
    func isKept(_ scalar: Unicode.Scalar) -> Bool { scalar == "\t" || scalar == "\n" || !isEscaped(scalar) }
    guard !text.unicodeScalars.allSatisfy(isKept) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isKept(scalar) {
        result.unicodeScalars.append(scalar)
      } else if scalar != "\r" {
        result += escape(scalar)
      }
    }
  }

  /// Returns the text on one line, with line breaks, tabs and terminal control characters as JSON escapes, `\n` or
  /// `\u001b`.
  ///
  /// - Parameter columns: the number of displayed columns; longer text is truncated shortly after this width.
  /// - Returns: the text and its width in columns.
  /// - Complexity: O(*n*) in the length of the result.
  static func escaped(_ text: String, columns: Int? = nil) -> (text: String, width: Int) {
    let limit = columns ?? .max
    let head = text.utf8.prefix(limit == .max ? limit : limit + 1)
    // Fast path for ASCII, which is by far the most frequent case.
    if head.allSatisfy({ (0x20..<0x7F).contains($0) }) { return (String(Substring(head)), head.count) }
    var result = ""
    var width = 0
    for character in text {
      if character.unicodeScalars.contains(where: isEscaped) {
        for scalar in character.unicodeScalars {
          let shown = isEscaped(scalar) ? escape(scalar) : String(scalar)
          result += shown
          width += TerminalText.width(shown)
        }
      } else {
        result.append(character)
        width += character.terminalWidth
      }
      if width > limit { break }
    }
    return (result, width)
  }

  /// Returns the beginning of a text in whole characters, followed by `…` if it is truncated.
  ///
  /// - Returns: the text and its width in columns.
  static func cut(_ text: String, columns: Int) -> (text: String, width: Int) {
    var width = 0
    // The end of the longest prefix that leaves a column for the ellipsis.
    var end = text.startIndex
    var endWidth = 0
    for position in text.indices {
      if width < columns {
        end = position
        endWidth = width
      }
      width += text[position].terminalWidth
      if width > columns { return columns > 0 ? (text[..<end] + "…", endWidth + 1) : ("", 0) }
    }
    return (text, width)
  }

  /// Returns the width of a text in columns.
  static func width(_ text: String) -> Int { text.reduce(0) { $0 + $1.terminalWidth } }

  /// Returns whether a character controls the terminal: every control character, including C1, except line feed and
  /// tab.
  private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0: true
    // Directional overrides and isolates can make text look like other text.
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Returns whether a character must be escaped in text on one line.
  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Line and paragraph separators are not control characters, but some terminals interpret them.
    case 0x09, 0x0A, 0x2028, 0x2029: true
    default: isCommand(scalar)
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
