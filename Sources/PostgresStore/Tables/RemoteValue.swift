import PostgresAccess
import SQLiteAccess

/// A value of SQLite in memory.
enum RemoteValue: Hashable {
  case null
  case integer(Int64)
  case double(Double)
  case text([UInt8])
  case blob([UInt8])

  /// Copies an argument.
  init(_ argument: SQLArgument) {
    switch argument.type {
    case .null: self = .null
    case .integer: self = .integer(argument.int64)
    case .double: self = .double(argument.double)
    case .text: self = .text(Array(argument.bytes))
    case .blob: self = .blob(Array(argument.bytes))
    }
  }

  /// Sets the value of a column.
  func set(_ result: SQLResult) {
    switch self {
    case .null: result.setNull()
    case .integer(let number): result.set(number)
    case .double(let number): result.set(number)
    case .text(let bytes): bytes.withUnsafeBytes { result.set(text: $0) }
    case .blob(let bytes): bytes.withUnsafeBytes { result.set(blob: $0) }
    }
  }

  var int64: Int64? { if case .integer(let number) = self { number } else { nil } }

  var string: String? { if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }
}

/// The type of a column in PostgreSQL.
enum ColumnKind: Hashable {
  /// `int8`
  case integer
  /// `text`
  case text
  /// `bytea`
  case bytes
  /// `bytea` with any value of SQLite: a byte for its type, and the value.
  case any
  /// `bytea` with the sort key of any value, whose beginning is indexed, see ``ValueTable``.
  case sortable(prefix: Int, number: Int)

  /// The type in the declaration for SQLite.
  var declaration: String {
    switch self {
    case .integer: "INTEGER"
    case .text: "TEXT"
    case .bytes: "BLOB"
    case .any, .sortable: ""
    }
  }

  /// Returns the value of a field of a result.
  func value(_ result: PostgresResult, _ row: Int, _ column: Int) -> RemoteValue {
    guard !result.isNull(row, column) else { return .null }
    switch self {
    case .integer: return .integer(result.int64(row, column))
    case .text: return .text(result.byteArray(row, column))
    case .bytes: return .blob(result.byteArray(row, column))
    case .any: return TaggedValue.decode(result.bytes(row, column))
    case .sortable: return SortableValue.decode(result.bytes(row, column))
    }
  }

  /// Sets a column to a field of a result, without a copy in between.
  func set(_ sqlResult: SQLResult, _ result: PostgresResult, _ row: Int, _ column: Int) {
    guard !result.isNull(row, column) else { return sqlResult.setNull() }
    switch self {
    case .integer: sqlResult.set(result.int64(row, column))
    case .text: sqlResult.set(text: result.bytes(row, column))
    case .bytes: sqlResult.set(blob: result.bytes(row, column))
    case .any: TaggedValue.decode(result.bytes(row, column)).set(sqlResult)
    case .sortable: SortableValue.decode(result.bytes(row, column)).set(sqlResult)
    }
  }

  /// Returns the parameter for a value; nil if no value of the column can be equal to it, such as text with U+0000,
  /// which PostgreSQL refuses.
  func parameter(_ value: RemoteValue) -> PostgresValue? {
    switch (self, value) {
    case (.any, _): .bytes(TaggedValue.encode(value))
    case (.sortable(let length, _), _): .bytes(Array(SortableValue.encode(value).prefix(length)))
    case (_, .null): .null
    case (.integer, .integer(let number)): .int64(number)
    case (.integer, .double(let number)): Int64(exactly: number).map { .int64($0) }
    case (.text, .text(let bytes)): bytes.contains(0) ? nil : .text(String(decoding: bytes, as: UTF8.self))
    case (.bytes, .blob(let bytes)): .bytes(bytes)
    default: nil
    }
  }
}

/// Values of SQLite as bytes.
enum TaggedValue {
  private enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let double: UInt8 = 2
    static let text: UInt8 = 3
    static let blob: UInt8 = 4
  }

  static func encode(_ value: RemoteValue) -> [UInt8] {
    switch value {
    case .null: [Tag.null]
    case .integer(let number): [Tag.integer] + withUnsafeBytes(of: number.bigEndian) { Array($0) }
    case .double(let number): [Tag.double] + withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }
    case .text(let bytes): [Tag.text] + bytes
    case .blob(let bytes): [Tag.blob] + bytes
    }
  }

  /// Returns NULL for bytes that ``encode(_:)`` does not return.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> RemoteValue {
    guard let tag = bytes.first else { return .null }
    let value = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    switch tag {
    case Tag.integer where value.count == 8: return .integer(Int64(bigEndian: value.loadUnaligned(as: Int64.self)))
    case Tag.double where value.count == 8:
      return .double(Double(bitPattern: UInt64(bigEndian: value.loadUnaligned(as: UInt64.self))))
    case Tag.text: return .text(Array(value))
    case Tag.blob: return .blob(Array(value))
    default: return .null
    }
  }
}
