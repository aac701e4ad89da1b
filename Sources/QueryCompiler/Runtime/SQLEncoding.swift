import JSONText
import SQLiteAccess

/// The encodings of JSON values in SQLite: exact values, sort keys and conditions.
///
/// The **exact** encoding is lossless and is used for results and arguments:
///
/// | value | in SQLite |
/// |---|---|
/// | MISSING | NULL |
/// | integer, double, string | INTEGER, REAL, TEXT |
/// | null, true, false, arrays, objects | BLOB: their JSON text |
///
/// **Sort keys** are used for comparisons, GROUP BY, ORDER BY and indexes. SQLite's own operators and collations sort
/// and compare them by the rules of SQL++:
///
/// | value | in SQLite |
/// |---|---|
/// | MISSING, null | NULL |
/// | booleans | INTEGER 0, 1 |
/// | integer, double, string | INTEGER, REAL, TEXT |
/// | arrays, objects | BLOB: their canonical JSON text (``CanonicalJSON``), `[` sorts before `{` |
///
/// Values of queries are never binary data, so a blob is always JSON text.
enum SQLEncoding: Sendable {
  case exact
  case sortKey
  /// A Boolean as an SQL condition: 1 for true, 0 for false, NULL for any other value.
  case condition
}

extension SQLArgument {
  /// The value of an argument in the exact encoding.
  var value: QueryValue {
    switch type {
    case .integer: .integer(int64)
    case .double: .double(double)
    case .text: .string(string)
    case .blob: QueryValue(jsonText: bytes)
    case .null: .missing
    }
  }
}

extension SQLResult {
  /// Sets a value that a function has built.
  ///
  /// - Parameter function: the name of the function.
  func set(_ value: QueryValue, _ encoding: SQLEncoding, of function: String) {
    do {
      switch value {
      case .string, .array, .object: try ValueBudget.checkTotal(adding: ValueBudget.size(of: value), function)
      default: break
      }
      set(value, encoding)
    } catch {
      set(error)
    }
  }

  func set(_ value: QueryValue, _ encoding: SQLEncoding) {
    switch (value, encoding) {
    case (.missing, _): setNull()
    case (.boolean(let boolean), .sortKey), (.boolean(let boolean), .condition):
      set(boolean ? 1 : 0 as Int64)
    case (_, .condition), (.null, .sortKey): setNull()
    case (.null, _): set(constantBlob: "null")
    case (.boolean(let boolean), _): set(constantBlob: boolean ? "true" : "false")
    case (.integer(let number), _): set(number)
    case (.double(let number), _):
      // SQLite would convert NaN to NULL, which is MISSING.
      if number.isFinite { set(number) } else { set(.null, encoding) }
    case (.string(let string), _): string.withBytes { set(text: $0) }
    case (.array, .sortKey), (.object, .sortKey):
      CanonicalJSON.bytes(of: value.json ?? .null).withUnsafeBytes { set(blob: $0) }
    case (.array, _), (.object, _):
      var writer = JSONWriter()
      writer.write(value.json ?? .null)
      writer.bytes.withUnsafeBytes { set(blob: $0) }
    }
  }

  /// Sets a value of a document, without decoding it if its text is already in the encoding.
  func set(_ slice: JSONSlice, _ encoding: SQLEncoding) {
    switch slice.kind {
    case .string where slice.hasEscapes:
      setText(capacity: slice.text.count) { JSONString.decode(slice.text, into: $0) }
    case .string: set(text: slice.text)
    case .number:
      switch slice.number {
      case .integer(let number): set(number)
      case .double(let number): set(.double(number), encoding)
      }
    case .array where encoding == .exact, .object where encoding == .exact: set(blob: slice.text)
    default: set(QueryValue(slice), encoding)
    }
  }
}
