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
