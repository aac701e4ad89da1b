public import GRDB
import GRDBSQLite

/// Puts documents into the table of a pattern index and takes them out, within the transaction that changes them.
public struct PatternIndexWriter {
  private let insertion: Statement
  private let removal: Statement
  private let connection: OpaquePointer?

  /// A writer on the writing connection.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexError/Kind/outdated`` where the index must be rebuilt first.
  public init(_ index: PatternIndex, _ db: Database) throws {
    try index.requireCurrent()
    insertion = try db.cachedStatement(sql: index.table.insertion)
    removal = try db.cachedStatement(sql: index.table.removal)
    connection = db.sqliteConnection
  }

  /// Adds a document.
  public func insert(_ document: DocumentTrigrams, rowID: Int64) throws {
    try run(insertion.sqliteStatement, document, rowID)
  }

  /// Takes a document out. It must be the one that was added under this row.
  public func remove(_ document: DocumentTrigrams, rowID: Int64) throws {
    try run(removal.sqliteStatement, document, rowID)
  }

  private func run(_ statement: OpaquePointer, _ document: DocumentTrigrams, _ rowID: Int64) throws {
    try document.bytes.withUnsafeBytes { bytes in
      // A document without any trigram has no row.
      guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
      sqlite3_bind_int64(statement, 1, rowID)
      // The bytes stay where they are until the statement is reset, so SQLite need not copy them.
      sqlite3_bind_text64(
        statement, 2, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
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
