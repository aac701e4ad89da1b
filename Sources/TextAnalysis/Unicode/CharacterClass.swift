import CICU

/// The scanner's classes of code points: the Word_Break property of UAX #29, as ICU's root rules use it, with
/// tailorings, which section 4 of UAX #29 permits.
///
/// The tailorings are:
/// - `.` and its compatibility forms join digits (`3.14`) but not letters, so that `barriers.txt` and
///   `example.com` are split into their parts. `:` joins nothing, as in ICU 72.
/// - `@` joins nothing. UAX #29 says the same; ICU 72 treats it as a letter.
/// - Hangul joins only Hangul. ICU does this for syllables but not for the jamo that they decompose to.
/// - `“` and `”` join Hebrew letters, like `"`: phones type them in acronyms in place of gershayim.
/// - U+202F joins nothing. It is the narrow space before French punctuation and folds to a space.
/// - Subscript digits are digits, to which they fold: `H₂O` is one word. Superscript digits separate words, because
///   most are marks of footnotes.
enum CharacterClass: UInt8 {
  case other
  case letter
  case hebrewLetter
  /// Joins only itself: `50년` is two words, as in ICU for syllables.
  case hangul
  case number
  /// `_` and similar characters: joins letters, digits and itself; alone it is not a word.
  case connector
  /// Joins two letters.
  case midLetter
  /// Joins two digits.
  case midNumber
  /// Joins two letters or two digits: the apostrophe.
  case apostrophe
  /// Joins two Hebrew letters: `"`, `“` and `”`.
  case quotationMark
  /// Marks and format characters: belong to the character before them.
  case extend
  /// Needs ICU's break iterator: scripts without spaces between words, and emoji sequences.
  case complex
  /// Indexed as bigrams: Han, Hiragana, Katakana, Tangut, Nüshu and Khitan Small Script.
  case ideograph
  /// Like `ideograph`, but three bytes long and unchanged by folding.
  case plainIdeograph
}

extension CharacterClass {
  var joinsOnlyItself: Bool { self == .hangul || self == .complex }

  /// Computes the class of any code point from ICU's properties. Slow: ``CharacterTable`` caches the results.
  init(computing value: UInt32) {
    let scalar = Int32(bitPattern: value)
    if Self.tailoredSeparators.contains(value) {
      self = .other
    } else if value == 0x201C || value == 0x201D {
      self = .quotationMark
    } else if Self.isSubscriptDigit(value) {
      self = .number
    } else if Self.isPlainIdeograph(value) {
      self = .plainIdeograph
    } else if Self.isIdeograph(scalar) {
      self = .ideograph
    } else {
      self = Self(wordBreakOf: scalar)
    }
  }

  private static let tailoredSeparators: Set<UInt32> = [
    0x3A, 0x40, 0x202F, 0xFE13, 0xFE55, 0xFF1A, 0xFF20, 0xFE6B,
  ]

  static func isSubscriptDigit(_ value: UInt32) -> Bool { (0x2080...0x2089).contains(value) }

  private static func isPlainIdeograph(_ value: UInt32) -> Bool {
    switch value {
    case 0x3005...0x3007, 0x3041...0x3096, 0x30A1...0x30FA, 0x30FC...0x30FE, 0x3400...0x4DBF, 0x4E00...0x9FFF:
      true
    default: false
    }
  }

  private static func isIdeograph(_ scalar: Int32) -> Bool {
    let category = cicu_category(scalar)
    switch cicu_script(scalar) {
    case .han, .hiragana, .katakana, .tangut, .nushu, .khitanSmallScript:
      return !isMarkOrPunctuation(category)
    case .common:
      // The prolonged sound mark and similar characters, shared by Hiragana and Katakana. The half-width voicing marks
      // U+FF9E and U+FF9F are letters in Unicode as well, but extend the character before them.
      return (category == .modifierLetter || category == .otherLetter) && cicu_wordBreak(scalar) != .extend
        && [.han, .hiragana, .katakana].contains { cicu_hasScript(scalar, $0) }
    default: return false
    }
  }

  private static func isMarkOrPunctuation(_ category: CICUCategory) -> Bool {
    switch category {
    case .unassigned, .nonspacingMark, .spacingMark, .dashPunctuation, .openPunctuation, .closePunctuation,
      .connectorPunctuation, .otherPunctuation, .initialPunctuation, .finalPunctuation:
      true
    default: false
    }
  }

  private init(wordBreakOf scalar: Int32) {
    switch cicu_wordBreak(scalar) {
    case .aLetter: self = cicu_script(scalar) == .hangul ? .hangul : .letter
    case .hebrewLetter: self = .hebrewLetter
    case .numeric: self = .number
    case .extendNumLet: self = .connector
    case .midLetter: self = .midLetter
    case .midNum: self = .midNumber
    case .midNumLet: self = Self.fullStops.contains(scalar) ? .midNumber : .apostrophe
    case .singleQuote: self = .apostrophe
    case .doubleQuote: self = .quotationMark
    case .extend, .format, .ZWJ: self = .extend
    case .regionalIndicator: self = .complex
    default: self = cicu_isComplexContext(scalar) || Self.isEmoji(scalar) ? .complex : .other
    }
  }

  private static let fullStops: Set<Int32> = [0x2E, 0x2024, 0xFE52, 0xFF0E]

  /// Returns whether a code point that is not a letter or digit is a token by itself.
  ///
  /// `©`, `®`, and emoji that fold to text, such as `™` and `‼`, are treated as punctuation, because they are often
  /// written next to a word.
  static func isEmoji(_ scalar: Int32) -> Bool {
    if cicu_isRegionalIndicator(scalar) { return true }
    return scalar > 0x2139 && cicu_isPictograph(scalar)
  }
}
