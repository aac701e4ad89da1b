/// Divides the words of a segment into the blocks of a word list; see ``WordListFormat``.
struct WordListEncoder {
  private let segment: SegmentStructure.Segment
  private let output: (_ id: Int64, _ block: [UInt8]) throws -> Void

  // The arrays of the current block.
  private var sharedLengths: [UInt8] = []
  private var restLengths: [UInt8] = []
  private var rests: [UInt8] = []
  private var frequencies: [UInt8] = []
  private var last: [UInt8] = []
  private var blockCount: UInt32 = 0

  /// - Parameter output: receives the blocks, the header last.
  init(_ segment: SegmentStructure.Segment, _ output: @escaping (_ id: Int64, _ block: [UInt8]) throws -> Void) {
    self.segment = segment
    self.output = output
  }

  /// Appends a word that is greater than all others, of at most ``TermList/maximumLength`` bytes.
  mutating func append(_ word: UnsafeBufferPointer<UInt8>, frequency: UInt32) throws {
    var shared = 0
    let limit = min(last.count, word.count)
    while shared < limit, last[shared] == word[shared] { shared += 1 }
    if size + word.count - shared + 7 > WordListFormat.maximumBlockSize { try endBlock() }
    if restLengths.isEmpty { shared = 0 }
    sharedLengths.append(UInt8(shared))
    restLengths.append(UInt8(word.count - shared))
    rests.append(contentsOf: word[shared...])
    frequencies.appendVarint(UInt64(frequency))
    last.removeAll(keepingCapacity: true)
    last.append(contentsOf: word)
  }

  /// Writes the last block and the header.
  ///
  /// - Parameter firstLeafChecksum: the checksum of the first leaf of the segment.
  mutating func finish(firstLeafChecksum: UInt64) throws {
    try endBlock()
    let header = WordListHeader(firstLeafChecksum: firstLeafChecksum, blockCount: blockCount)
    try output(WordListFormat.id(0, in: segment), header.block(of: segment))
  }

  private var size: Int {
    WordListFormat.blockHeaderSize + 2 * restLengths.count + rests.count + frequencies.count
  }

  private mutating func endBlock() throws {
    guard !restLengths.isEmpty else { return }
    blockCount += 1
    var content: [UInt8] = []
    content.reserveCapacity(size)
    content.appendLittleEndian(UInt16(restLengths.count))
    for part in [sharedLengths, restLengths, rests, frequencies] { content.append(contentsOf: part) }
    let id = WordListFormat.id(Int64(blockCount), in: segment)
    try output(id, WordListFormat.block(content, id: id))
    sharedLengths.removeAll(keepingCapacity: true)
    restLengths.removeAll(keepingCapacity: true)
    rests.removeAll(keepingCapacity: true)
    frequencies.removeAll(keepingCapacity: true)
  }
}
