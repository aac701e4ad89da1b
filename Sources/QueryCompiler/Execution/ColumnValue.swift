public import DocumentStore
import GRDBSQLite
import JSONText

/// A value in a row of a result.
public enum ColumnValue: Hashable, Sendable {
  case missing
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  /// An array or an object, as JSON text.
  case container([UInt8])
}

extension ColumnValue {
  /// Reads a column of the current row, which is encoded exactly.
  public init(_ row: ResultRow, _ column: Int32) {
    switch row.type(column) {
    case SQLITE_INTEGER: self = .integer(row.int64(column))
    case SQLITE_FLOAT: self = .double(row.double(column))
    case SQLITE_TEXT: self = .string(row.string(column))
    case SQLITE_BLOB: self = row.bytes(column).map { ColumnValue(jsonText: $0) } ?? .null
    default: self = .missing
    }
  }

  /// The type of a column of SQLite.
  enum StorageKind { case null, integer, double, text, blob }

  /// The type of a column of the current row.
  static func kind(of row: ResultRow, _ column: Int32) -> StorageKind {
    switch row.type(column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .double
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  private init(jsonText text: UnsafeRawBufferPointer) {
    switch text.first {
    case UInt8(ascii: "t"): self = .boolean(true)
    case UInt8(ascii: "f"): self = .boolean(false)
    case UInt8(ascii: "["), UInt8(ascii: "{"): self = .container(Array(text))
    default: self = .null
    }
  }
}
