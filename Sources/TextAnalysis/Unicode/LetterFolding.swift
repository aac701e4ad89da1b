import CICU

/// The marks that are removed and the letters that are replaced when accents are folded.
///
/// Marks are removed in scripts in which they are accents, or signs that writers omit (Arabic and Hebrew vowels, Syriac
/// points). Marks that enclose a character (`1⃣`) are removed, too. The marks of all other scripts are kept, because
/// readers regard them as letters: the vowel signs and viramas of Indic scripts, the marks of Thai, Lao, Khmer, Burmese
/// and Tibetan, and the voicing marks of Kana.
enum LetterFolding {
  /// Copies decomposed text (NFD) without its accents and returns the new length, which is at most twice the old one.
  static func apply(
    _ source: UnsafePointer<UInt16>, _ count: Int, into target: UnsafeMutablePointer<UInt16>
  ) -> Int {
    var index = 0
    var kept = 0
    var dropsMarks = false
    while index < count {
      let start = index
      let scalar = Int32(bitPattern: decodeUTF16(source, &index, count))
      let category = cicu_category(scalar)
      if category == .nonspacingMark || category == .enclosingMark {
        if dropsMarks { continue }
      } else if category != .spacingMark {
        dropsMarks = isScriptOfAccents(cicu_script(scalar))
      }
      if let letters = replacement(scalar, category) {
        for letter in letters {
          target[kept] = letter
          kept += 1
        }
      } else {
        for unit in start..<index {
          target[kept] = source[unit]
          kept += 1
        }
      }
    }
    return kept
  }

  private static func isScriptOfAccents(_ script: CICUScript) -> Bool {
    switch script {
    case .common, .latin, .greek, .cyrillic, .arabic, .hebrew, .syriac, .armenian, .georgian, .coptic,
      .glagolitic, .gothic, .samaritan, .mandaic:
      true
    default: false
    }
  }

  /// Returns the ASCII digit for a digit of any script, or the replacement of a letter; nil if there is none.
  private static func replacement(_ scalar: Int32, _ category: CICUCategory) -> [UInt16]? {
    if category == .decimalNumber {
      return asciiDigits[Int(cicu_digitValue(scalar)) % 10]
    }
    return letters[scalar]
  }

  private static let asciiDigits: [[UInt16]] = (0x30...0x39).map { [$0] }

  private static let letters: [Int32: [UInt16]] = {
    var table: [Int32: [UInt16]] = [:]
    for (letter, plain) in pairs {
      for scalar in letter.unicodeScalars { table[Int32(bitPattern: scalar.value)] = Array(plain.utf16) }
    }
    return table
  }()

  /// Lowercase letters that do not decompose, and the letters that users type instead.
  ///
  /// Arabic follows the usual normalization for search: alef wasla becomes alef (the alefs with hamza or madda
  /// decompose), dotless ya becomes ya, ta marbuta becomes ha, tatweel is removed, and the Persian and Urdu forms of
  /// kaf, ya and ha become those of Arabic. The half rings with which Arabic and Hebrew are transliterated (`Qurʾān`)
  /// are removed.
  private static let pairs: [(String, String)] = [
    ("æ", "ae"), ("œ", "oe"), ("ø", "o"), ("ł", "l"), ("đ", "d"), ("ð", "d"), ("þ", "th"), ("ı", "i"),
    ("ħ", "h"), ("ŧ", "t"), ("ŋ", "n"), ("ĸ", "k"), ("ȷ", "j"), ("ƀ", "b"), ("ɓ", "b"), ("ƈ", "c"),
    ("ȼ", "c"), ("ɖ", "d"), ("ɗ", "d"), ("ɇ", "e"), ("ƒ", "f"), ("ǥ", "g"), ("ɠ", "g"), ("ɨ", "i"),
    ("ɉ", "j"), ("ƙ", "k"), ("ƚ", "l"), ("ɲ", "n"), ("ɵ", "o"), ("ƥ", "p"), ("ɍ", "r"), ("ȿ", "s"),
    ("ƭ", "t"), ("ⱦ", "t"), ("ʉ", "u"), ("ʋ", "v"), ("ƴ", "y"), ("ɏ", "y"), ("ƶ", "z"), ("ȥ", "z"),
    ("\u{2C65}", "a"), ("\u{0640}", ""), ("\u{0671}", "\u{0627}"), ("\u{0649}\u{06CC}\u{06D2}", "\u{064A}"),
    ("\u{0629}\u{06C1}\u{06D5}", "\u{0647}"), ("\u{06A9}", "\u{0643}"), ("\u{02BE}\u{02BF}", ""),
  ]
}
