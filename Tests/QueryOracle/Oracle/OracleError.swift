/// The reason why the oracle has no result.
public enum OracleError: Error, CustomStringConvertible {
  /// The query is invalid: a collection that does not exist, a parameter without a value.
  case invalid(String)
  /// The specification does not define the result. Random queries with this error are discarded.
  case undefined(String)

  /// A description of the error.
  public var description: String {
    switch self {
    case .invalid(let reason): "invalid: \(reason)"
    case .undefined(let reason): "not specified: \(reason)"
    }
  }
}
