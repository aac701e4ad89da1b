/// What the dictionary of a segment contains about a term.
struct DictionaryEntry: Sendable, Equatable {
  /// The number of documents of the segment that contain the term.
  var documentFrequency = 0
  /// The number of documents of older segments that contain the term and that documents of this segment replace or
  /// delete. The document frequency of the term in the index is the sum of the differences of both numbers.
  var replacedCount = 0
  var content = Content.empty

  /// The location of the postings.
  enum Content: Sendable, Equatable {
    /// There are no postings.
    case empty
    /// A short list in the dictionary; its positions are in a part of a row of positions.
    case inline([UInt8], positions: PositionRange)
    /// Blocks of ``BlockFormat/length`` postings in rows of their own, with the numbers of the first rows.
    case blocks(first: Int32, positions: Int32, firstRow: UInt32, [Block])
  }

  /// A part of a row of positions.
  struct PositionRange: Sendable, Equatable {
    var row: Int32
    var offset: Int
    var count: Int
  }

  /// A block of postings.
  struct Block: Sendable, Equatable {
    /// The last row in the shard.
    var lastRow: UInt32
    /// An upper bound on the frequencies of the block; see ``BlockFrequency``.
    var frequency: Float
  }

  /// The maximum number of postings in the dictionary.
  static let inlineLimit = 128

  /// The number of blocks, including a list in the dictionary.
  var blockCount: Int {
    switch content {
    case .empty: 0
    case .inline: 1
    case .blocks(_, _, _, let blocks): blocks.count
    }
  }

  /// Returns the key of a block's row; nil if the list is in the dictionary.
  func blockKey(_ number: Int, in segment: SegmentKey) -> PayloadKey? {
    guard case .blocks(let first, _, _, _) = content else { return nil }
    return PayloadKey(segment, .blocks, first + Int32(truncatingIfNeeded: number))
  }

  /// Returns the key of the row with the positions of a block; nil if there are no postings.
  func positionKey(_ number: Int, in segment: SegmentKey) -> PayloadKey? {
    switch content {
    case .inline(_, let range): PayloadKey(segment, .positions, range.row)
    case .blocks(_, let first, _, _): PayloadKey(segment, .positions, first + Int32(truncatingIfNeeded: number))
    case .empty: nil
    }
  }

  /// Returns the number of postings of a block.
  func postingCount(ofBlock number: Int) -> Int {
    min(BlockFormat.length, documentFrequency - number * BlockFormat.length)
  }
}

extension DictionaryEntry {
  /// Appends the stored form:
  ///
  /// ```
  /// entry  := documents*2+hasReplaced:number  [replaced:number]  content
  /// content := nothing                                                        if documents = 0
  ///          | size:number  block:byte{size}  row:number offset:number count:number    if documents <= 128
  ///          | first:number  positions:number  firstRow:number  (lastRow-previous:number  frequency:u16){per block}
  /// ```
  ///
  /// A frequency is stored as the high half of a 32-bit floating-point number, rounded up.
  func append(to bytes: inout [UInt8]) {
    bytes.appendNumber(documentFrequency << 1 | (replacedCount > 0 ? 1 : 0))
    if replacedCount > 0 { bytes.appendNumber(replacedCount) }
    switch content {
    case .empty: break
    case .inline(let block, let positions):
      bytes.appendNumber(block.count)
      bytes += block
      bytes.appendNumber(positions.row)
      bytes.appendNumber(positions.offset)
      bytes.appendNumber(positions.count)
    case .blocks(let first, let positions, let firstRow, let blocks):
      bytes.appendNumber(first)
      bytes.appendNumber(positions)
      bytes.appendNumber(firstRow)
      var previous = firstRow
      for block in blocks {
        bytes.appendNumber(block.lastRow &- previous)
        previous = block.lastRow
        let bound = DictionaryEntry.high(block.frequency)
        bytes.append(UInt8(truncatingIfNeeded: bound))
        bytes.append(UInt8(truncatingIfNeeded: bound >> 8))
      }
    }
  }

  private static func high(_ frequency: Float) -> UInt16 {
    UInt16(truncatingIfNeeded: (min(frequency.bitPattern, 0x7F7F_0000) + 0xFFFF) >> 16)
  }

  /// Reads only the numbers of documents of the stored form.
  init(frequenciesIn reader: inout PayloadReader) throws(SegmentDamage) {
    let head = try reader.number(upTo: Int(UInt32.max) << 1 | 1)
    documentFrequency = head >> 1
    replacedCount = head & 1 == 0 ? 0 : try reader.number(upTo: Int(UInt32.max))
  }

  /// Reads the stored form.
  init(_ reader: inout PayloadReader) throws(SegmentDamage) {
    try self.init(frequenciesIn: &reader)
    if documentFrequency == 0 { return }
    guard documentFrequency > DictionaryEntry.inlineLimit else {
      let block = Array(try reader.bytes(reader.number(upTo: reader.count)))
      content = .inline(
        block,
        positions: PositionRange(
          row: Int32(try reader.number(upTo: Int(Int32.max))), offset: try reader.number(upTo: Int(Int32.max)),
          count: try reader.number(upTo: Int(Int32.max))))
      return
    }
    let count = (documentFrequency + BlockFormat.length - 1) / BlockFormat.length
    // Each block takes at least three bytes.
    guard count <= reader.count / 3 else { throw .truncated }
    let first = try reader.number(upTo: Int(Int32.max) - count)
    let positions = try reader.number(upTo: Int(Int32.max) - count)
    let firstRow = try reader.number32()
    var blocks: [Block] = []
    blocks.reserveCapacity(count)
    var row = UInt64(firstRow)
    for number in 0..<count {
      let step = UInt64(try reader.number32())
      guard step > 0 || number == 0 else { throw .unordered }
      row += step
      guard row <= UInt64(UInt32.max) else { throw .badNumber }
      let bound = UInt32(try reader.byte()) << 16 | UInt32(try reader.byte()) << 24
      let frequency = Float(bitPattern: bound)
      guard frequency.isFinite, frequency >= 0 else { throw .badNumber }
      blocks.append(Block(lastRow: UInt32(truncatingIfNeeded: row), frequency: frequency))
    }
    content = .blocks(first: Int32(first), positions: Int32(positions), firstRow: firstRow, blocks)
  }
}
