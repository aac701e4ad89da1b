public import GRDB
import GRDBSQLite

/// Puts documents into the table of an index and takes them out, within the transaction that changes them.
public struct FullTextWriter {
  private let insertion: Statement
  private let removal: Statement
  private let connection: OpaquePointer?

  /// A writer on the writing connection.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexError/Kind/outdated`` where the index must be rebuilt first.
  public init(_ index: InvertedIndex, _ db: Database) throws {
    try index.requireCurrent()
    insertion = try db.cachedStatement(sql: index.table.insertion)
    removal = try db.cachedStatement(sql: index.table.removal)
    connection = db.sqliteConnection
  }

  /// Adds a document.
  public func insert(_ document: AnalyzedDocument, rowID: Int64) throws {
    try run(insertion.sqliteStatement, document, rowID)
  }

  /// Takes a document out. It must be the one that was added under this row.
  public func remove(_ document: AnalyzedDocument, rowID: Int64) throws {
    try run(removal.sqliteStatement, document, rowID)
  }

  private func run(_ statement: OpaquePointer, _ document: AnalyzedDocument, _ rowID: Int64) throws {
    try document.stream.withUnsafeBytes { stream in
      sqlite3_bind_int64(statement, 1, rowID)
      for column in document.columnEnds.indices {
        let range = document.column(column)
        // The bytes stay where they are until the statement is reset, so SQLite need not copy them. A document without
        // any term has no bytes at all; its columns stay NULL, which FTS5 takes for empty.
        if let start = stream.baseAddress {
          sqlite3_bind_text64(
            statement, Int32(column) + 2, (start + range.lowerBound).assumingMemoryBound(to: CChar.self),
            UInt64(range.count), nil, UInt8(SQLITE_UTF8))
        }
      }
      let code = sqlite3_step(statement)
      let message = code == SQLITE_DONE ? nil : String(cString: sqlite3_errmsg(connection))
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
      if let message {
        throw DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)), message: message)
      }
    }
  }
}

extension InvertedIndex {
  /// Throws where the index was filled by another version of the analyzer.
  func requireCurrent() throws {
    guard isOutdated else { return }
    throw TextIndexError(
      .outdated,
      "the index \"\(name)\" was made with another version of the text analysis (\(analyzerVersion)); "
        + "rebuild it: `concord optimize --rebuild`")
  }
}
