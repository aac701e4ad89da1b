// Conversion of the bytes of a word to its terms in the buffer.

extension Tokenizer {
  /// Appends the word `start..<end`, which consists of ASCII characters, with its stem.
  @inline(__always)
  func emitASCII(_ input: TokenizerInput, _ start: Int, _ end: Int, _ seen: UInt8, splittingIdentifiers: Bool) {
    let length = end &- start
    if length > TokenBuffer.maximumTermLength {
      return emitPieces(input, start, end, seen)
    }
    if splittingIdentifiers, seen & (ByteClass.connector | ByteClass.digit | ByteClass.upper) != 0,
      emitIdentifier(input, start, end)
    {
      return
    }
    appendASCII(input, start, end, seen, kind: [])
  }

  /// Appends the word `start..<end`, which contains non-ASCII characters, with its stem.
  func emitUnicode(_ input: TokenizerInput, _ start: Int, _ end: Int, _ seen: UInt8, splittingIdentifiers: Bool) {
    if end - start > TokenBuffer.maximumTermLength {
      return emitPieces(input, start, end, seen)
    }
    if splittingIdentifiers, emitIdentifier(input, start, end) { return }
    appendUnicode(input, start, end, seen, kind: [])
  }

  /// Splits a long word at character boundaries. Its pieces are not stemmed.
  @inline(never)
  private func emitPieces(_ input: TokenizerInput, _ start: Int, _ end: Int, _ seen: UInt8) {
    var index = start
    while index < end {
      var next = min(index + TokenBuffer.maximumTermLength, end)
      if next < end { next = characterBoundary(input.bytes, notAfter: next, from: index) }
      if seen & ByteClass.nonASCII == 0 {
        appendASCII(input, index, next, ByteClass.digit, kind: [])
      } else {
        appendUnicode(input, index, next, ByteClass.digit, kind: [])
      }
      index = next
    }
  }
}

// MARK: - One term and its stem

extension Tokenizer {
  /// The classes of words that are not stemmed: words with digits or connectors are names, not words of a language.
  private static let unstemmed = ByteClass.digit | ByteClass.connector

  @inline(__always)
  func appendASCII(_ input: TokenizerInput, _ start: Int, _ end: Int, _ seen: UInt8, kind: Token.Kind) {
    let length = end &- start
    if isTurkish, containsCapitalI(input, start, end) { return appendUnicode(input, start, end, seen, kind: kind) }
    let target = input.buffer.open(length: length, kind: kind)
    copyLowercased(input.bytes + start, length, limit: input.end &- start, into: target)
    input.buffer.close(length: length, start: start, end: end, kind: kind)
    if stemmer != nil, seen & Self.unstemmed == 0 {
      appendStem(input, UnsafePointer(target), length, start, end)
    }
  }

  @inline(never)
  private func containsCapitalI(_ input: TokenizerInput, _ start: Int, _ end: Int) -> Bool {
    UnsafeBufferPointer(start: input.bytes + start, count: end - start).contains(UInt8(ascii: "I"))
  }

  /// Appends the stem of a lower-case ASCII word that is already in the buffer, at the same position.
  private func appendStem(
    _ input: TokenizerInput, _ word: UnsafePointer<UInt8>, _ length: Int, _ start: Int, _ end: Int
  ) {
    let hash = wordHash(word, length)
    let entry = cache.find(word, length, hash: hash) ?? analyzeASCII(word, length, hash: hash)
    if entry.stemLength > 0 { appendStem(of: entry, input, start, end) }
  }

  func appendUnicode(_ input: TokenizerInput, _ start: Int, _ end: Int, _ seen: UInt8, kind: Token.Kind) {
    let word = input.bytes + start
    let length = end - start
    let hash = wordHash(word, length)
    guard let entry = cache.find(word, length, hash: hash) ?? analyze(word, length, hash: hash) else {
      return appendLongFold(input, start, end, kind: kind)
    }
    let surface = Int(entry.surfaceLength)
    guard surface > 0 else { return }
    input.buffer.append(cache.fragment(of: entry), length: surface, start: start, end: end, kind: kind)
    if entry.stemLength > 0, seen & Self.unstemmed == 0 { appendStem(of: entry, input, start, end) }
  }

