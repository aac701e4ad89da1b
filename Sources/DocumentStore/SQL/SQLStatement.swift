public import GRDB
import GRDBSQLite

/// A prepared statement whose texts are bound and read by length.
///
/// GRDB binds and reads text as C strings, which end at U+0000, and copies each value. Code that runs once per document
/// uses this type instead: bytes are bound without a copy and read as a view of SQLite's memory.
///
/// A cached statement must be stepped to its end or ``reset()`` before other code requests the same SQL.
public struct SQLStatement {
  // Keeps the handle alive, and in GRDB's cache.
  private let owner: Statement
  private let connection: OpaquePointer?

  private var handle: OpaquePointer { owner.sqliteStatement }

  /// Returns the statement with this SQL from the connection's cache.
  public init(cached sql: String, in db: Database) throws {
    owner = try db.cachedStatement(sql: sql)
    connection = db.sqliteConnection
  }

  /// Prepares a new statement, for loops in whose body the same SQL may run again.
  public init(sql: String, in db: Database) throws {
    owner = try db.makeStatement(sql: sql)
    connection = db.sqliteConnection
  }

  /// Binds bytes as text. They must stay valid until the statement is reset.
  public func bind(_ index: Int32, text: UnsafeRawBufferPointer) { handle.bindText(index, text) }

  /// Binds bytes as a blob. They must stay valid until the statement is reset.
  public func bind(_ index: Int32, blob: UnsafeRawBufferPointer) {
    sqlite3_bind_blob64(handle, index, blob.baseAddress, UInt64(blob.count), nil)
  }

  /// Binds bytes as text or as a blob. SQLite copies them.
  public func bind(_ index: Int32, copying bytes: [UInt8], asText: Bool) {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else {
        if asText { handle.bindText(index, buffer) } else { sqlite3_bind_zeroblob(handle, index, 0) }
        return
      }
      if asText {
        sqlite3_bind_text64(
          handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), transientDestructor,
          UInt8(SQLITE_UTF8))
      } else {
        sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), transientDestructor)
      }
    }
  }

  /// Binds an object as a typed pointer, which only our functions and tables can read: SQL sees NULL. The object is
  /// retained until another value is bound.
  ///
  /// See <https://www.sqlite.org/bindptr.html>.
  public func bind(_ index: Int32, object: AnyObject, type: StaticString) {
    let name = UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self)
    sqlite3_bind_pointer(handle, index, Unmanaged.passRetained(object).toOpaque(), name) { pointer in
      if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
    }
  }

  /// Binds a number.
  public func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

  /// Binds NULL.
  public func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  /// Binds an integer.
  public func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  /// Binds an integer or NULL.
  public func bind(_ index: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }

  /// Binds a string, calls `body`, and unbinds it.
  public func withText<T>(_ index: Int32, _ string: String, _ body: () throws -> T) rethrows -> T {
    var string = string
    return try string.withUTF8 { bytes in
      bind(index, text: UnsafeRawBufferPointer(bytes))
      defer { sqlite3_bind_null(handle, index) }
      return try body()
    }
  }

  /// Steps to the next row.
  ///
  /// - Returns: Whether there is one. If not, the statement is reset.
  /// - Throws: `DatabaseError` with SQLite's code and message; the statement is reset.
  public func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(handle)
      return false
    default:
      let code = ResultCode(rawValue: sqlite3_extended_errcode(connection))
      let message = String(cString: sqlite3_errmsg(connection))
      sqlite3_reset(handle)
      throw DatabaseError(resultCode: code, message: message, sql: owner.sql)
    }
  }

  /// Runs a statement that returns no rows.
  public func run() throws {
    while try step() {}
  }

  /// The number of rows that the connection's last change affected.
  public var changesCount: Int { Int(sqlite3_changes(connection)) }

  /// The row id of the connection's last insert.
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(connection) }

  /// Ends the statement before its last row, so that it can run again.
  public func reset() { sqlite3_reset(handle) }

  /// The current row, valid until the next step or reset.
  public var row: ResultRow { ResultRow(handle: handle) }
}

/// The columns of a statement's current row.
public struct ResultRow {
  let handle: OpaquePointer

  /// Returns the integer in a column; 0 for NULL.
  public func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Returns the number in a column; 0 for NULL.
  public func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// Returns the type of a column: SQLITE_NULL, SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT or SQLITE_BLOB.
  public func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

  /// Returns whether a column is NULL.
  public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Returns the bytes of a text or blob, valid as long as the row; nil for NULL.
  public func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard !isNull(column) else { return nil }
    // The text must be read before its length, because reading it may convert it.
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Returns the string in a column; empty for NULL.
  public func string(_ column: Int32) -> String {
    bytes(column).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension OpaquePointer {
  /// Binds bytes as a text of a prepared statement, without a copy.
  func bindText(_ index: Int32, _ text: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress else {
      // A null pointer would bind NULL; an empty text must stay a text.
      sqlite3_bind_text64(self, index, "", 0, transientDestructor, UInt8(SQLITE_UTF8))
      return
    }
    sqlite3_bind_text64(
      self, index, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil, UInt8(SQLITE_UTF8))
  }
}

/// SQLITE_TRANSIENT, a macro with a cast that Swift does not import: SQLite copies the bytes.
private let transientDestructor = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension String {
  /// The string as an SQL identifier in double quotes, with quotes inside it doubled.
  public var sqlIdentifier: String {
    // Splits by scalar: a quotation mark with a combining accent is one `Character`, which is not equal to the mark.
    let parts = unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map(String.init).joined(separator: "\"\"") + "\""
  }
}
