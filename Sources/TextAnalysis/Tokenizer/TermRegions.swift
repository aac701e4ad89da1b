/// Finds the parts of an ASCII text that can contain certain terms, so that the rest need not be tokenized.
///
/// Without a stemmer, the terms of an ASCII text are substrings of its words in lower case. A part begins and ends at
/// bytes that never belong to a word, so that it has the same terms as in the whole text.
package struct TermRegions: Sendable {
  /// The beginning of a term, in lower case.
  private struct Beginning: Sendable {
    let bytes: [UInt8]
    /// Eight copies of the first byte, and of the second one; 0 for a beginning of one byte.
    let first: UInt64
    let second: UInt64
    /// Eight copies of the bit that distinguishes upper case, if the byte is a letter; otherwise 0.
    let firstCase: UInt64
    let secondCase: UInt64

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      func copies(_ byte: UInt8) -> UInt64 { UInt64(byte) &* lowBits }
      func caseBits(_ byte: UInt8) -> UInt64 { byte &- UInt8(ascii: "a") < 26 ? copies(0x20) : 0 }
      (first, firstCase) = (copies(bytes[0]), caseBits(bytes[0]))
      (second, secondCase) = bytes.count > 1 ? (copies(bytes[1]), caseBits(bytes[1])) : (0, 0)
    }
  }

  private let beginnings: [Beginning]
  /// The number of words that a part contains after the word with the term.
  private let followingWords: Int

  /// With more beginnings, most texts are read faster word by word.
  private static let maximumCount = 8

  /// - Parameters:
  ///   - terms: the terms, or beginnings of terms.
  ///   - followingWords: the number of words after each term that a part also contains.
  /// - Returns: nil if there are too many terms.
  package init?(of terms: some Sequence<[UInt8]>, followingWords: Int) {
    // Other terms do not occur in ASCII text.
    let possible = Set(terms.filter { !$0.isEmpty && $0.allSatisfy { $0 < 0x80 && $0 &- UInt8(ascii: "A") >= 26 } })
    guard possible.count <= TermRegions.maximumCount else { return nil }
    beginnings = possible.map { Beginning($0) }
    self.followingWords = followingWords
  }

  /// Returns the parts of a text outside which no term of the tokenizer has one of the beginnings, in ascending order;
  /// nil if the text should be tokenized as a whole.
  ///
  /// - Complexity: O(n) in the length of the text, about ten times as fast as the tokenizer.
  package func ranges(in text: UnsafeRawBufferPointer, for tokenizer: Tokenizer) -> [Range<Int>]? {
    guard tokenizer.stemmer == nil, text.count <= Int(UInt32.max), TermRegions.isPlain(text) else { return nil }
    let scan = Scan(text: text, classes: UnsafePointer(tokenizer.byteClasses), splitsWords: tokenizer.plan.code)
    var starts: [(start: Int, term: Int)] = []
    // Tokenizing many parts takes longer than tokenizing the text.
    let limit = text.count / 64 + 4
    starts.reserveCapacity(min(limit, 32) + 1)
    for beginning in beginnings {
      scan.forEachRun(with: beginning) { start, term in
        starts.append((start, term))
        return starts.count <= limit
      }
      if starts.count > limit { return nil }
    }
    if beginnings.count > 1 { starts.sort { $0.start < $1.start } }
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(starts.count)
    var lastStart = -1
    for (start, term) in starts where start != lastStart {
      lastStart = start
      let end = scan.end(after: term, words: followingWords)
      if let last = ranges.last, start <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        ranges.append(start..<end)
      }
    }
    return ranges
  }

  /// Returns whether a text consists of ASCII characters other than ESC, after which words depend on the bytes before
  /// them.
  private static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    let escapes = UInt64(ByteClass.escape) &* lowBits
    var bits: UInt64 = 0
    var index = 0
    while index + 8 <= text.count {
      let block = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // A byte of `difference` is 0 if it is ESC.
      let difference = block ^ escapes
      bits |= block | (difference &- lowBits) & ~difference
      index += 8
    }
    while index < text.count {
      if text[index] == ByteClass.escape { return false }
      bits |= UInt64(text[index])
      index += 1
    }
    return bits & highBits == 0
  }

  /// A text and the classes of its bytes.
  private struct Scan {
    let text: UnsafeRawBufferPointer
    let classes: UnsafePointer<UInt8>
    /// Whether terms can begin inside words.
    let splitsWords: Bool

    /// The start of the run that contains the last offset for which it was searched.
    private struct RunStart {
      var offset = 0
      var start = 0
    }

    /// Calls `body` with the start of each run of bytes that may belong to words in which a term with a beginning may
    /// begin, and with the offset of the first such term in it, until `body` returns false.
    ///
    /// - Complexity: O(n) in the length of the text, however long its runs are.
    func forEachRun(with beginning: Beginning, _ body: (_ start: Int, _ term: Int) -> Bool) {
      let isPair = beginning.bytes.count > 1
      var run = RunStart()
      var lastStart = -1
      /// Returns false to end the search.
      func visit(_ offset: Int) -> Bool {
        guard isTerm(beginning, at: offset, &run) else { return true }
        let start = start(of: offset, &run)
        if start == lastStart { return true }
        lastStart = start
        return body(start, offset)
      }
      var index = 0
      while index + 9 <= text.count {
        let block = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        var difference = (block | beginning.firstCase) ^ beginning.first
        if isPair {
          let next = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index + 1, as: UInt64.self))
          difference |= (next | beginning.secondCase) ^ beginning.second
        }
        // The lowest bit is in the first byte that is 0; those above it may be in other bytes ("Bit Twiddling Hacks").
        var zeros = (difference &- lowBits) & ~difference & highBits
        while zeros != 0 {
          if !visit(index + zeros.trailingZeroBitCount / 8) { return }
          zeros &= zeros - 1
        }
        index += 8
      }
      while index < text.count {
        if !visit(index) { return }
        index += 1
      }
    }

    private func isTerm(_ beginning: Beginning, at offset: Int, _ run: inout RunStart) -> Bool {
      let bytes = beginning.bytes
      guard bytes.count <= text.count - offset else { return false }
      for number in bytes.indices {
        let byte = text[offset + number]
        if (byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte) != bytes[number] { return false }
      }
      if splitsWords || offset == 0 || classes[Int(text[offset - 1])] & ByteClass.word == 0 { return true }
      // A word that is too long for one term is split anywhere.
      return offset - start(of: offset, &run) >= TokenBuffer.maximumTermLength
    }

    /// Returns the start of the run that contains an offset. Offsets must ascend, so that no byte is read twice.
    private func start(of offset: Int, _ run: inout RunStart) -> Int {
      var start = offset
      while start > run.offset, classes[Int(text[start - 1])] != 0 { start -= 1 }
      if start == run.offset { start = run.start }
      run = RunStart(offset: offset, start: start)
      return start
    }

    /// Returns the end of the part with the term at an offset and at least `words` words after it.
    func end(after offset: Int, words: Int) -> Int {
      var end = wordEnd(offset).end
      var count = 0
      while count < words, end < text.count {
        while end < text.count, classes[Int(text[end])] == 0 { end += 1 }
        let next = wordEnd(end)
        if next.isWord { count += 1 }
        end = next.end
      }
      return end
    }

    /// Returns the end of the bytes that may belong to words, and whether they contain a word.
    private func wordEnd(_ start: Int) -> (end: Int, isWord: Bool) {
      var end = start
      var seen: UInt8 = 0
      while end < text.count, classes[Int(text[end])] != 0 {
        seen |= classes[Int(text[end])]
        end += 1
      }
      return (end, seen & (ByteClass.letter | ByteClass.digit) != 0)
    }
  }
}

private let lowBits: UInt64 = 0x0101_0101_0101_0101
private let highBits: UInt64 = 0x8080_8080_8080_8080