  @inline(__always)
  private func appendStem(of entry: WordCache.Entry, _ input: TokenizerInput, _ start: Int, _ end: Int) {
    input.buffer.append(
      cache.fragment(of: entry) + Int(entry.surfaceLength) + 1, length: entry.stemLength, start: start,
      end: end,
      kind: [.colocated, .stem])
  }

  /// Folds and stems a word and caches the result; returns nil if the folded word is too long for one term.
  @inline(never)
  private func analyze(_ word: UnsafePointer<UInt8>, _ length: Int, hash: UInt32) -> WordCache.Entry? {
    let isEmoji = isStandaloneEmoji(decodeScalar(word, 0, length).value)
    if isEmoji {
      folder.foldEmoji(UnsafeBufferPointer(start: word, count: length))
    } else {
      folder.fold(UnsafeBufferPointer(start: word, count: length))
    }
    let surface = folder.folded.count
    guard surface <= TokenBuffer.maximumTermLength else { return nil }
    if let bytes = folder.folded.baseAddress { fragment.update(from: bytes, count: surface) }
    var count = surface
    if !isEmoji { count += addStem(of: UnsafeBufferPointer(folder.casefolded), atPositionOf: surface) }
    return cacheWord(word, length, hash: hash, count: count, surface: surface)
  }

  /// Does the same as ``analyze(_:_:hash:)`` for a word in lower-case ASCII, which is already folded.
  @inline(never)
  private func analyzeASCII(_ word: UnsafePointer<UInt8>, _ length: Int, hash: UInt32) -> WordCache.Entry {
    fragment.update(from: word, count: length)
    let count = length + addStem(of: UnsafeBufferPointer(start: word, count: length), atPositionOf: length)
    return cacheWord(word, length, hash: hash, count: count, surface: length)
  }

  /// If the folded stem differs from the surface form in `fragment`, writes 0x1F and the stem after it. Returns the
  /// number of bytes written.
  private func addStem(of casefolded: UnsafeBufferPointer<UInt8>, atPositionOf surface: Int) -> Int {
    guard let stemmer, surface > 0, casefolded.count <= TokenBuffer.maximumTermLength else { return 0 }
    var stem = stemmer.stem(casefolded)
    if !stem.allSatisfy({ $0 < 0x80 }) {
      folder.foldAccents(stem)
      stem = UnsafeBufferPointer(folder.folded)
    }
    let isNew = !stem.elementsEqual(UnsafeBufferPointer(start: fragment, count: surface))
    guard let bytes = stem.baseAddress, isNew, 1...TokenBuffer.maximumTermLength ~= stem.count else {
      return 0
    }
    fragment[surface] = TokenBuffer.colocation
    (fragment + surface + 1).update(from: bytes, count: stem.count)
    return 1 + stem.count
  }

  private func cacheWord(
    _ word: UnsafePointer<UInt8>, _ length: Int, hash: UInt32, count: Int, surface: Int
  ) -> WordCache.Entry {
    cache.insert(
      word, length, hash: hash, fragment: UnsafeBufferPointer(start: fragment, count: count),
      surfaceLength: surface)
  }

  /// Appends the pieces of a word that ``analyze(_:_:hash:)`` folded to a form longer than one term. Each piece has the
  /// range of the whole word.
  private func appendLongFold(_ input: TokenizerInput, _ start: Int, _ end: Int, kind: Token.Kind) {
    guard let bytes = folder.folded.baseAddress else { return }
    var index = 0
    while index < folder.folded.count {
      var next = min(index + TokenBuffer.maximumTermLength, folder.folded.count)
      if next < folder.folded.count { next = characterBoundary(bytes, notAfter: next, from: index) }
      input.buffer.append(
        bytes + index, length: next - index, start: start, end: end, kind: index == 0 ? kind : [])
      index = next
    }
  }
}
