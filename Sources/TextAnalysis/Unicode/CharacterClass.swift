import CICU

/// What the scanner must know about a code point: the Word_Break property of UAX #29, as ICU's root rules
/// use it, with our tailorings.
///
/// Tailorings (UAX #29 section 4 permits them):
/// - `.` and its compatibility forms join digits (`3.14`) but not letters, so that `barriers.txt` and
///   `example.com` give their parts. `:` joins nothing, as in ICU 72.
/// - `@` joins nothing. UAX #29 says so too; ICU 72 counts it as a letter.
/// - Hangul joins only Hangul. ICU has it so for syllables but not for the letters that they decompose to.
/// - U+202F joins nothing. It is the narrow space before French punctuation and folds to a space.
enum CharacterClass: UInt8 {
  case other
  case letter
  case hebrewLetter
  /// Joins only itself: `50년` is two words, as ICU has it for syllables.
  case hangul
  case number
  /// `_` and its like: joins letters, digits and itself; alone it is no word.
  case connector
  /// Joins two letters.
  case midLetter
  /// Joins two digits.
  case midNumber
  /// Joins two letters or two digits: the apostrophe.
  case apostrophe
  /// Joins two Hebrew letters: `"`.
  case quotationMark
  /// Marks and format characters: belong to what precedes them.
  case extend
  /// Needs ICU's break iterator: scripts without spaces between words, and emoji sequences.
  case complex
  /// Becomes bigrams: Han, Hiragana, Katakana, and Tangut and Nüshu, which are written the same way.
  case ideograph
  /// As `ideograph`; three bytes that folding leaves alone.
  case plainIdeograph
}

extension CharacterClass {
  var joinsOnlyItself: Bool { self == .hangul || self == .complex }

  /// The class of any code point, from ICU's properties. Slow: ``CharacterTable`` remembers the answers.
  init(computing value: UInt32) {
    let scalar = Int32(bitPattern: value)
    if Self.tailoredSeparators.contains(value) {
      self = .other
    } else if Self.isPlainIdeograph(value) {
      self = .plainIdeograph
    } else if Self.isIdeograph(scalar) {
      self = .ideograph
    } else {
      self = Self(wordBreakOf: scalar)
    }
  }

  private static let tailoredSeparators: Set<UInt32> = [0x3A, 0x40, 0x202F, 0xFE13, 0xFE55, 0xFF1A, 0xFF20, 0xFE6B]

  private static func isPlainIdeograph(_ value: UInt32) -> Bool {
    switch value {
    case 0x3005...0x3007, 0x3041...0x3096, 0x30A1...0x30FA, 0x30FC...0x30FE, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
    default: false
    }
  }

  private static func isIdeograph(_ scalar: Int32) -> Bool {
    let category = UInt32(bitPattern: cicu_generalCategory(scalar))
    let isMark = category == U_NON_SPACING_MARK.rawValue || category == U_COMBINING_SPACING_MARK.rawValue
    switch UScriptCode(cicu_script(scalar)) {
    case USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA, USCRIPT_TANGUT, USCRIPT_NUSHU, USCRIPT_KHITAN_SMALL_SCRIPT:
      return !isMark && !isPunctuation(category)
    case USCRIPT_COMMON:
      // The prolonged sound mark and the like, shared by Hiragana and Katakana. The half-width voicing
      // marks U+FF9E and U+FF9F are letters to Unicode too, but extend the character before them.
      let isLetter = category == U_MODIFIER_LETTER.rawValue || category == U_OTHER_LETTER.rawValue
      return isLetter && cicu_wordBreak(scalar) != Int32(U_WB_EXTEND.rawValue)
        && [USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA].contains { cicu_hasScript(scalar, $0) }
    default: return false
    }
  }

  private static func isPunctuation(_ category: UInt32) -> Bool {
    [
      U_DASH_PUNCTUATION, U_START_PUNCTUATION, U_END_PUNCTUATION, U_CONNECTOR_PUNCTUATION, U_OTHER_PUNCTUATION,
      U_INITIAL_PUNCTUATION, U_FINAL_PUNCTUATION, U_UNASSIGNED,
    ].contains { $0.rawValue == category }
  }

  private init(wordBreakOf scalar: Int32) {
    switch UWordBreakValues(UInt32(bitPattern: cicu_wordBreak(scalar))) {
    case U_WB_ALETTER: self = cicu_script(scalar) == USCRIPT_HANGUL.rawValue ? .hangul : .letter
    case U_WB_HEBREW_LETTER: self = .hebrewLetter
    case U_WB_NUMERIC: self = .number
    case U_WB_EXTENDNUMLET: self = .connector
    case U_WB_MIDLETTER: self = .midLetter
    case U_WB_MIDNUM: self = .midNumber
    case U_WB_MIDNUMLET: self = Self.fullStops.contains(scalar) ? .midNumber : .apostrophe
    case U_WB_SINGLE_QUOTE: self = .apostrophe
    case U_WB_DOUBLE_QUOTE: self = .quotationMark
    case U_WB_EXTEND, U_WB_FORMAT, U_WB_ZWJ: self = .extend
    case U_WB_REGIONAL_INDICATOR: self = .complex
    default:
      let isDictionary = cicu_lineBreak(scalar) == Int32(U_LB_COMPLEX_CONTEXT.rawValue)
      self = isDictionary || Self.isEmoji(scalar) ? .complex : .other
    }
  }

  private static let fullStops: Set<Int32> = [0x2E, 0x2024, 0xFE52, 0xFF0E]

  /// Whether a code point that is no letter or digit makes a token of its own.
  ///
  /// `©`, `®`, and emoji that fold to text, such as `™` and `‼`, stay punctuation: they cling to words.
  static func isEmoji(_ scalar: Int32) -> Bool {
    if cicu_isRegionalIndicator(scalar) { return true }
    return scalar > 0x2122 && cicu_isEmoji(scalar) && cicu_isPictographic(scalar) && scalar != 0x2139
      && scalar != 0x203C && scalar != 0x2049
  }
}
