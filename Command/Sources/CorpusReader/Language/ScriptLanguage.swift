/// Determines languages that CLD2 does not know or does not recognize in short texts: languages with a script of their
/// own, and Esperanto.
enum ScriptLanguage {
  /// The scripts that one language, or mainly one language, uses.
  private static let scripts: [(range: ClosedRange<UInt32>, language: String)] = [
    (0x0370...0x03FF, "el"), (0x0530...0x058F, "hy"), (0x0590...0x05FF, "he"), (0x0A00...0x0A7F, "pa"),
    (0x0A80...0x0AFF, "gu"), (0x0B00...0x0B7F, "or"), (0x0B80...0x0BFF, "ta"), (0x0C00...0x0C7F, "te"),
    (0x0C80...0x0CFF, "kn"), (0x0D00...0x0D7F, "ml"), (0x0D80...0x0DFF, "si"), (0x0E00...0x0E7F, "th"),
    (0x0E80...0x0EFF, "lo"), (0x0F00...0x0FFF, "bo"), (0x1000...0x109F, "my"), (0x10A0...0x10FF, "ka"),
    (0x1200...0x139F, "am"), (0x13A0...0x13FF, "chr"), (0x1400...0x167F, "iu"), (0x1780...0x17FF, "km"),
    (0x3040...0x30FF, "ja"), (0x1100...0x11FF, "ko"), (0xAC00...0xD7A3, "ko"),
  ]

  /// Returns the language whose script accounts for more than half of the non-ASCII letters. For Japanese, Kana need
  /// only account for more than a fifth of them. Returns nil if there is no such script, or if at most half as many
  /// letters are in this script as in ASCII.
  ///
  /// - Complexity: O(n) in the length of the text.
  static func language(of text: Substring) -> String? {
    var counts: [String: Int] = [:]
    var (ascii, other) = (0, 0)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        if scalar.properties.isAlphabetic { ascii += 1 }
        continue
      }
      guard scalar.properties.isAlphabetic else { continue }
      other += 1
      let language = scripts.first { $0.range.contains(scalar.value) }?.language
      if let language { counts[language, default: 0] += 1 }
    }
    if let (language, count) = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), count * 2 > ascii {
      // Japanese is written with Han characters and Kana.
      if count * 2 > other || language == "ja" && count * 5 > other { return language }
    }
    return nil
  }

  /// Returns whether a text contains an Esperanto letter, the word "kaj", and at least 5% common Esperanto words.
  ///
  /// - Complexity: O(n) in the length of the text. Words are examined only if it contains one of the letters.
  static func isEsperanto(_ text: Substring) -> Bool {
    guard text.unicodeScalars.contains(where: { $0.value >= 0x109 && "ĉĝĥĵŝŭ".unicodeScalars.contains($0) }) else {
      return false
    }
    let words = text.lowercased().split(whereSeparator: { !$0.isLetter })
    let known = words.count { $0 == "kaj" || $0 == "estas" || $0 == "la" || $0 == "ankaŭ" || $0 == "kiu" }
    return words.contains("kaj") && known * 20 >= words.count
  }
}
