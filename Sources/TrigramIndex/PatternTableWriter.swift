import GRDB
import SQLiteAccess
import TextIndex

/// Writes the tables of a pattern index in a file, see ``PatternIndexWriter``.
struct PatternTableWriter {
  private let index: StoredPatternIndex
  private let db: Database
  private let changes: ChangeBuffer<Chunk>
  private let chunkInsertion: SQLStatement
  private let chunkSelection: SQLStatement
  private let chunkRemoval: SQLStatement

  /// A chunk of a document.
  private struct Chunk: Sendable {
    let document: DocumentTrigrams
    let number: Int

    var range: Range<Int> { document.chunk(number) }

    func withBytes<T>(_ body: (_ trigrams: UnsafeRawBufferPointer) throws -> T) rethrows -> T {
      try document.bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
  }

  /// Creates a writer on the writing connection.
  ///
  /// - Parameters:
  ///   - smallestSegment: the minimum number of bytes of trigrams for writing changes as a segment of their own
  ///     instead of through FTS5.
  ///   - memory: the number of bytes of postings in memory after which a segment is written.
  /// - Throws: `TextIndexError` of kind `TextIndexErrorKind.outdated` if the index must be rebuilt first.
  init(
    _ index: StoredPatternIndex, smallestSegment: Int = 64 << 10, memory: Int = 256 << 20, _ db: Database
  ) throws {
    try index.requireCurrent()
    self.index = index
    self.db = db
    let table = index.table
    let insertion = try SQLStatement(cached: table.insertion, in: db)
    let removal = try SQLStatement(cached: table.removal, in: db)
    chunkInsertion = try SQLStatement(cached: table.chunkInsertion, in: db)
    chunkSelection = try SQLStatement(cached: table.chunkSelection, in: db)
    chunkRemoval = try SQLStatement(cached: table.chunkRemoval, in: db)
    changes = ChangeBuffer(
      table.appender, columnCount: 1, smallestSegment: smallestSegment, memory: memory,
      ChangeBuffer.Actions(
        insert: { try PatternTableWriter.run(insertion, $0, row: $1) },
        remove: { try PatternTableWriter.run(removal, $0, row: $1) },
        addTerms: { chunk, row, postings in chunk.withBytes { postings.add(trigrams: $0, row: row) } },
        removeTerms: { chunk, row, postings in chunk.withBytes { postings.remove(trigrams: $0, row: row) } },
        lengths: { [UInt32(truncatingIfNeeded: $0.range.count / DocumentTrigrams.trigramSize)] }), db)
  }

  /// Adds a document.
  func insert(_ document: DocumentTrigrams, rowID: Int64) throws {
    for number in document.ends.indices {
      chunkInsertion.bind(1, rowID)
      try chunkInsertion.run()
      let chunk = Chunk(document: document, number: number)
      try changes.insert(chunk, row: chunkInsertion.lastInsertedRowID, size: chunk.range.count)
    }
  }

  /// Removes a document, which must be the one that was inserted with this rowid.
  ///
  /// - Throws: `DatabaseError` of code `SQLITE_CORRUPT` if the index does not match the document.
  func remove(_ document: DocumentTrigrams, rowID: Int64) throws {
    let chunks = try self.chunks(ofRow: rowID)
    guard chunks.count == document.ends.count else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a pattern index does not match its documents; rebuild it")
    }
    guard !chunks.isEmpty else { return }
    for (number, row) in chunks.enumerated() {
      let chunk = Chunk(document: document, number: number)
      try changes.remove(chunk, row: row, size: chunk.range.count)
    }
    chunkRemoval.bind(1, rowID)
    try chunkRemoval.run()
  }

  /// Writes the buffered changes, unless the index was dropped in the same transaction.
  func flush() throws {
    guard !changes.isEmpty else { return }
    if try db.hasTable(index.tableName) { try changes.write() }
    changes.discard()
  }

  /// Discards the buffered changes at the end of the transaction.
  func discard() { changes.discard() }

  /// Returns the chunks of a row's document, ascending.
  func chunks(ofRow rowID: Int64) throws -> [Int64] {
    defer { chunkSelection.reset() }
    chunkSelection.bind(1, rowID)
    var chunks: [Int64] = []
    while try chunkSelection.step() { chunks.append(chunkSelection.row.int64(0)) }
    return chunks
  }

  private static func run(_ statement: SQLStatement, _ chunk: Chunk, row: Int64) throws {
    try chunk.withBytes { bytes in
      statement.bind(1, row)
      // The bytes remain valid until the statement is reset, so SQLite need not copy them.
      statement.bind(2, text: bytes)
      try statement.run()
    }
  }
}
