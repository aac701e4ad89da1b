import SQLiteAccess

/// Functions that convert between the encodings of values (``SQLEncoding``).
enum ConversionCallbacks {
  /// `concordance_sort(value)`: the sort key of an exact value.
  static func sortKey(_ arguments: SQLArguments, _ result: SQLResult) {
    let argument = arguments[0]
    // Only blobs differ between the encodings.
    if argument.type == .blob {
      result.set(argument.value, .sortKey)
    } else {
      result.set(arguments[0])
    }
  }

  /// `concordance_group(value)`: the exact value in an encoding that is identical for equal values, for GROUP BY and
  /// DISTINCT. Arrays and objects become canonical JSON. Unlike `=`, it distinguishes TRUE from 1.
  static func group(_ arguments: SQLArguments, _ result: SQLResult) {
    let argument = arguments[0]
    guard argument.type == .blob else { return result.set(arguments[0]) }
    switch argument.value {
    case .array, .object: result.set(argument.value, .sortKey)
    default: result.set(arguments[0])
    }
  }

  /// `concordance_count(value)`: a number of rows for LIMIT and OFFSET. Negative numbers become 0, and numbers that are
  /// too large become the largest integer; a value that is not a number is an error.
  static func count(_ arguments: SQLArguments, _ result: SQLResult) {
    let value = arguments[0].value
    guard let number = value.number else { return result.set(QueryRuntimeError.notACount(value)) }
    result.set(.integer(max(0, value.integer ?? (number > 0 ? .max : 0))), .exact)
  }

  /// `concordance_text(value)`: a string unchanged, or NULL for any other value. SQLite would convert a number to text
  /// when it is compared with a text column, such as the ids of documents.
  static func text(_ arguments: SQLArguments, _ result: SQLResult) {
    guard arguments[0].type == .text else {
      return result.setNull()
    }
    result.set(arguments[0])
  }

  /// `concordance_truth(value)`: an exact value as a condition: 1 or 0, or NULL for MISSING and null, so that NOT of it
  /// is not true either.
  static func truth(_ arguments: SQLArguments, _ result: SQLResult) {
    let value = arguments[0].value
    result.set(value.isValued ? value.isTrue.map { .boolean($0) } ?? .missing : .missing, .condition)
  }

  /// `concordance_boolean(condition)`: a condition as an exact value: true, false, or MISSING for NULL.
  static func boolean(_ arguments: SQLArguments, _ result: SQLResult) {
    let argument = arguments[0]
    guard argument.type != .null else { return result.set(.missing, .exact) }
    result.set(.boolean(argument.double != 0), .exact)
  }
}
