/// The rowids of a doclist, one after the other: see ``DoclistFormat``. They are the same in tables of every `detail`; the data
/// after each rowid differ.
struct DoclistRows {
  /// The row that was read last.
  private(set) var row: UInt64 = 0
  /// Whether no row of the doclist was read.
  private(set) var isEmpty = true

  /// The largest row that is read; tables with larger ones are left to FTS5.
  static let maximumRow = UInt64(UInt32.max) - 1

  /// A row that follows others, or begins the doclist.
  @inline(__always)
  mutating func readNext(_ piece: inout ByteReader) throws {
    let delta = try piece.varint()
    guard isEmpty || delta > 0 else { throw DoclistCorruption.unordered }
    let (sum, overflows) = row.addingReportingOverflow(delta)
    guard !overflows else { throw DoclistCorruption.badNumber }
    try take(sum)
  }

  /// The first row of a leaf that the doclist goes on on, which is written in full.
  mutating func readFirstOfLeaf(_ piece: inout ByteReader) throws {
    let number = try piece.varint()
    guard isEmpty || number > row else { throw DoclistCorruption.unordered }
    try take(number)
  }

  @inline(__always)
  private mutating func take(_ number: UInt64) throws {
    guard number <= DoclistRows.maximumRow else { throw FTS5FallbackRequired.largeRows }
    row = number
    isEmpty = false
  }
}

/// Takes doclists in pieces, as ``LeafScan`` comes to them on the leaves of a segment.
protocol DoclistConsumer: ~Copyable {
  /// A doclist begins.
  mutating func beginDoclist(_ term: [UInt8])

  /// Takes rows up to the end of a piece on the leaf where the doclist begins.
  mutating func readRows(_ piece: ByteReader) throws

  /// Takes the piece of a doclist at the beginning of a further leaf.
  ///
  /// - Parameter firstRow: the offset of the first rowid of the leaf; nil if there is none.
  mutating func continueDoclist(_ piece: ByteReader, firstRow: UnsafePointer<UInt8>?) throws

  /// The doclist has ended.
  mutating func endDoclist() throws
}
