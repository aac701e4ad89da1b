/// Text for a terminal: what of it may be shown, and how wide it is.
enum TerminalText {
  /// The text without characters that would command the terminal. Documents come from anywhere; an escape sequence in
  /// one must not be obeyed.
  static func sanitized(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isCommand) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isCommand(scalar) ? "\u{FFFD}" : scalar) }
    return String(result)
  }

  /// The number of columns that a character takes.
  static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.isASCII { return 1 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    return first.properties.isEmojiPresentation || isWide(first.value) ? 2 : 1
  }

  /// The number of columns that a text takes.
  static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// The line feed and the tab are layout; every other control character, C1 included, is a command.
  private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0: true
    // Overrides and isolates of direction can make text look like other text.
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The blocks of UAX #11 whose characters are wide.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x17000...0x18AFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
