import DocumentStore

/// Decodes doclists, leaf by leaf, into postings.
///
/// Delete markers, which have an empty poslist, are added as rows with frequency 0, because their effect depends on
/// older segments.
struct DoclistSink: DoclistConsumer, ~Copyable {
  private(set) var memory: PostingsStorage
  /// The number of each posting's term, as in ``terms``; empty unless terms are numbered.
  private(set) var ordinals = GrowableBuffer<UInt32>()
  private(set) var terms: [[UInt8]: UInt32] = [:]

  private let counter: PoslistCounter
  private let numbersTerms: Bool
  private let isInterruptible: Bool
  private var pieceCount = 0
  private var ordinal: UInt32 = 0
  private var doclist = DoclistRows()
  /// The beginning of a poslist that continues on the next leaf, and the number of missing bytes.
  private var part = GrowableBuffer<UInt8>()
  private(set) var missing = 0

  /// The maximum number of postings of several terms, each of which takes 12 bytes: 2 GiB. A single term has no more
  /// postings than there are documents.
  private static let maximumNumberedCount = (2 << 30) / 12
  /// The number of leaves, or short doclists, between two checks of the time limit.
  private static let checkedPieceCount = 64

  /// - Parameter isInterruptible: whether decoding and merging end if the time limit of a search has passed.
  init(columnCount: Int, keepingPositions: Bool, numberingTerms: Bool, isInterruptible: Bool = false) {
    self.isInterruptible = isInterruptible
    memory = PostingsStorage(keepingPositions: keepingPositions)
    counter = PoslistCounter(columnCount: columnCount)
    numbersTerms = numberingTerms
  }

  /// Returns the postings of all doclists. Requires that segments were read from the oldest to the youngest.
  ///
  /// - Throws: the errors of `LongCall.check()` if the sink is interruptible.
  consuming func finish() throws -> Postings {
    let (columnCount, isInterruptible) = (counter.columnCount, self.isInterruptible)
    let merged = PostingsMerger(memory, ordinals: ordinals, columnCount: columnCount)
      .finish(isInterruptible: isInterruptible)
    if isInterruptible { try LongCall.check() }
    return merged
  }

  /// Returns the unmerged postings, with delete markers and with duplicate rows of several segments.
  consuming func finishUnmerged() -> Postings { Postings(memory) }

  /// Removes all rows.
  mutating func removeAll() {
    memory.removeAll()
    ordinals.removeAll()
  }

  mutating func beginDoclist(_ term: [UInt8]) {
    doclist = DoclistRows()
    guard numbersTerms else { return }
    ordinal = UInt32(terms.count)
    if let known = terms[term] { ordinal = known } else { terms[term] = ordinal }
  }

  mutating func endDoclist() throws {
    guard missing == 0, !doclist.isEmpty else { throw DoclistCorruption.truncated }
  }

  mutating func continueDoclist(_ piece: ByteReader, firstRow: UnsafePointer<UInt8>?) throws {
    var piece = piece
    try beginPiece()
    if missing > 0 {
      let taken = min(missing, piece.count)
      part.append(try piece.bytes(taken))
      missing -= taken
      if missing == 0 {
        try append(part.elements)
        part.removeAll()
      }
    }
    guard let firstRow, firstRow < piece.end else {
      guard piece.isAtEnd else { throw DoclistCorruption.badNumber }
      return
    }
    guard missing == 0, firstRow == piece.position else { throw DoclistCorruption.badNumber }
    try doclist.readFirstOfLeaf(&piece)
    try readPoslist(&piece)
    try readRows(piece)
  }

  mutating func readRows(_ piece: ByteReader) throws {
    var piece = piece
    try beginPiece()
    while !piece.isAtEnd {
      try doclist.readNext(&piece)
      try readPoslist(&piece)
    }
  }

  /// Checks the limits once for each piece, because a piece has few postings.
  private mutating func beginPiece() throws {
    pieceCount &+= 1
    if isInterruptible, pieceCount % DoclistSink.checkedPieceCount == 0 { try LongCall.check() }
    if numbersTerms, memory.rows.count >= DoclistSink.maximumNumberedCount { throw FTS5FallbackRequired.tooLarge }
  }

  @inline(__always)
  private mutating func readPoslist(_ piece: inout ByteReader) throws {
    guard memory.positions.count < PostingsStorage.maximumPositionBytes else { throw FTS5FallbackRequired.tooLarge }
    let size = try piece.number(upTo: UInt64(UInt32.max)) >> 1
    if size <= piece.count {
      try append(piece.bytes(size))
    } else {
      missing = size - piece.count
      part.append(try piece.bytes(piece.count))
    }
  }

  @inline(__always)
  private mutating func append(_ poslist: UnsafeBufferPointer<UInt8>) throws(DoclistCorruption) {
    let frequencies = try counter.frequencies(poslist, &memory)
    memory.append(UInt32(truncatingIfNeeded: doclist.row), frequencies, poslist)
    if numbersTerms { ordinals.append(ordinal) }
  }
}

/// The reasons to run a query in FTS5 although the index is undamaged.
package enum FTS5FallbackRequired: PostingsUnavailable {
  /// The format of the tables or an option is unknown.
  case unknownFormat
  /// The document lengths are missing, damaged, or do not match the index.
  case noLengths
  /// A row does not fit into 32 bits.
  case largeRows
  /// A posting list is too large to be kept in memory.
  case tooLarge
  /// The transaction has changed the index, and FTS5 may not have flushed the changes.
  case unwritten
}

/// Calls `body`, which makes an index faster to read. An index of an unknown format and a damaged one are skipped: the next
/// search reports the damage.
///
/// If `body` throws one of these errors, the index must be as readable as before, because the transaction may be committed.
package func skippingUnreadableIndex(_ body: () throws -> Void) throws {
  do { try body() } catch is FTS5FallbackRequired {} catch is DoclistCorruption {}
}
