import JSONText
public import SQLiteAccess

/// A value in a result row.
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
  /// Reads a column of the current row; the column must use the exact encoding.
  public init(_ row: StatementRow, _ column: Int32) {
    switch row.type(column) {
    case .integer: self = .integer(row.int64(column))
    case .double: self = .double(row.double(column))
    case .text: self = .string(row.string(column))
    case .blob: self = row.bytes(column).map { ColumnValue(jsonText: $0) } ?? .null
    case .null: self = .missing
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
