import JSONText

/// An error that stops a running query.
public struct QueryRuntimeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Kind: Hashable, Sendable {
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

  /// The kind of the error.
  public let kind: Kind
  /// The message.
  public let description: String

  static func wrongArgumentCount(function: String, count: Int, allowed: ClosedRange<Int>) -> QueryRuntimeError {
    let expected =
      allowed.lowerBound == allowed.upperBound
      ? "\(allowed.lowerBound)"
      : allowed.upperBound == QueryFunctions.maximumArity
        ? "at least \(allowed.lowerBound)" : "\(allowed.lowerBound) to \(allowed.upperBound)"
    return QueryRuntimeError(
      kind: .wrongArgumentCount, description: "\(function) takes \(expected) arguments, not \(count)")
  }

  static func unknownCollation(_ name: String) -> QueryRuntimeError {
    QueryRuntimeError(kind: .unknownCollation, description: "there is no collation \"\(name)\"")
  }

  /// - Parameter function: the name of the function or operator that built the value.
  static func tooLarge(_ function: String) -> QueryRuntimeError {
    QueryRuntimeError(
      kind: .tooLarge,
      description:
        "the result of \(function) is larger than \(ValueBudget.maximumSize >> 20) MiB, the limit for values that a query builds; "
        + "build smaller values, or select fewer documents")
  }

  static func tooMuchInTotal(_ function: String) -> QueryRuntimeError {
    QueryRuntimeError(
      kind: .tooLarge,
      description:
        "with the result of \(function), the values that queries build are larger than \(ValueBudget.maximumTotal >> 30) GiB in "
        + "total; build smaller values, or fewer at a time")
  }

  static func notACount(_ value: QueryValue) -> QueryRuntimeError {
    QueryRuntimeError(
      kind: .notACount, description: "LIMIT and OFFSET take numbers, not \(value.json?.text ?? "MISSING")")
  }

  static func invalidPath(_ reason: String) -> QueryRuntimeError {
    QueryRuntimeError(kind: .invalidPath, description: reason)
  }

  static func unknownGroup(_ group: QueryValue, of pattern: String, groupCount: Int) -> QueryRuntimeError {
    let groups = groupCount == 0 ? "no groups" : groupCount == 1 ? "one group" : "\(groupCount) groups"
    return QueryRuntimeError(
      kind: .unknownGroup,
      description:
        "the regular expression \"\(pattern.prefix(120))\" has no group \(group.json?.text ?? ""); it has \(groups)")
  }

  static func modelWithoutName(_ value: QueryValue) -> QueryRuntimeError {
    QueryRuntimeError(
      kind: .badPrediction,
      description:
        "the first argument of PREDICTION must be the name of a model, not \(value.json?.text.prefix(120) ?? "MISSING")"
    )
  }

  static func badInput(_ value: QueryValue, of model: String) -> QueryRuntimeError {
    QueryRuntimeError(
      kind: .badPrediction,
      description:
        "PREDICTION('\(model)', …) must have an object as the input of the model, not \(value.json?.text.prefix(120) ?? "MISSING")"
    )
  }
}
