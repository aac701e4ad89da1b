/// Decodes the rowids of a doclist; see ``DoclistFormat``. Their format is the same for every `detail` option; only the
/// data after each rowid differs.
struct DoclistRows {
  /// The row that was read last.
  private(set) var row: UInt64 = 0
  /// Whether no row of the doclist has been read.
  private(set) var isEmpty = true

  /// The largest supported row; tables with larger rows are read by FTS5.
  static let maximumRow = UInt64(UInt32.max) - 1

  /// Reads the first row of a doclist or the delta to the next row.
  @inline(__always)
  mutating func readNext(_ piece: inout ByteReader) throws {
    let delta = try piece.varint()
    guard isEmpty || delta > 0 else { throw DoclistCorruption.unordered }
    let (sum, overflows) = row.addingReportingOverflow(delta)
    guard !overflows else { throw DoclistCorruption.badNumber }
    try take(sum)
  }

  /// Reads the first row of a leaf on which the doclist continues. It is stored in full.
  mutating func readFirstOfLeaf(_ piece: inout ByteReader) throws {
    let number = try piece.varint()
    guard isEmpty || number > row else { throw DoclistCorruption.unordered }
    try take(number)
  }

  /// Reads rows with a delta of one byte that no byte 0 follows. It ends before the last byte of the piece, before any
  /// other row, and when the buffer is full.
  ///
  /// - Returns: the number of rows.
  @inline(__always)
  mutating func readPlainRows(_ piece: inout ByteReader, into buffer: UnsafeMutableBufferPointer<UInt32>) -> Int {
    let start = piece.position
    let limit = min(piece.count - 1, buffer.count)
    // The largest delta of one byte is 127.
    guard !isEmpty, limit > 0, row <= DoclistRows.maximumRow - 127 * UInt64(limit) else { return 0 }
    var next = UInt32(truncatingIfNeeded: row)
    var count = 0
    while count < limit {
      let delta = start[count]
      guard delta &- 1 < 127, start[count + 1] != 0 else { break }
      next &+= UInt32(delta)
      buffer[count] = next
      count += 1
    }
    row = UInt64(next)
    piece.advance(count)
    return count
  }

  @inline(__always)
  private mutating func take(_ number: UInt64) throws {
    guard number <= DoclistRows.maximumRow else { throw FTS5FallbackRequired.largeRows }
    row = number
    isEmpty = false
  }
}

/// A receiver of doclists, which ``LeafScan`` passes in pieces, one per leaf.
protocol DoclistConsumer: ~Copyable {
  /// Called when the doclist of a term begins.
  mutating func beginDoclist(_ term: [UInt8])

  /// Receives the piece of a doclist on the leaf on which it begins.
  mutating func readRows(_ piece: ByteReader) throws

  /// Receives the piece of a doclist at the beginning of a later leaf.
  ///
  /// - Parameter firstRow: the offset of the first rowid of the leaf; nil if there is none.
  mutating func continueDoclist(_ piece: ByteReader, firstRow: UnsafePointer<UInt8>?) throws

  /// Called at the end of a doclist.
  mutating func endDoclist() throws
}
