/// The lengths in terms of each column of documents of a segment, in row order.
struct DocumentLengthRows: Sendable, Equatable {
  let columnCount: Int
  /// The numbers of the documents in the shard, ascending.
  private(set) var rows: [UInt32] = []
  /// `columnCount` lengths for each row.
  private(set) var lengths: [UInt32] = []

  init(columnCount: Int) { self.columnCount = columnCount }

  /// Appends a document whose row is greater than all earlier ones.
  mutating func append(_ row: UInt32, _ lengths: some Collection<UInt32>) {
    rows.append(row)
    self.lengths.append(contentsOf: lengths.prefix(columnCount))
    for _ in lengths.count..<max(lengths.count, columnCount) { self.lengths.append(0) }
  }

  /// Appends documents of other lengths, whose rows are greater than all earlier ones.
  private mutating func append(_ numbers: Range<Int>, of other: DocumentLengthRows) {
    rows += other.rows[numbers]
    lengths += other.lengths[numbers.lowerBound * columnCount..<numbers.upperBound * columnCount]
  }

  /// Returns the documents of both. If they have a row in common, its lengths are those of `newer`: segments that older
  /// versions of this library have written do not list the documents without terms that they replace.
  ///
  /// - Complexity: O(n) in the number of documents, which are copied in bulk if the rows of both alternate rarely.
  func merged(with newer: DocumentLengthRows) -> DocumentLengthRows {
    var merged = DocumentLengthRows(columnCount: columnCount)
    merged.rows.reserveCapacity(rows.count + newer.rows.count)
    merged.lengths.reserveCapacity(lengths.count + newer.lengths.count)
    var (mine, theirs) = (0, 0)
    while mine < rows.count, theirs < newer.rows.count {
      let (row, newerRow) = (rows[mine], newer.rows[theirs])
      if row == newerRow {
        mine += 1
      } else if row < newerRow {
        let end = rows[mine...].firstIndex { $0 >= newerRow } ?? rows.count
        merged.append(mine..<end, of: self)
        mine = end
      } else {
        let end = newer.rows[theirs...].firstIndex { $0 >= row } ?? newer.rows.count
        merged.append(theirs..<end, of: newer)
        theirs = end
      }
    }
    merged.append(mine..<rows.count, of: self)
    merged.append(theirs..<newer.rows.count, of: newer)
    return merged
  }

  /// Returns the lengths of a document, given by its number in ``rows``.
  func lengths(_ number: Int) -> ArraySlice<UInt32> { lengths[number * columnCount..<(number + 1) * columnCount] }
}

/// The stored form of the lengths of up to 4,096 documents:
///
/// ```
/// lengths := documents-1:number  rows  list{per column}     see RowList and BitPacking
/// ```
extension DocumentLengthRows {
  static let blockLength = 4096

  /// The number of stored rows.
  var blockCount: Int { DocumentLengthRows.blockCount(of: rows.count) }

  /// Returns the number of stored rows of a number of documents.
  static func blockCount(of documentCount: Int) -> Int { (documentCount + blockLength - 1) / blockLength }

  /// Returns a block.
  func block(_ number: Int) -> [UInt8] {
    let range = number * Self.blockLength..<min(rows.count, (number + 1) * Self.blockLength)
    var bytes: [UInt8] = []
    bytes.appendNumber(range.count - 1)
    rows.withUnsafeBufferPointer { RowList.append(UnsafeBufferPointer(rebasing: $0[range]), to: &bytes) }
    for column in 0..<columnCount {
      let values = range.map { lengths[$0 * columnCount + column] }
      values.withUnsafeBufferPointer { BitPacking.append($0, to: &bytes) }
    }
    return bytes
  }

  /// Appends the documents of a block.
  ///
  /// - Parameter base: the number that is added to rows.
  mutating func append(block: UnsafeBufferPointer<UInt8>, base: UInt32) throws {
    var decoder = LengthBlockDecoder(columnCount: columnCount)
    try decoder.decode(block, base: base)
    if let last = rows.last, decoder.rows[0] <= last { throw SegmentDamage.unordered }
    rows.append(contentsOf: UnsafeBufferPointer(start: decoder.rows, count: decoder.count))
    for number in 0..<decoder.count {
      for column in 0..<columnCount { lengths.append(decoder.lengths(column)[number]) }
    }
  }
}

/// Memory for decoding blocks of lengths, reused for many of them.
struct LengthBlockDecoder: ~Copyable {
  let columnCount: Int
  private let memory: UnsafeMutablePointer<UInt32>
  /// The number of documents of the block that was decoded last; at least 1.
  private(set) var count = 0

  init(columnCount: Int) {
    self.columnCount = columnCount
    memory = .allocate(capacity: DocumentLengthRows.blockLength * (columnCount + 1))
  }

  deinit { memory.deallocate() }

  /// The rows, ascending.
  var rows: UnsafePointer<UInt32> { UnsafePointer(memory) }

  /// The lengths of a column.
  func lengths(_ column: Int) -> UnsafePointer<UInt32> {
    UnsafePointer(memory + DocumentLengthRows.blockLength * (column + 1))
  }

  /// Decodes a block.
  ///
  /// - Parameter base: the number that is added to rows.
  mutating func decode(_ block: UnsafeBufferPointer<UInt8>, base: UInt32) throws(SegmentDamage) {
    var reader = PayloadReader(block)
    count = try reader.number(upTo: DocumentLengthRows.blockLength - 1) + 1
    try RowList.read(count, from: &reader, base: base, into: memory)
    for column in 0..<columnCount {
      try BitPacking.read(count, from: &reader, into: memory + DocumentLengthRows.blockLength * (column + 1))
    }
    try reader.finish()
  }
}
