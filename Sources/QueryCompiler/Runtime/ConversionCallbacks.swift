import GRDBSQLite

/// Conversions between the ways in which values travel (``SQLEncoding``).
enum ConversionCallbacks {
  typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

  /// `concordance_sort(value)`: the sort key of an exact value.
  static func sortKey(_ context: OpaquePointer?, _ arguments: Arguments?) {
    guard let arguments else { return }
    let argument = SQLArgument(handle: arguments[0])
    // Only blobs differ.
    if argument.type == SQLITE_BLOB {
      SQLResult(context: context).set(argument.value, .sortKey)
    } else {
      sqlite3_result_value(context, arguments[0])
    }
  }

  /// `concordance_group(value)`: the exact value in the one form that equal values share, for GROUP BY and DISTINCT: arrays and
  /// objects in canonical JSON.
  static func group(_ context: OpaquePointer?, _ arguments: Arguments?) {
    guard let arguments else { return }
    let argument = SQLArgument(handle: arguments[0])
    guard argument.type == SQLITE_BLOB else { return sqlite3_result_value(context, arguments[0]) }
    switch argument.value {
    case .array, .object: SQLResult(context: context).set(argument.value, .sortKey)
    default: sqlite3_result_value(context, arguments[0])
    }
  }

  /// `concordance_count(value)`: a number of rows, for LIMIT and OFFSET: nothing negative, and an error for what is no number.
  static func count(_ context: OpaquePointer?, _ arguments: Arguments?) {
    guard let arguments else { return }
    let value = SQLArgument(handle: arguments[0]).value
    let result = SQLResult(context: context)
    guard let count = value.integer else { return result.set(QueryRuntimeError.notACount(value)) }
    result.set(.integer(max(0, count)), .exact)
  }

  /// `concordance_text(value)`: a string as it is, NULL for anything else. SQLite would turn a number into text where it is
  /// compared with a column of texts, such as the ids of documents.
  static func text(_ context: OpaquePointer?, _ arguments: Arguments?) {
    guard let arguments, SQLArgument(handle: arguments[0]).type == SQLITE_TEXT else {
      return sqlite3_result_null(context)
    }
    sqlite3_result_value(context, arguments[0])
  }

  /// `concordance_truth(value)`: whether an exact value counts as true where a condition is asked for: 1 or 0, NULL for
  /// MISSING and for null, so that NOT of it is not true either.
  static func truth(_ context: OpaquePointer?, _ arguments: Arguments?) {
    guard let arguments else { return }
    let value = SQLArgument(handle: arguments[0]).value
    let result = SQLResult(context: context)
    result.set(value.isValued ? value.isTrue.map { .boolean($0) } ?? .missing : .missing, .condition)
  }

  /// `concordance_boolean(condition)`: the exact boolean for a condition of SQL: true, false, or MISSING for NULL.
  static func boolean(_ context: OpaquePointer?, _ arguments: Arguments?) {
    guard let arguments else { return }
    let argument = SQLArgument(handle: arguments[0])
    let result = SQLResult(context: context)
    guard argument.type != SQLITE_NULL else { return result.set(.missing, .exact) }
    result.set(.boolean(sqlite3_value_double(argument.handle) != 0), .exact)
  }
}
