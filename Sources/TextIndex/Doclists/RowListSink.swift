/// Decodes the doclists of a term from tables with `detail=none`, segment by segment, oldest first.
///
/// ```
/// doclist := rowid:varint  mark  (delta:varint  mark)*
/// mark    := (nothing)               the row contains the term
///          | 0x00                    the row contained the term in older segments, and no longer does
///          | 0x00 0x00               the row contained the term in older segments, and contains it again
/// ```
struct RowListSink: DoclistConsumer, ~Copyable {
  private var list: [UInt32] = []
  /// The last row of the older segments.
  private var lastKnown: UInt64 = 0
  /// The rows up to ``lastKnown`` that the current segment adds.
  private var added: [UInt32] = []
  /// The rows of older segments that the current segment deletes.
  private var removed: [UInt32] = []
  private var doclist = DoclistRows()

  /// - Parameter capacity: the maximum number of rows. Unused capacity takes no physical memory.
  init(capacity: Int) { list.reserveCapacity(capacity) }

  /// Returns the rows that contain the term, ascending.
  consuming func finish() -> [UInt32] { list }

  mutating func beginDoclist(_ term: [UInt8]) {
    doclist = DoclistRows()
    lastKnown = list.last.map { UInt64($0) } ?? 0
  }

  mutating func endDoclist() throws {
    guard !doclist.isEmpty else { throw DoclistCorruption.truncated }
    if !removed.isEmpty { list = list.subtracting(removed) }
    if !added.isEmpty { list = list.merged(with: added) }
    removed.removeAll()
    added.removeAll()
  }

  mutating func continueDoclist(_ piece: ByteReader, firstRow: UnsafePointer<UInt8>?) throws {
    if piece.isAtEnd { return }
    // Entries do not span leaves, so a leaf begins with a row.
    guard firstRow == piece.position else { throw DoclistCorruption.badNumber }
    var piece = piece
    try doclist.readFirstOfLeaf(&piece)
    take(&piece)
    try readRows(piece)
  }

  mutating func readRows(_ piece: ByteReader) throws {
    var piece = piece
    while !piece.isAtEnd {
      try doclist.readNext(&piece)
      take(&piece)
    }
  }

  @inline(__always)
  private mutating func take(_ piece: inout ByteReader) {
    let number = doclist.row
    let isNew = number > lastKnown
    if piece.skip(0) {
      if !isNew { removed.append(UInt32(truncatingIfNeeded: number)) }
      guard piece.skip(0) else { return }
    }
    if isNew {
      list.append(UInt32(truncatingIfNeeded: number))
    } else {
      added.append(UInt32(truncatingIfNeeded: number))
    }
  }
}
