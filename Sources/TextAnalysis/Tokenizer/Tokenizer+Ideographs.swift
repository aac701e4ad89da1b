// Han, Hiragana and Katakana. They have no spaces between words, so every two consecutive characters are a term.

extension Tokenizer {
  /// Emits the run that begins at `start` and returns its end.
  ///
  /// One token begins at each character: a bigram, or a single character for the last one. So any text of two or more
  /// characters is found as a phrase of bigrams, wherever its words begin.
  func scanIdeographs(_ input: TokenizerInput, from start: Int) -> Int {
    var end = start
    while isPlainIdeograph(input, end) { end += 3 }
    let next = classAt(input, end)
    if next != .ideograph, next != .extend {
      emitPlain(input, start, end)
      return end
    }
    return emitFolded(input, from: start)
  }

  /// Emits a run in which every character is three bytes long and unchanged by folding.
  private func emitPlain(_ input: TokenizerInput, _ start: Int, _ end: Int) {
    var index = start
    while index + 3 < end {
      input.buffer.append(input.bytes + index, length: 6, start: index, end: index + 6, kind: .bigram)
      index += 3
    }
    let kind: Token.Kind = start == index ? .singleCharacter : .runEnd
    input.buffer.append(input.bytes + index, length: 3, start: index, end: end, kind: kind)
  }

  private func emitFolded(_ input: TokenizerInput, from start: Int) -> Int {
    ideographs.removeAll()
    var isFirst = true
    var index = start
    while let type = classAt(input, index), type == .ideograph || type == .plainIdeograph {
      var end = index + decodeScalar(input.bytes, index, input.end).length
      while classAt(input, end) == .extend { end += decodeScalar(input.bytes, end, input.end).length }
      // A base with dozens of marks is not meaningful text: marks after the first 64 bytes are dropped.
      let boundary = end - index > 64 ? characterBoundary(input.bytes, notAfter: index + 64, from: index) : end
      folder.fold(UnsafeBufferPointer(start: input.bytes + index, count: boundary - index))
      ideographs.append(UnsafeBufferPointer(folder.folded), start: index, end: end) {
        characters[$0].characterClass == CharacterClass.extend.rawValue
      }
      if ideographs.characters.count >= IdeographRun.maximumCount {
        emitBigrams(input)
        ideographs.keepLast()
        isFirst = false
      }
      index = end
    }
    emitBigrams(input)
    emitLast(input, isOnly: isFirst && ideographs.characters.count == 1)
    return index
  }

  private func emitBigrams(_ input: TokenizerInput) {
    for (first, second) in zip(ideographs.characters, ideographs.characters.dropFirst()) {
      append(
        input, first.offset, first.length + second.length, start: first.start, end: second.end, kind: .bigram)
    }
  }

  private func emitLast(_ input: TokenizerInput, isOnly: Bool) {
    guard let last = ideographs.characters.last else { return }
    append(
      input, last.offset, last.length, start: last.start, end: last.end,
      kind: isOnly ? .singleCharacter : .runEnd)
  }

  private func append(_ input: TokenizerInput, _ offset: Int, _ length: Int, start: Int, end: Int, kind: Token.Kind) {
    ideographs.bytes.withUnsafeBufferPointer { bytes in
      guard let term = bytes.baseAddress.map({ $0 + offset }) else { return }
      let limit = TokenBuffer.maximumTermLength
      // The terms of queries are strings, which contain whole characters only.
      let kept = length > limit ? characterBoundary(term, notAfter: limit, from: 0) : length
      input.buffer.append(term, length: kept, start: start, end: end, kind: kind)
    }
  }

  @inline(__always)
  private func isPlainIdeograph(_ input: TokenizerInput, _ index: Int) -> Bool {
    guard index + 2 < input.end, input.bytes[index] >= 0xE3, input.bytes[index] <= 0xE9 else { return false }
    let scalar = decodeScalar(input.bytes, index, input.end)
    return characters[scalar.value].characterClass == CharacterClass.plainIdeograph.rawValue
  }

  private func classAt(_ input: TokenizerInput, _ index: Int) -> CharacterClass? {
    guard index < input.end else { return nil }
    let scalar = decodeScalar(input.bytes, index, input.end)
    return CharacterClass(rawValue: characters[scalar.value].characterClass)
  }
}
