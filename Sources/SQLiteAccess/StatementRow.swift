public import GRDBSQLite

/// The columns of a statement's current row, numbered from 0.
public struct StatementRow {
  @usableFromInline let handle: OpaquePointer

  @inlinable
  init(handle: OpaquePointer) { self.handle = handle }

  /// The integer in a column; 0 for NULL.
  @inlinable
  public func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The number in a column; 0 for NULL.
  @inlinable
  public func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// The type of the value in a column.
  @inlinable
  public func type(_ column: Int32) -> SQLType { SQLType(sqlite3_column_type(handle, column)) }

  /// Whether a column is NULL.
  @inlinable
  public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The bytes of a text or blob value, valid until the next step or reset; nil for NULL.
  @inlinable
  public func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard !isNull(column) else { return nil }
    // SQLite may convert the value when it returns the pointer, so the length is read after it.
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  /// The bytes of a text or blob value, valid until the next step or reset; empty for NULL.
  @inlinable
  public func blob(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_blob(handle, column)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  /// The string in a column; empty for NULL.
  @inlinable
  public func string(_ column: Int32) -> String {
    bytes(column).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// The type of a value in SQLite.
public enum SQLType: Sendable {
  case null, integer, double, text, blob

  /// Creates a type from SQLite's type code.
  @inlinable
  init(_ code: Int32) {
    switch code {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .double
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}
