public import GRDB
import GRDBSQLite

/// Puts documents into the tables of a pattern index and takes them out, within the transaction that changes them.
public struct PatternIndexWriter {
  private let insertion: Statement
  private let removal: Statement
  private let partInsertion: Statement
  private let partSelection: Statement
  private let partRemoval: Statement
  private let connection: OpaquePointer?

  /// A writer on the writing connection.
  ///
  /// - Throws: `TextIndexError` of kind `TextIndexError.Kind.outdated` where the index must be rebuilt first.
  public init(_ index: StoredPatternIndex, _ db: Database) throws {
    try index.requireCurrent()
    let table = index.table
    insertion = try db.cachedStatement(sql: table.insertion)
    removal = try db.cachedStatement(sql: table.removal)
    partInsertion = try db.cachedStatement(sql: table.partInsertion)
    partSelection = try db.cachedStatement(sql: table.partSelection)
    partRemoval = try db.cachedStatement(sql: table.partRemoval)
    connection = db.sqliteConnection
  }

  /// Adds a document.
  public func insert(_ document: DocumentTrigrams, rowID: Int64) throws {
    for number in document.ends.indices {
      sqlite3_bind_int64(partInsertion.sqliteStatement, 1, rowID)
      try run(partInsertion.sqliteStatement)
      try run(insertion.sqliteStatement, document, number, part: sqlite3_last_insert_rowid(connection))
    }
  }

  /// Takes a document out. It must be the one that was added under this row.
  ///
  /// - Throws: `DatabaseError` of code `SQLITE_CORRUPT` where the index holds something else.
  public func remove(_ document: DocumentTrigrams, rowID: Int64) throws {
    let parts = try self.parts(ofRow: rowID)
    guard parts.count == document.ends.count else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a pattern index does not hold what a document had; rebuild the index")
    }
    for (number, part) in parts.enumerated() { try run(removal.sqliteStatement, document, number, part: part) }
    guard !parts.isEmpty else { return }
    sqlite3_bind_int64(partRemoval.sqliteStatement, 1, rowID)
    try run(partRemoval.sqliteStatement)
  }

  /// The parts of the document in a row, in their order.
  func parts(ofRow rowID: Int64) throws -> [Int64] {
    let statement = partSelection.sqliteStatement
    defer { sqlite3_reset(statement) }
    sqlite3_bind_int64(statement, 1, rowID)
    var parts: [Int64] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: parts.append(sqlite3_column_int64(statement, 0))
      case SQLITE_DONE: return parts
      default: throw failure()
      }
    }
  }

  private func run(_ statement: OpaquePointer, _ document: DocumentTrigrams, _ number: Int, part: Int64) throws {
    try document.bytes.withUnsafeBytes { bytes in
      let trigrams = UnsafeRawBufferPointer(rebasing: bytes[document.part(number)])
      sqlite3_bind_int64(statement, 1, part)
      // The bytes stay where they are until the statement is reset, so SQLite need not copy them.
      sqlite3_bind_text64(
        statement, 2, trigrams.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(trigrams.count), nil, UInt8(SQLITE_UTF8))
      try run(statement)
    }
  }

  private func run(_ statement: OpaquePointer) throws {
    let code = sqlite3_step(statement)
    let failure = code == SQLITE_DONE ? nil : failure()
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    if let failure { throw failure }
  }

  private func failure() -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: String(cString: sqlite3_errmsg(connection)))
  }
}
