import JSONText
public import SQLiteAccess

/// An error that stops a running query.
public typealias QueryRuntimeError = ModuleError<QueryRuntimeErrorKind>

/// The kinds of errors that stop a running query.
public enum QueryRuntimeErrorKind: ErrorKind {
  /// A function was called with too few or too many arguments.
  case wrongArgumentCount
  /// There is no collation with this name.
  case unknownCollation
  /// A result exceeds the size limit of values.
  case tooLarge
  /// LIMIT or OFFSET is not a number.
  case notACount
  /// A property path is malformed.
  case invalidPath
  /// A regular expression has no group with this number or name.
  case unknownGroup
  /// PREDICTION was called without the name of a model, or with an input that is not an object.
  case badPrediction
}

extension QueryRuntimeError {
  static func wrongArgumentCount(function: String, count: Int, allowed: ClosedRange<Int>) -> QueryRuntimeError {
    let expected =
      allowed.lowerBound == allowed.upperBound
      ? "\(allowed.lowerBound)"
      : allowed.upperBound == QueryFunctions.maximumArity
        ? "at least \(allowed.lowerBound)" : "\(allowed.lowerBound) to \(allowed.upperBound)"
    return QueryRuntimeError(.wrongArgumentCount, "\(function) takes \(expected) arguments, not \(count)")
  }

  static func unknownCollation(_ name: String) -> QueryRuntimeError {
    QueryRuntimeError(.unknownCollation, "there is no collation \"\(name)\"")
  }

  /// - Parameter function: the name of the function or operator that built the value.
  static func tooLarge(_ function: String) -> QueryRuntimeError {
    QueryRuntimeError(
      .tooLarge,
      "the result of \(function) is larger than \(ValueBudget.maximumSize >> 20) MiB, the limit for values that a query builds; "
        + "build smaller values, or select fewer documents")
  }

  static func tooMuchInTotal(_ function: String) -> QueryRuntimeError {
    QueryRuntimeError(
      .tooLarge,
      "with the result of \(function), the values that queries build are larger than \(ValueBudget.maximumTotal >> 30) GiB in "
        + "total; build smaller values, or fewer at a time")
  }

  static var tooManyFacetValues: QueryRuntimeError {
    QueryRuntimeError(
      .tooLarge,
      "with the distinct values of the facets, the values that queries build are larger than "
        + "\(ValueBudget.maximumTotal >> 30) GiB in total; count the values of properties with fewer values, or select fewer "
        + "documents")
  }

  static func notACount(_ value: QueryValue) -> QueryRuntimeError {
    QueryRuntimeError(.notACount, "LIMIT and OFFSET take numbers, not \(value.json?.text ?? "MISSING")")
  }

  static func invalidPath(_ reason: String) -> QueryRuntimeError {
    QueryRuntimeError(.invalidPath, reason)
  }

  static func unknownGroup(_ group: QueryValue, of pattern: String, groupCount: Int) -> QueryRuntimeError {
    let groups = groupCount == 0 ? "no groups" : groupCount == 1 ? "one group" : "\(groupCount) groups"
    return QueryRuntimeError(
      .unknownGroup,
      "the regular expression \"\(pattern.prefix(120))\" has no group \(group.json?.text ?? ""); it has \(groups)")
  }

  static func modelWithoutName(_ value: QueryValue) -> QueryRuntimeError {
    QueryRuntimeError(
      .badPrediction,
      "the first argument of PREDICTION must be the name of a model, not \(value.json?.text.prefix(120) ?? "MISSING")"
    )
  }

  static func badInput(_ value: QueryValue, of model: String) -> QueryRuntimeError {
    QueryRuntimeError(
      .badPrediction,
      "the input of PREDICTION('\(model)', …) must be an object, not \(value.json?.text.prefix(120) ?? "MISSING")"
    )
  }
}
