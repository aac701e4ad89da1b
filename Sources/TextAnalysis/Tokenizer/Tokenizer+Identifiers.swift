// Identifiers and their parts, for `AnalyzerConfiguration.code`.

extension Tokenizer {
  /// Appends the parts of an identifier at successive positions, and the whole identifier at the position of the first
  /// part: `spin_lock` gives `spin` and `spin_lock` at one position, then `lock`. So the name matches exactly, its
  /// parts match as words, and a sequence of its parts matches as a phrase. If the first part folds to nothing, the
  /// whole identifier has a position of its own.
  ///
  /// Parts end at connectors (`_`), before an uppercase letter that follows a lowercase letter (`camel|Case`), before
  /// the last of several uppercase letters if a lowercase letter follows (`HTTP|Response`), and between letters and
  /// digits, except that lowercase letters stay with the digits before them (`Response|2xx`). A word that begins with a
  /// digit is a number, not an identifier.
  ///
  /// - Returns: False, without appending anything, if the word is a single part.
  func emitIdentifier(_ input: TokenizerInput, _ start: Int, _ end: Int) -> Bool {
    if letterCase(input, start, end).type == .digit { return false }
    var index = start
    var isFirst = true
    while let part = nextPart(input, from: index, end) {
      if isFirst, part.start == start, part.end == end { return false }
      let count = input.buffer.tokenCount
      append(input, part.start, part.end, part.seen, kind: .part)
      if isFirst {
        // A part without a term, such as a tatweel, has no position that the identifier could share.
        let hasTerm = input.buffer.tokenCount > count
        let kind: Token.Kind = hasTerm ? [.colocated, .identifier] : [.identifier]
        append(input, start, end, part.seen | ByteClass.connector, kind: kind)
      }
      isFirst = false
      index = part.end
    }
    return !isFirst
  }

  private func append(_ input: TokenizerInput, _ start: Int, _ end: Int, _ seen: UInt8, kind: Token.Kind) {
    let isASCII = UnsafeBufferPointer(start: input.bytes + start, count: end - start).allSatisfy { $0 < 0x80 }
    if isASCII {
      appendASCII(input, start, end, seen, kind: kind)
    } else {
      appendUnicode(input, start, end, seen, kind: kind)
    }
  }

  private enum LetterCase { case upper, lower, digit, connector, attached }

  private func nextPart(_ input: TokenizerInput, from index: Int, _ end: Int) -> (start: Int, end: Int, seen: UInt8)? {
    var start = index
    while start < end {
      let (type, length) = letterCase(input, start, end)
      if type != .connector && type != .attached { break }
      start += length
    }
    guard start < end else { return nil }
    var seen: UInt8 = 0
    var previous = LetterCase.connector
    var next = start
    while next < end {
      let (type, length) = letterCase(input, next, end)
      if type == .connector { break }
      if type != .attached {
        if previous != .connector, isBoundary(previous, type, input, next + length, end) { break }
        seen |= type == .digit ? ByteClass.digit : ByteClass.letter
        previous = type
      }
      next += length
    }
    return (start, next, seen)
  }

  /// Returns whether a part ends between two characters: `previous` and `type` are their cases, and `after` is the
  /// index of the character after them.
  private func isBoundary(
    _ previous: LetterCase, _ type: LetterCase, _ input: TokenizerInput, _ after: Int, _ end: Int
  ) -> Bool {
    switch (previous, type) {
    case (.lower, .upper), (.lower, .digit), (.upper, .digit), (.digit, .upper): true
    case (.upper, .upper): after < end && letterCase(input, after, end).type == .lower
    default: false
    }
  }

  /// Returns the letter case of the character at `index` and its length in bytes.
  @inline(__always)
  private func letterCase(_ input: TokenizerInput, _ index: Int, _ end: Int) -> (type: LetterCase, length: Int) {
    let byte = byteClasses[Int(input.bytes[index])]
    if byte & ByteClass.upper != 0 { return (.upper, 1) }
    if byte & ByteClass.letter != 0 { return (.lower, 1) }
    if byte & ByteClass.digit != 0 { return (.digit, 1) }
    if byte & ByteClass.connector != 0 { return (.connector, 1) }
    return byte & ByteClass.nonASCII == 0 ? (.attached, 1) : unicodeLetterCase(input, index, end)
  }

  @inline(never)
  private func unicodeLetterCase(_ input: TokenizerInput, _ index: Int, _ end: Int) -> (type: LetterCase, length: Int) {
    let scalar = decodeScalar(input.bytes, index, end)
    let type: LetterCase =
      switch CharacterClass(rawValue: characters[scalar.value].characterClass) {
      case .letter, .hebrewLetter, .hangul, .complex:
        Unicode.Scalar(scalar.value)?.properties.isUppercase == true ? .upper : .lower
      case .number: .digit
      case .connector: .connector
      default: .attached
      }
    return (type, scalar.length)
  }
}
