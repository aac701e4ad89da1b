import QueryCompiler

/// A value that is counted by a ``Facet``, or selected by ``SearchRequest/selections``.
///
/// `1` and `1.0` are the same number; `true` is not `1`, and `"1"` is neither.
public enum FacetValue: Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
}

extension FacetValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension FacetValue: CustomStringConvertible {
  /// The value as text, strings without quotation marks.
  public var description: String {
    switch self {
    case .boolean(let boolean): "\(boolean)"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let string): string
    }
  }
}

extension FacetValue: Comparable {
  /// Booleans before numbers before strings; strings by their bytes.
  public static func < (one: FacetValue, other: FacetValue) -> Bool {
    switch (one, other) {
    case (.boolean(let one), .boolean(let other)): return !one && other
    case (.string(let one), .string(let other)): return one.utf8.lexicographicallyPrecedes(other.utf8)
    case (.integer(let one), .integer(let other)): return one < other
    default:
      if let first = one.number, let second = other.number { return first < second }
      return one.rank < other.rank
    }
  }

  /// The number as a double; nil for a boolean and a string.
  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .boolean, .string: nil
    }
  }

  private var rank: Int {
    switch self {
    case .boolean: 0
    case .integer, .double: 1
    case .string: 2
    }
  }
}

extension FacetValue {
  /// Nil for what is no value of a facet.
  init?(_ value: ColumnValue) {
    switch value {
    case .boolean(let boolean): self = .boolean(boolean)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .string(let string): self = .string(string)
    case .missing, .null, .container: return nil
    }
  }

  /// The value as those of documents are.
  var columnValue: ColumnValue {
    switch self {
    case .boolean(let boolean): .boolean(boolean)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .string(let string): .string(string)
    }
  }
}
