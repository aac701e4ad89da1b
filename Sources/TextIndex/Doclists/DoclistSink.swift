/// Reads doclists piece by piece, as leaves contain them, and builds postings.
///
/// Deleted rows, whose poslist is empty, are taken as rows with no frequency: only a comparison with older segments can
/// tell what they mean.
struct DoclistSink: DoclistConsumer, ~Copyable {
  private(set) var memory: PostingsStorage
  /// The term of each posting, numbered as ``terms`` has them; only when several terms are read.
  private(set) var ordinals = GrowableBuffer<UInt32>()
  private(set) var terms: [[UInt8]: UInt32] = [:]

  private let counter: PoslistCounter
  private let numbersTerms: Bool
  private var ordinal: UInt32 = 0
  private var doclist = DoclistRows()
  /// The poslist that goes on on the next leaf, and how many bytes of it are missing.
  private var part = GrowableBuffer<UInt8>()
  private(set) var missing = 0

  private static let maximumPositionBytes = 2 << 30

  init(columnCount: Int, keepingPositions: Bool, numberingTerms: Bool) {
    memory = PostingsStorage(keepingPositions: keepingPositions)
    counter = PoslistCounter(columnCount: columnCount)
    numbersTerms = numberingTerms
  }

  /// The postings of all doclists that were taken, those of older segments before those of younger ones.
  consuming func finish() -> Postings {
    let columnCount = counter.columnCount
    return PostingsMerger(memory, ordinals: ordinals, columnCount: columnCount).finish()
  }

  /// What was taken as it is: delete markers included, and the rows of several segments not joined.
  consuming func finishUnjoined() -> Postings { Postings(memory) }

  /// Forgets the rows that were taken.
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
    while !piece.isAtEnd {
      try doclist.readNext(&piece)
      try readPoslist(&piece)
    }
  }

  @inline(__always)
  private mutating func readPoslist(_ piece: inout ByteReader) throws {
    // Offsets have 32 bits.
    guard memory.positions.count < Self.maximumPositionBytes else { throw FTS5FallbackRequired.tooLarge }
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

/// Why an index that is sound cannot be read here, so that FTS5 must be asked.
package enum FTS5FallbackRequired: Error {
  /// FTS5's format or an option is not known.
  case unknownFormat
  /// The lengths of documents are missing, damaged, or not those of the index.
  case noLengths
  /// A row does not fit into 32 bits.
  case largeRows
  /// An operand or a text is larger than is kept in memory.
  case tooLarge
  /// The transaction has changed the index, and FTS5 may not have written it yet.
  case unwritten
}
