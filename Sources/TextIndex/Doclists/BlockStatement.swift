package import GRDB
import GRDBSQLite

/// A statement of the connection's cache, read by pointers.
package final class BlockStatement {
  private let owner: Statement
  private let handle: OpaquePointer
  private let connection: OpaquePointer?

  package init(_ sql: String, _ db: Database) throws {
    owner = try db.cachedStatement(sql: sql)
    handle = owner.sqliteStatement
    connection = db.sqliteConnection
  }

  package func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  /// Binds bytes that stay where they are until the statement is reset.
  package func bind(_ index: Int32, blob: UnsafeRawBufferPointer) {
    sqlite3_bind_blob64(handle, index, blob.baseAddress, UInt64(blob.count), nil)
  }

  /// Binds UTF-8, or what takes its place, that stays where it is until the statement is reset.
  package func bind(_ index: Int32, text: UnsafeRawBufferPointer) {
    let characters = text.baseAddress?.assumingMemoryBound(to: CChar.self)
    sqlite3_bind_text64(handle, index, characters, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
  }

  package func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    defer { sqlite3_reset(handle) }
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
        message: String(cString: sqlite3_errmsg(connection)))
    }
    return false
  }

  package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The bytes in a column, valid until the next step.
  package func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_blob(handle, column)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  package func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}
