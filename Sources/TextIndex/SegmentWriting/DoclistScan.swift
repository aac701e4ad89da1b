/// Validates the pieces of a doclist on its leaves and finds its first and last row, without decoding positions.
struct DoclistScan {
  /// The first row and the length of its varint.
  private(set) var firstRow: UInt64 = 0
  private(set) var firstRowLength = 0
  /// The last row.
  private(set) var row: UInt64 = 0
  /// Whether a row is marked as removed from older segments.
  private(set) var hasRemovals = false
  /// Whether a row has neither postings nor a mark.
  private(set) var hasEmptyRows = false
  private let detail: PostingsHash.Detail
  private var hasRows = false
  /// The number of bytes of the last poslist that are on the next leaves.
  private var missingCount = 0

  init(_ detail: PostingsHash.Detail) { self.detail = detail }

  /// Scans the piece on the leaf on which the term begins.
  mutating func scan(_ piece: ByteReader) throws(DoclistCorruption) {
    var piece = piece
    while !piece.isAtEnd {
      let start = piece.position
      let delta = try piece.varint()
      guard !hasRows || delta > 0 else { throw .unordered }
      let (sum, overflows) = row.addingReportingOverflow(delta)
      guard !overflows, sum <= UInt64(Int64.max) else { throw .badNumber }
      begin(sum, length: piece.position - start)
      try scanEntry(&piece)
    }
  }

  /// Scans the piece at the beginning of a later leaf, and appends its bytes to those of the doclist.
  ///
  /// - Parameter firstRow: the start of the first rowid on the leaf, which is not a delta; nil if no row begins there.
  mutating func scan(
    continuation: ByteReader, firstRow: UnsafePointer<UInt8>?, appendingTo doclist: inout GrowableBuffer<UInt8>
  ) throws(DoclistCorruption) {
    var piece = continuation
    if missingCount > 0 {
      let part = try piece.bytes(min(missingCount, piece.count))
      doclist.append(part)
      missingCount -= part.count
      if missingCount == 0, let last = part.last { try DoclistScan.checkEnd(last) }
    }
    if piece.isAtEnd { return }
    guard firstRow == piece.position else { throw .badNumber }
    let full = try piece.varint()
    guard !hasRows || full > row, full <= UInt64(Int64.max) else { throw .unordered }
    let size = doclist.count
    doclist.appendVarint(full - row)
    doclist.append(UnsafeBufferPointer(start: piece.position, count: piece.count))
    begin(full, length: doclist.count - size - piece.count)
    try scanEntry(&piece)
    try scan(piece)
  }

  /// Checks that the doclist is complete.
  func finish() throws(DoclistCorruption) {
    guard hasRows, missingCount == 0 else { throw .truncated }
  }

  private mutating func begin(_ row: UInt64, length: Int) {
    if !hasRows { (firstRow, firstRowLength) = (row, length) }
    self.row = row
    hasRows = true
  }

  @inline(__always)
  private mutating func scanEntry(_ piece: inout ByteReader) throws(DoclistCorruption) {
    switch detail {
    case .full:
      let size = try piece.varint()
      let count = Int(size / 2)
      if size & 1 == 1 { hasRemovals = true } else if count == 0 { hasEmptyRows = true }
      let part = try piece.bytes(min(count, piece.count))
      missingCount = count - part.count
      if missingCount == 0, let last = part.last { try DoclistScan.checkEnd(last) }
    case .none:
      if piece.skip(0) {
        hasRemovals = true
        _ = piece.skip(0)
      }
    }
  }

  /// Checks the last byte of a poslist: ``LeafWriter`` divides poslists between varints, the last of which must be
  /// complete.
  @inline(__always)
  private static func checkEnd(_ byte: UInt8) throws(DoclistCorruption) {
    guard byte < 0x80 else { throw .truncated }
  }
}
