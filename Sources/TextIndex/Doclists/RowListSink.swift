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
  /// The rows that may be in the list, ascending; nil for all.
  private let candidates: [UInt32]?
  /// The number of candidates before the last new row.
  private var candidateIndex = 0
  /// The last row of the segments so far that is not in an older segment.
  private var last: UInt64 = 0
  /// The last row of the older segments.
  private var lastKnown: UInt64 = 0
  /// The rows up to ``lastKnown`` that the current segment adds.
  private var added: [UInt32] = []
  /// The rows of older segments that the current segment deletes.
  private var removed: [UInt32] = []
  private var doclist = DoclistRows()

  /// The number of rows that are read at once.
  private static let plainRowCount = 64

  /// - Parameter capacity: the expected number of rows. Unused capacity takes no physical memory.
  init(capacity: Int) {
    candidates = nil
    list.reserveCapacity(capacity)
  }

  /// - Parameter candidates: the rows that may be in the list, ascending.
  init(among candidates: [UInt32]) { self.candidates = candidates }

  /// Returns the rows that contain the term, ascending.
  consuming func finish() -> [UInt32] { list }

  mutating func beginDoclist(_ term: [UInt8]) {
    doclist = DoclistRows()
    lastKnown = last
  }

  mutating func endDoclist() throws {
    guard !doclist.isEmpty else { throw DoclistCorruption.truncated }
    if !removed.isEmpty { list = list.subtracting(removed) }
    if !added.isEmpty { list = list.merged(with: candidates.map { added.intersection($0) } ?? added) }
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
      if doclist.row > lastKnown { readPlainRows(&piece) }
    }
  }

  /// Reads the next rows that are new in this segment, have a delta of one byte and no mark: most rows of long lists.
  private mutating func readPlainRows(_ piece: inout ByteReader) {
    guard piece.count >= RowListSink.plainRowCount else { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: RowListSink.plainRowCount) { buffer in
      while piece.count > 1 {
        let count = doclist.readPlainRows(&piece, into: buffer)
        guard count > 0 else { return }
        append(UnsafeBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  /// Appends those of some new rows that are candidates.
  private mutating func append(_ rows: UnsafeBufferPointer<UInt32>) {
    guard let candidates else {
      list.append(contentsOf: rows)
      last = doclist.row
      return
    }
    last = doclist.row
    guard candidateIndex < candidates.count, candidates[candidateIndex] <= rows[rows.count - 1] else { return }
    for row in rows { appendCandidate(row, candidates) }
  }

  @inline(__always)
  private mutating func appendCandidate(_ row: UInt32, _ candidates: [UInt32]) {
    while candidateIndex < candidates.count, candidates[candidateIndex] < row { candidateIndex += 1 }
    if candidateIndex < candidates.count, candidates[candidateIndex] == row { list.append(row) }
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
      last = number
      if let candidates {
        appendCandidate(UInt32(truncatingIfNeeded: number), candidates)
      } else {
        list.append(UInt32(truncatingIfNeeded: number))
      }
    } else {
      added.append(UInt32(truncatingIfNeeded: number))
    }
  }
}
