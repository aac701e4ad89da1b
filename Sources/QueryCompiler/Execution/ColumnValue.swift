import JSONText
public import SQLiteAccess

/// A value in a result row.
public enum ColumnValue: Sendable {
  case missing
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  /// An array or an object, as JSON text.
  case container([UInt8])
}

extension ColumnValue: Hashable {
  /// Returns whether two values are the same. Strings are compared by their bytes.
  public static func == (one: ColumnValue, other: ColumnValue) -> Bool {
    switch (one, other) {
    case (.missing, .missing), (.null, .null): true
    case (.boolean(let one), .boolean(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.double(let one), .double(let other)): one == other
    case (.string(let one), .string(let other)): ExactString(one) == ExactString(other)
    case (.container(let one), .container(let other)): one == other
    default: false
    }
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .missing: hasher.combine(0)
    case .null: hasher.combine(1)
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(ExactString(value))
    case .container(let value): hasher.combine(value)
    }
  }
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
