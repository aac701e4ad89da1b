import PostgresAccess

/// Short lists of trigrams that share a row, because the header and the key of a row need more space than most lists.
///
/// Trigrams with the same first two bytes share a row in each segment: one byte of the third byte of the trigram, one
/// byte of the length, and the list, for each in ascending order. A list that is longer has its own row, so a shared
/// row is at most some kilobytes long, and usually a few hundred bytes.
enum SharedLists {
  /// The maximum length of a list in bytes.
  static let maximumLength = 127

  /// The number of trigrams with the same first two bytes.
  private static let width: Int32 = 256
  /// The number in the column `tri` of the shared row of the first prefix. Those of all prefixes are less than
  /// ``PatternSegments/documentsNumber``.
  static let firstNumber = PatternSegments.documentsNumber - 65_536

  /// Returns the number in the column `tri` of the shared row of a trigram.
  static func number(of trigram: UInt32) -> Int32 { firstNumber + Int32(truncatingIfNeeded: trigram >> 8 & 0xFFFF) }

  /// Returns the numbers of the shared rows of trigrams whose first two bytes are in a range.
  static func numbers(_ prefixes: ClosedRange<Int32>) -> ClosedRange<Int32> {
    firstNumber + prefixes.lowerBound...firstNumber + prefixes.upperBound
  }

  /// Returns the trigrams whose first two bytes are in a range.
  static func trigrams(_ prefixes: ClosedRange<Int32>) -> ClosedRange<Int32> {
    prefixes.lowerBound * width...prefixes.upperBound * width + (width - 1)
  }

  /// Appends a list to a shared row.
  static func append(_ list: [UInt8], _ trigram: UInt32, to row: inout [UInt8]) {
    row.append(UInt8(truncatingIfNeeded: trigram))
    row.append(UInt8(truncatingIfNeeded: list.count))
    row += list
  }

  /// Calls `body` with each trigram of a shared row and its list.
  ///
  /// - Parameter number: the number of the row.
  /// - Throws: ``SegmentDamage``, errors of `body`.
  static func forEach(
    in row: UnsafeRawBufferPointer, number: Int32, _ body: (UInt32, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let prefix = UInt32(truncatingIfNeeded: number &- firstNumber) << 8
    var position = 0
    while position < row.count {
      guard position + 2 <= row.count else { throw SegmentDamage.truncated }
      let (start, trigram) = (position + 2, prefix | UInt32(row[position]))
      position = start + Int(row[position + 1])
      guard position <= row.count else { throw SegmentDamage.truncated }
      try body(trigram, UnsafeRawBufferPointer(rebasing: row[start..<position]))
    }
  }
}

/// The rows of a segment of a pattern index: lists in ascending order of trigrams, short ones in shared rows.
struct PatternRows {
  private let index: Int64
  private let segment: Int64
  private let shard: ShardFilter
  private(set) var rows = PostgresCopyRows()
  /// The shared row of the last trigram.
  private var shared: (number: Int32, payload: [UInt8])?

  init(index: Int64, segment: Int64, _ shard: ShardFilter = ShardFilter(value: nil)) {
    self.index = index
    self.segment = segment
    self.shard = shard
  }

  /// Appends the list of the documents of the segment.
  mutating func append(documents: [UInt32]) { append(PatternSegments.documentsNumber, RowDeltas.encode(documents)) }

  /// Appends the list of a trigram, as ``TrigramList`` encodes it. The trigram is greater than the previous one.
  mutating func append(_ list: [UInt8], _ trigram: UInt32) {
    guard list.count <= SharedLists.maximumLength else {
      return append(Int32(truncatingIfNeeded: trigram), list)
    }
    let number = SharedLists.number(of: trigram)
    var payload: [UInt8] = []
    if let last = shared, last.number == number { payload = last.payload } else { endSharedRow() }
    shared = nil
    SharedLists.append(list, trigram, to: &payload)
    shared = (number, payload)
  }

  /// Returns whether the rows have a size, and the shared row is complete before a trigram.
  func isFull(_ size: Int, before trigram: UInt32) -> Bool {
    rows.size >= size && shared?.number != SharedLists.number(of: trigram)
  }

  /// Calls `body` with each trigram of a row and its list.
  ///
  /// - Parameter number: the number in the column `tri`.
  /// - Throws: ``SegmentDamage``, errors of `body`.
  static func forEachList(
    _ number: Int32, _ payload: UnsafeRawBufferPointer, _ body: (UInt32, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if number >= 0 { return try body(UInt32(bitPattern: number), payload) }
    if number < PatternSegments.documentsNumber { try SharedLists.forEach(in: payload, number: number, body) }
  }

  /// Removes and returns the rows.
  mutating func take() -> PostgresCopyRows {
    endSharedRow()
    defer { rows = PostgresCopyRows() }
    return rows
  }

  private mutating func endSharedRow() {
    if let last = shared { append(last.number, last.payload) }
    shared = nil
  }

  private mutating func append(_ number: Int32, _ payload: [UInt8]) {
    rows.append([.int64(index), .int32(number), .int64(segment), .bytes(payload)] + shard.parameters)
  }
}
