import JSONText
import SQLiteAccess

/// How a value of JSON travels through SQLite. There are two ways.
///
/// **Exact** is for results and arguments; nothing is lost:
///
/// | value | in SQLite |
/// |---|---|
/// | MISSING | NULL |
/// | integer, double, string | INTEGER, REAL, TEXT |
/// | null, true, false, arrays, objects | BLOB: their JSON text |
///
/// **Sort keys** are for comparisons, GROUP BY, ORDER BY and indexes. SQLite orders and compares them as a query should,
/// with its own operators and any collation:
///
/// | value | in SQLite |
/// |---|---|
/// | MISSING, null | NULL |
/// | booleans | INTEGER 0, 1 |
/// | integer, double, string | INTEGER, REAL, TEXT |
/// | arrays, objects | BLOB: their canonical JSON text (``CanonicalJSON``), `[` in front of `{` |
///
/// Documents hold JSON text, so a blob in SQLite cannot mean anything else.
enum SQLEncoding: Sendable {
  case exact
  case sortKey
  /// 1 for true, 0 for false, NULL for anything else: a boolean where SQL wants a condition.
  case condition
}

extension SQLArgument {
  /// The value, which is encoded exactly.
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
  /// - Parameter function: its name.
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
      // SQLite would make NULL of NaN, which is MISSING.
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

  /// Sets a value of a document, without a detour where its text is what SQLite wants.
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

  func set(_ error: any Error) { set(errorMessage: "\(error)") }
}
