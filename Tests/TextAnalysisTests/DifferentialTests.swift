import CICU
import Testing

@testable import TextAnalysis

/// Compares the scanner of this module with ICU's break iterator on the same text.
@Suite struct DifferentialTests {
  @Test func randomASCIIAgreesWithICU() throws {
    // Letters, digits and the bytes in the rules are frequent, all others are rare.
    let frequent = Array("aZb09_'.,;:@\" -/aeT13".unicodeScalars)
    // ESC begins control sequences, which ICU does not know.
    let rare = (0..<128).filter { $0 != 0x1B }.compactMap { Unicode.Scalar(UInt32($0)) }
    try compare(rounds: 3000, seed: 1) { Bool.random(using: &$0) ? frequent : rare }
  }

  @Test func randomMixedTextAgreesWithICU() throws {
    let ascii = Array("aZ09_'.,;:@\" -".unicodeScalars)
    // Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari; marks, format characters, dashes, quotes,
    // connectors, middle dots, digits of other scripts, letters beyond the BMP.
    let others = Array(
      "éßœΩσИйאב״׳عة٣नमस्ते\u{301}\u{5B0}\u{64E}\u{AD}\u{200C}\u{200E}\u{2060}—“”’‿·‧．：＠\u{202F}\u{2028}٫５𐐀𝐀ǅⅧ²½㈱"
        .unicodeScalars)
    try compare(rounds: 6000, seed: 2) { Bool.random(using: &$0) ? ascii : others }
  }

  /// Without marks, because ICU splits syllables if a mark is between them, contrary to rule WB4.
  @Test func randomHangulAgreesWithICU() throws {
    let scalars = Array("한글어aZ09_'.,;:@\" -éИ5".unicodeScalars)
    try compare(rounds: 2000, seed: 4) { _ in scalars }
  }

  @Test func dictionaryScriptsAndEmojiAgreeWithICU() throws {
    let ascii = Array("aZ09_'. ".unicodeScalars)
    let others = Array("ภาษาไทยລາວខ្មែរမြန်မာ่้5😀👍🏽👨\u{200D}👩🇩🇪❤\u{FE0F}éИ ".unicodeScalars)
    try compare(rounds: 3000, seed: 3) { Bool.random(using: &$0) ? ascii : others }
  }

  /// All scripts except ideographs, which become bigrams; Hangul, for the reason above; characters that fold to
  /// nothing; and U+16FF0 and U+16FF1, marks that ICU treats as ideographs.
  @Test func randomCharactersAgreeWithICU() throws {
    var byClass: [CharacterClass: [Unicode.Scalar]] = [:]
    for value in (0x80..<0x20000) as Range<UInt32> {
      guard let scalar = Unicode.Scalar(value), value & 0xFFFFFE != 0x16FF0 else { continue }
      if scalar.properties.isDefaultIgnorableCodePoint || (0x2BB...0x2BD).contains(value) { continue }
      byClass[CharacterClass(computing: value), default: []].append(scalar)
    }
    for left in [CharacterClass.ideograph, .plainIdeograph, .hangul] { byClass[left] = nil }
    let alphabets = byClass.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    try compare(rounds: 3000, seed: 5) { alphabets.randomElement(using: &$0) ?? [] }
  }

  private func compare(
    rounds: Int, seed: UInt64, alphabet: (inout SeededGenerator) -> [Unicode.Scalar]
  ) throws {
    // Folding accents removes some presentation forms of marks completely.
    let analysis = try Analysis(AnalyzerConfiguration(accents: .keep))
    let reference = try Reference()
    var generator = SeededGenerator(state: seed)
    for _ in 0..<rounds {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...24, using: &generator) {
        guard let scalar = alphabet(&generator).randomElement(using: &generator) else { continue }
        text.append(scalar)
      }
      let bytes = Array(String(text).utf8)
      let ours = analysis.ranges(bytes)
      let icus = reference.words(bytes)
      #expect(ours == icus, "\(Array(text).map { String($0.value, radix: 16) })")
      if ours != icus { return }
    }
  }
}

/// ICU's words of the whole text, with the documented tailorings applied afterwards, character by character and without
/// regard to speed.
private struct Reference {
  let breaker: WordBreaker

  init() throws { breaker = try WordBreaker() }

