public import GRDB
import SQLiteAccess

/// Inserts and removes documents in a pattern index, in the transaction that changes the documents.
public struct PatternIndexWriter {
  private let insertion: SQLStatement
  private let removal: SQLStatement
  private let chunkInsertion: SQLStatement
  private let chunkSelection: SQLStatement
  private let chunkRemoval: SQLStatement

  /// Creates a writer on the writing connection.
  ///
  /// - Throws: `TextIndexError` of kind `TextIndexErrorKind.outdated` if the index must be rebuilt first.
  public init(_ index: StoredPatternIndex, _ db: Database) throws {
    try index.requireCurrent()
    let table = index.table
    insertion = try SQLStatement(cached: table.insertion, in: db)
    removal = try SQLStatement(cached: table.removal, in: db)
    chunkInsertion = try SQLStatement(cached: table.chunkInsertion, in: db)
    chunkSelection = try SQLStatement(cached: table.chunkSelection, in: db)
    chunkRemoval = try SQLStatement(cached: table.chunkRemoval, in: db)
  }

  /// Adds a document.
  public func insert(_ document: DocumentTrigrams, rowID: Int64) throws {
    for number in document.ends.indices {
      chunkInsertion.bind(1, rowID)
      try chunkInsertion.run()
      try run(insertion, document, number, chunk: chunkInsertion.lastInsertedRowID)
    }
  }

  /// Removes a document. It must be the document that was added with this row.
  ///
  /// - Throws: `DatabaseError` of code `SQLITE_CORRUPT` if the index does not match the document.
  public func remove(_ document: DocumentTrigrams, rowID: Int64) throws {
    let chunks = try self.chunks(ofRow: rowID)
    guard chunks.count == document.ends.count else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a pattern index does not match its documents; rebuild it")
    }
    for (number, chunk) in chunks.enumerated() { try run(removal, document, number, chunk: chunk) }
    guard !chunks.isEmpty else { return }
    chunkRemoval.bind(1, rowID)
    try chunkRemoval.run()
  }

  /// Returns the chunks of a row's document, ascending.
  func chunks(ofRow rowID: Int64) throws -> [Int64] {
    defer { chunkSelection.reset() }
    chunkSelection.bind(1, rowID)
    var chunks: [Int64] = []
    while try chunkSelection.step() { chunks.append(chunkSelection.row.int64(0)) }
    return chunks
  }

  private func run(_ statement: SQLStatement, _ document: DocumentTrigrams, _ number: Int, chunk: Int64) throws {
    try document.bytes.withUnsafeBytes { bytes in
      statement.bind(1, chunk)
      // The bytes remain valid until the statement is reset, so SQLite need not copy them.
      statement.bind(2, text: UnsafeRawBufferPointer(rebasing: bytes[document.chunk(number)]))
      try statement.run()
    }
  }
}
