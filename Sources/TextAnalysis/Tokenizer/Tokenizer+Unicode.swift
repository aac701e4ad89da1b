// Non-ASCII words, segmented by UAX #29. Only emoji and scripts that need a dictionary are passed to ICU.

extension Tokenizer {
  /// The end of a word and its classes.
  struct WordScan {
    var end: Int
    /// Bits of ``ByteClass``: `letter`, `digit`, `connector`, and `nonASCII`. `upper` is not set.
    var seen: UInt8
    /// False for a lone connector and for marks without a base, which are segments in UAX #29 but not searched for.
    var isWord: Bool
  }

  /// Emits the word that begins at `start` and returns its end.
  @inline(never)
  func scanUnicodeWord(_ input: TokenizerInput, from start: Int) -> Int {
    let scan = scanWord(input, from: start, limit: input.end, isSegment: false)
    emitScanned(input, start, scan)
    return scan.end
  }

  /// Handles the non-ASCII character or ESC at `start`, outside any word, and returns the next index.
  @inline(never)
  func scanOther(_ input: TokenizerInput, at start: Int) -> Int {
    if input.bytes[start] == ByteClass.escape { return controlSequenceEnd(input, at: start) }
    let scalar = decodeScalar(input.bytes, start, input.end)
    switch CharacterClass(rawValue: characters[scalar.value].characterClass) {
    case .letter, .hebrewLetter, .number, .connector, .hangul: return scanUnicodeWord(input, from: start)
    case .ideograph, .plainIdeograph: return scanIdeographs(input, from: start)
    case .complex: return scanComplex(input, from: start)
    default: return start + scalar.length
    }
  }

  /// Returns the end of the control sequence of a terminal that begins with the ESC at `start`, such as `ESC [ 31 m`
  /// (ECMA-48, section 5.4): its parameters and its final byte are not words. Returns the next index if there is none.
  private func controlSequenceEnd(_ input: TokenizerInput, at start: Int) -> Int {
    var end = start + 1
    guard end < input.end, input.bytes[end] == UInt8(ascii: "[") else { return end }
    end += 1
    while end < input.end, (0x30...0x3F).contains(input.bytes[end]) { end += 1 }
    return end < input.end && (0x40...0x7E).contains(input.bytes[end]) ? end + 1 : start + 1
  }

  func emitScanned(_ input: TokenizerInput, _ start: Int, _ scan: WordScan) {
    guard scan.isWord else { return }
    if scan.seen & ByteClass.nonASCII == 0 {
      // A scan of a word does not record uppercase letters, at which identifiers are split.
      emitASCII(input, start, scan.end, scan.seen | ByteClass.upper, splittingIdentifiers: plan.code)
    } else {
      emitUnicode(input, start, scan.end, scan.seen, splittingIdentifiers: plan.code)
    }
  }

  /// Finds the end of the word that begins at `start`: UAX #29, rules WB4 to WB13b, and a break wherever the script
  /// changes. Common and Inherited characters take the script of the character before them. Hangul and scripts that
  /// need a dictionary do not join other characters, not even digits.
  ///
  /// With `isSegment`, the text up to `limit` is one of ICU's segments and may contain `complex` characters; otherwise,
  /// a `complex` character ends the word.
  func scanWord(_ input: TokenizerInput, from start: Int, limit: Int, isSegment: Bool) -> WordScan {
    var scan = WordScan(end: start, seen: 0, isWord: false)
    var last = CharacterClass.other
    var script: UInt8 = 0
    var significant = 0
    while scan.end < limit {
      let scalar = decodeScalar(input.bytes, scan.end, limit)
      let entry = characters[scalar.value]
      let type = CharacterClass(rawValue: entry.characterClass) ?? .other
      switch type {
      case .complex where !isSegment: return finish(&scan, last, significant)
      case .letter, .hebrewLetter, .number, .connector, .hangul, .complex:
        // `other` represents the apostrophe of a Hebrew letter. No character joins it.
        let isSeparateWord = last == .other || (type != last && (type.joinsOnlyItself || last.joinsOnlyItself))
        if significant > 0, isSeparateWord { return finish(&scan, last, significant) }
        if entry.script > 1 {
          if script > 1, script != entry.script { return finish(&scan, last, significant) }
          script = entry.script
        }
        last = type
        significant += 1
        scan.seen |= seenBits(type)
      case .extend: if significant == 0 { return finish(&scan, last, significant) }
      case .midLetter, .midNumber, .apostrophe, .quotationMark:
        let after = nextSignificant(input, scan.end + scalar.length, limit)
        let isJoined =
          joins(last, type, after.type) && (script <= 1 || after.script <= 1 || script == after.script)
        // WB7a: an apostrophe always belongs to the Hebrew letter before it.
        guard isJoined || (last == .hebrewLetter && scalar.value == 0x27) else {
          return finish(&scan, last, significant)
        }
        if !isJoined { last = .other }
      default: return finish(&scan, last, significant)
      }
      if scalar.value >= 0x80 { scan.seen |= ByteClass.nonASCII }
      scan.end += scalar.length
    }
    return finish(&scan, last, significant)
  }

  @inline(__always)
  private func finish(_ scan: inout WordScan, _ last: CharacterClass, _ significant: Int) -> WordScan {
    scan.isWord = significant > 1 || (significant == 1 && last != .connector)
    return scan
  }

  @inline(__always)
  private func seenBits(_ type: CharacterClass) -> UInt8 {
    switch type {
    case .number: ByteClass.digit
    case .connector: ByteClass.connector
    default: ByteClass.letter
    }
  }

  /// Implements WB6, WB7, WB7b, WB7c, WB11 and WB12.
  private func joins(_ last: CharacterClass, _ mark: CharacterClass, _ next: CharacterClass) -> Bool {
    let isBetweenLetters =
      (last == .letter || last == .hebrewLetter) && (next == .letter || next == .hebrewLetter)
    switch mark {
    case .midLetter: return isBetweenLetters
    case .midNumber: return last == .number && next == .number
    case .apostrophe: return isBetweenLetters || (last == .number && next == .number)
    case .quotationMark: return last == .hebrewLetter && next == .hebrewLetter
    default: return false
    }
  }

  /// Returns the class and script of the first character that is not `extend` (WB4).
  private func nextSignificant(_ input: TokenizerInput, _ start: Int, _ limit: Int) -> (
    type: CharacterClass, script: UInt8
  ) {
    var index = start
    while index < limit {
      let scalar = decodeScalar(input.bytes, index, limit)
      let entry = characters[scalar.value]
      let type = CharacterClass(rawValue: entry.characterClass) ?? .other
      if type != .extend { return (type, entry.script) }
      index += scalar.length
    }
    return (.other, 0)
  }
}
