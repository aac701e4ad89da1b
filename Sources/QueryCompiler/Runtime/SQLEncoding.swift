import GRDBSQLite
import JSONText

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

  /// SQLITE_TRANSIENT, a macro with a cast that Swift does not import: SQLite copies the bytes.
  static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// An argument of an SQL function. It is valid during the call.
struct SQLArgument {
  let handle: OpaquePointer?

  var type: Int32 { sqlite3_value_type(handle) }

  /// The bytes of a text or blob. A number would be turned into text.
  var bytes: UnsafeRawBufferPointer {
    // The pointer must be asked for before the length.
    let start = sqlite3_value_blob(handle)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(handle)))
  }

  /// The value, which is encoded exactly.
  var value: QueryValue {
    switch type {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(handle))
    case SQLITE_FLOAT: .double(sqlite3_value_double(handle))
    case SQLITE_TEXT: .string(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB: QueryValue(jsonText: bytes)
    default: .missing
    }
  }
}

/// The result of an SQL function.
struct SQLResult {
  let context: OpaquePointer?

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
    case (.missing, _): sqlite3_result_null(context)
    case (.boolean(let boolean), .sortKey), (.boolean(let boolean), .condition):
      sqlite3_result_int(context, boolean ? 1 : 0)
    case (_, .condition), (.null, .sortKey): sqlite3_result_null(context)
    case (.null, _): set(word: "null")
    case (.boolean(let boolean), _): set(word: boolean ? "true" : "false")
    case (.integer(let number), _): sqlite3_result_int64(context, number)
    case (.double(let number), _):
      // SQLite would make NULL of NaN, which is MISSING.
      if number.isFinite { sqlite3_result_double(context, number) } else { set(.null, encoding) }
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
    case .string where slice.hasEscapes: set(escaped: slice.text)
    case .string: set(text: slice.text)
    case .number:
      switch slice.number {
      case .integer(let number): sqlite3_result_int64(context, number)
      case .double(let number): set(.double(number), encoding)
      }
    case .array where encoding == .exact, .object where encoding == .exact: set(blob: slice.text)
    default: set(QueryValue(slice), encoding)
    }
  }

  func set(_ error: any Error) {
    "\(error)".withBytes { bytes in
      sqlite3_result_error(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count))
    }
  }

  private func set(word: StaticString) {
    // Static memory: SQLite neither copies nor frees it.
    sqlite3_result_blob64(context, word.utf8Start, UInt64(word.utf8CodeUnitCount), nil)
  }

  private func set(text: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self) else {
      // A null pointer would make NULL of it, which is MISSING.
      sqlite3_result_text64(context, "", 0, SQLEncoding.transient, UInt8(SQLITE_UTF8))
      return
    }
    sqlite3_result_text64(context, start, UInt64(text.count), SQLEncoding.transient, UInt8(SQLITE_UTF8))
  }

  private func set(blob: UnsafeRawBufferPointer) {
    sqlite3_result_blob64(context, blob.baseAddress, UInt64(blob.count), SQLEncoding.transient)
  }

  /// Resolves the escapes into memory that SQLite takes over.
  private func set(escaped text: UnsafeRawBufferPointer) {
    guard let memory = sqlite3_malloc64(UInt64(max(text.count, 1))) else {
      sqlite3_result_error_nomem(context)
      return
    }
    let bytes = memory.assumingMemoryBound(to: UInt8.self)
    let count = JSONString.decode(text, into: bytes)
    sqlite3_result_text64(
      context, memory.assumingMemoryBound(to: CChar.self), UInt64(count), sqlite3_free, UInt8(SQLITE_UTF8))
  }
}
