extension Character {
  /// The text with every character replaced that would control a terminal instead of being displayed.
  ///
  /// A query can come from an untrusted user. Escape sequences could recolour or retitle the terminal, and direction
  /// overrides could make a line read as something else.
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

extension Unicode.Scalar {
  /// The number of terminal columns that the scalar takes: 0, 1 or 2.
  ///
  /// Approximates Unicode Standard Annex #11 by blocks, which is precise enough to place a caret under a word.
  var terminalWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
