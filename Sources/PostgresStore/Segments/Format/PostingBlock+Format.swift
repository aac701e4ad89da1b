import TextIndex

/// The stored form of up to 512 successive postings of a term: rows, and frequencies by column.
///
/// ```
/// block       := postings-1:number  rows  frequencies
/// frequencies := 0:u8  column:number  (frequency-1){per posting}:list     every posting is in one column, the same
///              | 1:u8  counts{per posting}
/// counts      := ((frequency-1) * columns + column) * 2 : number          one column
///              | columns * 2 + 1 : number  (column:number  frequency:number)*
/// ```
///
/// Rows are numbers of documents in a shard; see ``RowList``.
enum BlockFormat {
  /// The maximum number of postings in a block.
  static let length = 512

  /// Appends a block of postings.
  ///
  /// - Parameters:
  ///   - postings: the postings of the term.
  ///   - range: the indices of the postings to put in the block.
  ///   - columnCount: the number of columns of the index.
  static func append(_ postings: Postings, _ range: Range<Int>, columnCount: Int, to bytes: inout [UInt8]) {
    bytes.appendNumber(range.count - 1)
    RowList.append(UnsafeBufferPointer(start: postings.rows + range.lowerBound, count: range.count), to: &bytes)
    let codes = UnsafeBufferPointer(start: postings.frequencies + range.lowerBound, count: range.count)
    if let first = codes.first, first & Frequencies.overflowFlag == 0,
      codes.allSatisfy({ $0 >> 16 == first >> 16 })
    {
      bytes.append(0)
      bytes.appendNumber(first >> 16)
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: codes.count) { counts in
        for (number, code) in codes.enumerated() { counts.initializeElement(at: number, to: (code & 0xFFFF) &- 1) }
        BitPacking.append(UnsafeBufferPointer(counts), to: &bytes)
      }
      return
    }
    bytes.append(1)
    for code in codes {
      if code & Frequencies.overflowFlag == 0 {
        let frequency = UInt64(code & 0xFFFF) - 1
        bytes.appendNumber((frequency * UInt64(columnCount) + UInt64(code >> 16)) << 1)
      } else {
        let start = postings.overflow + Int(code & ~Frequencies.overflowFlag)
        bytes.appendNumber(UInt64(start[0]) << 1 | 1)
        for number in 0..<2 * Int(start[0]) { bytes.appendNumber(start[1 + number]) }
      }
    }
  }
}

/// Memory for decoding blocks, reused for many of them.
struct BlockDecoder: ~Copyable {
  private let columnCount: Int
  private let rowMemory: UnsafeMutablePointer<UInt32>
  private let codeMemory: UnsafeMutablePointer<UInt32>
  private var overflow: [UInt32] = []
  private(set) var count = 0

  init(columnCount: Int) {
    self.columnCount = columnCount
    rowMemory = .allocate(capacity: BlockFormat.length)
    codeMemory = .allocate(capacity: BlockFormat.length)
  }

  deinit {
    rowMemory.deallocate()
    codeMemory.deallocate()
  }

  /// The decoded rows.
  var rows: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(start: rowMemory, count: count) }

  /// Decodes a block.
  ///
  /// - Parameters:
  ///   - bytes: the block.
  ///   - base: the number that is added to rows.
  ///   - expected: the number of postings that the dictionary lists for the block.
  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, base: UInt32, expected: Int) throws(SegmentDamage) {
    var reader = PayloadReader(bytes)
    try decodeRows(from: &reader, base: base, expected: expected)
    overflow.removeAll(keepingCapacity: true)
    switch try reader.byte() {
    case 0:
      let column = try reader.number(upTo: columnCount - 1)
      try BitPacking.read(count, from: &reader, into: codeMemory)
      guard setCodes(column) else { throw .badNumber }
    case 1: for number in 0..<count { codeMemory[number] = try code(from: &reader) }
    default: throw .badNumber
    }
    try reader.finish()
  }

  /// Decodes only the rows of a block.
  mutating func decodeRows(_ bytes: UnsafeBufferPointer<UInt8>, base: UInt32, expected: Int) throws(SegmentDamage) {
    var reader = PayloadReader(bytes)
    try decodeRows(from: &reader, base: base, expected: expected)
  }

  private mutating func decodeRows(
    from reader: inout PayloadReader, base: UInt32, expected: Int
  ) throws(SegmentDamage) {
    count = try reader.number(upTo: BlockFormat.length - 1) + 1
    guard count == expected else { throw .badNumber }
    try RowList.read(count, from: &reader, base: base, into: rowMemory)
  }

  /// Replaces the decoded frequencies, which are all of one column, with their codes.
  ///
  /// - Returns: false if a frequency is too large.
  private func setCodes(_ column: Int) -> Bool {
    var largest: UInt32 = 0
    for number in 0..<count { largest = max(largest, codeMemory[number]) }
    guard largest < UInt32(Frequencies.maximumFrequency) else { return false }
    let first = UInt32(column) << 16 + 1
    for number in 0..<count { codeMemory[number] &+= first }
    return true
  }

  private mutating func code(from reader: inout PayloadReader) throws(SegmentDamage) -> UInt32 {
    let value = try reader.number()
    if value & 1 == 0 {
      let (frequency, column) = (value >> 1).quotientAndRemainder(dividingBy: UInt64(columnCount))
      guard frequency < UInt64(Frequencies.maximumFrequency) else { throw .badNumber }
      return UInt32(column) << 16 | (UInt32(frequency) + 1)
    }
    let columns = value >> 1
    guard columns > 0, columns <= UInt64(columnCount) else { throw .badNumber }
    let offset = UInt32(truncatingIfNeeded: overflow.count)
    overflow.append(UInt32(columns))
    var previous = -1
    for _ in 0..<columns {
      let column = try reader.number(upTo: columnCount - 1)
      let frequency = try reader.number32()
      guard column > previous, frequency > 0 else { throw .badNumber }
      previous = column
      overflow.append(UInt32(column))
      overflow.append(frequency)
    }
    return Frequencies.overflowFlag | offset
  }

  /// Appends the decoded postings without those of hidden rows.
  func append(to postings: inout PostingsAssembler, hiding hidden: [UInt32]) {
    overflow.withUnsafeBufferPointer {
      postings.append(
        rows: rows, frequencies: UnsafeBufferPointer(start: codeMemory, count: count), overflow: $0, hiding: hidden)
    }
  }

  /// Decodes the rows of a block and appends them with their positions, without those of hidden rows.
  ///
  /// - Parameters:
  ///   - block: the block.
  ///   - poslists: a row of positions.
  ///   - range: the part of the row that belongs to the block.
  ///   - base: the number that is added to rows.
  ///   - count: the number of postings that the dictionary lists for the block.
  mutating func append(
    _ block: [UInt8], _ poslists: [UInt8], _ range: Range<Int>, base: UInt32, count: Int, hiding hidden: [UInt32],
    to postings: inout PostingsAssembler
  ) throws {
    guard range.upperBound <= poslists.count else { throw SegmentDamage.truncated }
    try block.withUnsafeBufferPointer { try decodeRows($0, base: base, expected: count) }
    try poslists.withUnsafeBufferPointer {
      try postings.append(rows: rows, poslists: UnsafeBufferPointer(rebasing: $0[range]), hiding: hidden)
    }
  }
}
