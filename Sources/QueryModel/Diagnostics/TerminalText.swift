extension Character {
  /// The text of the character, in which scalars that would control a terminal instead of being displayed are replaced.
  ///
  /// A query can come from an untrusted user. Escape sequences could recolor or retitle the terminal, and direction
  /// overrides could make a line appear to say something else.
  var printable: String {
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09: shown.append(" ")
      case 0x00...0x1F: shown.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F: shown.append("\u{2421}")
      case 0x80...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: shown.append("\u{FFFD}")
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }
}

extension Character {
  /// The number of terminal columns that the character occupies: 0, 1 or 2.
  ///
  /// Approximates Unicode Standard Annex #11 by blocks, which is precise enough to align columns and to place a caret.
  public var terminalWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    // VARIATION SELECTOR-16 selects the emoji presentation of a character that also has a text presentation: ✈️.
    if unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
    if first.isASCII { return 1 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return first.properties.isEmojiPresentation || first.isWide ? 2 : 1
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x17000...0x18AFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
