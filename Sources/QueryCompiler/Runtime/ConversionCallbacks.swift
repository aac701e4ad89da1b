import SQLiteAccess

/// Conversions between the ways in which values travel (``SQLEncoding``).
enum ConversionCallbacks {
  /// `concordance_sort(value)`: the sort key of an exact value.
  static func sortKey(_ arguments: SQLArguments, _ result: SQLResult) {
    let argument = arguments[0]
    // Only blobs differ.
    if argument.type == .blob {
      result.set(argument.value, .sortKey)
    } else {
      result.set(arguments[0])
    }
  }

  /// `concordance_group(value)`: the exact value in the one form that equal values share, for GROUP BY and DISTINCT: arrays and
  /// objects in canonical JSON.
  static func group(_ arguments: SQLArguments, _ result: SQLResult) {
    let argument = arguments[0]
    guard argument.type == .blob else { return result.set(arguments[0]) }
    switch argument.value {
    case .array, .object: result.set(argument.value, .sortKey)
    default: result.set(arguments[0])
    }
  }

  /// `concordance_count(value)`: a number of rows, for LIMIT and OFFSET: nothing negative, and an error for what is no number.
  static func count(_ arguments: SQLArguments, _ result: SQLResult) {
    let value = arguments[0].value
    guard let count = value.integer else { return result.set(QueryRuntimeError.notACount(value)) }
    result.set(.integer(max(0, count)), .exact)
  }

  /// `concordance_text(value)`: a string as it is, NULL for anything else. SQLite would turn a number into text where it is
  /// compared with a column of texts, such as the ids of documents.
  static func text(_ arguments: SQLArguments, _ result: SQLResult) {
    guard arguments[0].type == .text else {
      return result.setNull()
    }
    result.set(arguments[0])
  }

  /// `concordance_truth(value)`: whether an exact value counts as true where a condition is asked for: 1 or 0, NULL for
  /// MISSING and for null, so that NOT of it is not true either.
  static func truth(_ arguments: SQLArguments, _ result: SQLResult) {
    let value = arguments[0].value
    result.set(value.isValued ? value.isTrue.map { .boolean($0) } ?? .missing : .missing, .condition)
  }

  /// `concordance_boolean(condition)`: the exact boolean for a condition of SQL: true, false, or MISSING for NULL.
  static func boolean(_ arguments: SQLArguments, _ result: SQLResult) {
    let argument = arguments[0]
    guard argument.type != .null else { return result.set(.missing, .exact) }
    result.set(.boolean(argument.double != 0), .exact)
  }
}
