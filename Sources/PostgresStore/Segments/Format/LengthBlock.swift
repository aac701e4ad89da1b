/// The lengths in terms of each column of documents of a segment, in row order.
struct DocumentLengthRows: Sendable, Equatable {
  let columnCount: Int
  /// The numbers of the documents in the shard, ascending.
  private(set) var rows: [UInt32] = []
  /// `columnCount` lengths for each row.
  private(set) var lengths: [UInt32] = []

  init(columnCount: Int) { self.columnCount = columnCount }

  /// The size in bytes.
  var size: Int { 4 * (rows.capacity + lengths.capacity) }

  /// Appends a document whose row is greater than all earlier ones.
  mutating func append(_ row: UInt32, _ lengths: some Collection<UInt32>) {
    rows.append(row)
    self.lengths.append(contentsOf: lengths.prefix(columnCount))
    for _ in lengths.count..<max(lengths.count, columnCount) { self.lengths.append(0) }
  }

  /// Returns the lengths of a document, given by its number in ``rows``.
  func lengths(_ number: Int) -> ArraySlice<UInt32> { lengths[number * columnCount..<(number + 1) * columnCount] }

  /// The sum of the lengths of each column.
  var tokenCounts: [Int64] {
    var counts = Array(repeating: Int64(0), count: columnCount)
    for (number, length) in lengths.enumerated() { counts[number % columnCount] += Int64(length) }
    return counts
  }
}

/// The stored form of the lengths of up to 4,096 documents:
///
/// ```
/// lengths := documents-1:number  rows  list{per column}     see RowList and BitPacking
/// ```
extension DocumentLengthRows {
  static let blockLength = 4096

  /// The number of stored rows.
  var blockCount: Int { (rows.count + DocumentLengthRows.blockLength - 1) / DocumentLengthRows.blockLength }

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
    var reader = PayloadReader(block)
    let count = try reader.number(upTo: Self.blockLength - 1) + 1
    let columnCount = columnCount
    let last = rows.last
    try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count * (columnCount + 1)) { memory in
      guard let start = memory.baseAddress else { return }
      try RowList.read(count, from: &reader, base: base, into: start)
      if let last, start[0] <= last { throw SegmentDamage.unordered }
      for column in 0..<columnCount { try BitPacking.read(count, from: &reader, into: start + (column + 1) * count) }
      try reader.finish()
      rows.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
      for number in 0..<count {
        for column in 0..<columnCount { lengths.append(start[(column + 1) * count + number]) }
      }
    }
  }
}
