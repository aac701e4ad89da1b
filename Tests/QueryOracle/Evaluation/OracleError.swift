/// Why the oracle gives no answer.
public enum OracleError: Error, CustomStringConvertible {
  /// The query makes no sense: a collection that is not there, a parameter without a value.
  case invalid(String)
  /// The specification does not say what the answer is. Random queries that come here are left out.
  case undefined(String)

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .invalid(let reason): "invalid: \(reason)"
    case .undefined(let reason): "not specified: \(reason)"
    }
  }
}
