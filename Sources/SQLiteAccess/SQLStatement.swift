public import GRDB
public import GRDBSQLite

/// A prepared statement that binds and reads text by length.
///
/// GRDB binds and reads text as C strings, which end at U+0000, and copies each value. A statement of this type binds
/// bytes without a copy and returns views of SQLite's memory.
///
/// ```swift
/// let statement = try SQLStatement(cached: "SELECT body FROM documents WHERE id = ?", in: db)
/// defer { statement.reset() }
/// let body = try statement.withText(1, id) { try statement.step() ? Array(statement.row.blob(0)) : nil }
/// ```
///
/// A cached statement must be stepped to its end or reset with ``reset()`` before other code requests the same SQL.
/// Methods that run once per row are inlinable, so that a loop in another module calls SQLite directly.
public final class SQLStatement {
  @usableFromInline let handle: OpaquePointer
  /// The GRDB statement that owns the handle; nil if this object owns it.
  private let owner: Statement?
  /// Keeps the connection open while the statement exists.
  private let connection: DirectConnection?

  /// Takes the statement with this SQL from the connection's cache.
  public init(cached sql: String, in db: Database) throws {
    let statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
    owner = statement
    connection = nil
  }

  /// Prepares a statement, and caches it if its SQL is likely to be run again.
  public convenience init(sql: String, cached: Bool, in db: Database) throws {
    if cached { try self.init(cached: sql, in: db) } else { try self.init(sql: sql, in: db) }
  }

  /// Prepares an uncached statement, for loops whose body may run the same SQL.
  public init(sql: String, in db: Database) throws {
    let statement = try db.makeStatement(sql: sql)
    handle = statement.sqliteStatement
    owner = statement
    connection = nil
  }

  /// Prepares a statement on a connection that GRDB does not manage.
  ///
  /// - Throws: `DatabaseError` if SQLite cannot compile the SQL, or if it contains no statement.
  public init(_ sql: String, on connection: DirectConnection) throws {
    var handle: OpaquePointer?
    // SQLite sets the handle to null if it fails, so there is nothing to finalize.
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK else { throw DatabaseError(lastOf: connection.handle, sql: sql) }
    guard let handle else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "no statement", sql: sql) }
    self.handle = handle
    owner = nil
    self.connection = connection
  }

  deinit {
    if owner == nil { sqlite3_finalize(handle) }
  }

  /// Advances to the next row.
  ///
  /// - Returns: whether there is a row. If not, the statement is reset.
  /// - Throws: `DatabaseError` with SQLite's extended code, its message and the SQL; the statement is reset.
  @inlinable
  public func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code != SQLITE_DONE { throw failure() }
    sqlite3_reset(handle)
    return false
  }

  /// Runs a statement to its end. Rows that it returns are skipped.
  @inlinable
  public func run() throws {
    while try step() {}
  }

  /// Resets the statement so that it can run again. Parameters stay bound.
  @inlinable
  public func reset() { sqlite3_reset(handle) }

  /// Resets the statement and releases its bound values.
  public func clear() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// The current row, valid until the next step or reset.
  @inlinable
  public var row: StatementRow { StatementRow(handle: handle) }

  /// The number of times that SQLite has compiled the statement again because the schema had changed.
  public var recompilationCount: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)) }

  /// The number of rows changed by the connection's last statement.
  public var changesCount: Int { Int(sqlite3_changes(sqlite3_db_handle(handle))) }

  /// The rowid of the connection's last insert.
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(sqlite3_db_handle(handle)) }

  /// The SQL.
  public var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  /// The error of the last step. Resets the statement.
  @usableFromInline
  func failure() -> DatabaseError {
    // The error must be read before the reset, which keeps the code but may discard the message.
    let error = DatabaseError(lastOf: sqlite3_db_handle(handle), sql: sql)
    sqlite3_reset(handle)
    return error
  }
}

extension String {
  /// Returns rows of parameters for `VALUES`: `(?, ?), (?, ?)`.
  public static func sqlRows(_ count: Int, columnCount: Int) -> String {
    let row = "(" + Array(repeating: "?", count: columnCount).joined(separator: ", ") + ")"
    return Array(repeating: row, count: count).joined(separator: ", ")
  }

  /// The string as a double-quoted SQL identifier; quotation marks in it are doubled.
  public var sqlIdentifier: String {
    guard utf8.contains(UInt8(ascii: "\"")) else { return "\"\(self)\"" }
    // Scalars are compared, because a quotation mark with a combining accent is a different character.
    let parts = unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map(String.init).joined(separator: "\"\"") + "\""
  }
}