  func words(_ bytes: [UInt8]) -> [Range<Int>] {
    // ICU joins Hebrew letters at `"` only, and treats it in the same way as other quotation marks elsewhere. It does
    // not treat subscript digits as digits.
    var replaced: [UInt8] = []
    var offsets: [Int] = []
    var offset = 0
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let isQuotationMark = scalar == "“" || scalar == "”"
      let form =
        isQuotationMark
        ? [UInt8(ascii: "\"")]
        : CharacterClass.isSubscriptDigit(scalar.value) ? [UInt8(ascii: "0")] : Array(String(scalar).utf8)
      replaced += form
      offsets += form.indices.map { offset + $0 }
      offset += UTF8.width(scalar)
    }
    offsets.append(offset)
    return words(replacing: replaced).map { offsets[$0.lowerBound]..<offsets[$0.upperBound] }
  }

  private func words(replacing bytes: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      _ = breaker.forEachSegment(start, 0, buffer.count) { first, next in
        let segment = characters(Array(bytes[first..<next]), from: first)
        if let head = segment.first, head.type == .complex, CharacterClass.isEmoji(Int32(head.value)) {
          words.append(first..<next)
        } else {
          words += pieces(segment)
        }
        return true
      }
    }
    return words
  }

  private struct Character {
    var value: UInt32
    var range: Range<Int>
    var type: CharacterClass
    var script: Int32
  }

  private func characters(_ bytes: [UInt8], from offset: Int) -> [Character] {
    var position = offset
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
      let end = position + UTF8.width(scalar)
      defer { position = end }
      return Character(
        value: scalar.value, range: position..<end, type: CharacterClass(computing: scalar.value),
        script: cicu_script(Int32(scalar.value)).rawValue)
    }
  }

  /// Splits one of ICU's segments at `@`, at U+202F, at full stops that are not between digits, at changes of script,
  /// and at the borders of a script with a dictionary.
  private func pieces(_ segment: [Character]) -> [Range<Int>] {
    var pieces: [[Character]] = [[]]
    var script: Int32 = 0
    for (index, character) in segment.enumerated() {
      let isStop =
        character.type == .other || (character.type == .midNumber && !isBetweenDigits(segment, index))
        || (Self.inner.contains(character.type) && isBesideDictionary(segment, index))
      let isOtherScript = character.script > 1 && script > 1 && character.script != script
      let previous = pieces.last?.last { $0.type != .extend && !Self.inner.contains($0.type) }
      let isOtherKind =
        previous.map { $0.type != character.type && isApart($0.type, character.type) } ?? false
      let isBase = character.type != .extend && !Self.inner.contains(character.type)
      let isChange = isBase && (isOtherScript || isOtherKind)
      if isStop || isChange {
        pieces.append([])
        script = 0
      }
      if isStop { continue }
      if isBase, character.script > 1 { script = character.script }
      pieces[pieces.count - 1].append(character)
    }
    return pieces.compactMap(trimmed)
  }

  private func isApart(_ types: CharacterClass...) -> Bool {
    types.contains(.complex) || types.contains(.hangul)
  }

  private func isBesideDictionary(_ segment: [Character], _ index: Int) -> Bool {
    let before = segment[..<index].last { $0.type != .extend }
    let after = segment[(index + 1)...].first { $0.type != .extend }
    if before?.type == .hebrewLetter { return false }
    return before?.type == .complex || after?.type == .complex
  }

  private func isBetweenDigits(_ segment: [Character], _ index: Int) -> Bool {
    let before = segment[..<index].last { $0.type != .extend }
    let after = segment[(index + 1)...].first { $0.type != .extend }
    return before?.type == .number && after?.type == .number
  }

  private static let inner: Set<CharacterClass> = [.midLetter, .midNumber, .apostrophe, .quotationMark]

  /// Returns a piece without the marks and punctuation that its neighbours left at its ends; nil if no word is left.
  private func trimmed(_ piece: [Character]) -> Range<Int>? {
    var rest = piece[...]
    while let first = rest.first, Self.inner.contains(first.type) || first.type == .extend {
      rest.removeFirst()
    }
    while let lastBase = rest.lastIndex(where: { $0.type != .extend }),
      Self.inner.contains(rest[lastBase].type),
      !(rest[lastBase].value == 0x27 && isHebrew(rest[..<lastBase]))
    {
      rest = rest[..<lastBase]
    }
    let significant = rest.filter { $0.type != .extend }
    guard let first = rest.first, let last = rest.last, significant.count > 1 || first.type != .connector
    else {
      return nil
    }
    return first.range.lowerBound..<last.range.upperBound
  }

  private func isHebrew(_ piece: ArraySlice<Character>) -> Bool {
    piece.last { $0.type != .extend }?.type == .hebrewLetter
  }
}
