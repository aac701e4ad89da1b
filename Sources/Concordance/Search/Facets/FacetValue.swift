import JSONText
import QueryCompiler

/// A value that is counted by a ``Facet``, or selected by ``SearchRequest/selections``.
///
/// ```swift
/// request.selections = ["type": ["hotel"], "stars": [4, 5], "open": [true]]
/// ```
///
/// `1` and `1.0` are the same number; `true` is not `1`, and `"1"` is neither.
public enum FacetValue: Hashable, Sendable {
  /// A boolean.
  case boolean(Bool)
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// A string.
  case string(String)
}

extension FacetValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// Creates a string.
  ///
  /// - Parameter value: the string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  ///
  /// - Parameter value: the integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a floating-point number.
  ///
  /// - Parameter value: the number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a boolean.
  ///
  /// - Parameter value: the boolean.
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

/// Booleans come before numbers, and numbers before strings. Numbers are compared exactly by value, regardless of their
/// type; NaN comes before all other numbers. Strings are compared by their bytes.
extension FacetValue: Comparable {
  /// Returns whether both are the same value. `1` equals `1.0`.
  public static func == (one: FacetValue, other: FacetValue) -> Bool {
    if case (.string(let one), .string(let other)) = (one, other) { return ExactString(one) == ExactString(other) }
    return one.compare(other) == 0
  }

  /// Returns whether a value comes before another: booleans, then numbers by value, then strings by their bytes.
  public static func < (one: FacetValue, other: FacetValue) -> Bool { one.compare(other) < 0 }

  /// Hashes the value; equal numbers of the two types have equal hashes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .boolean(let boolean): hasher.combine(boolean)
    case .integer(let number): hasher.combine(number)
    case .double(let number):
      // Equal values must have equal hashes: a double may equal an integer, and all NaNs are equal.
      if let integer = Int64(exactly: number) {
        hasher.combine(integer)
      } else {
        hasher.combine(number.isNaN ? Double.nan : number)
      }
    case .string(let string): hasher.combine(ExactString(string))
    }
  }

  private func compare(_ other: FacetValue) -> Int {
    rank == other.rank ? queryValue.compare(other.queryValue) : rank - other.rank
  }

  /// The number as a double; nil for a boolean or a string.
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
    case .double(let number) where number.isNaN: 1
    case .integer, .double: 2
    case .string: 3
    }
  }

  private var queryValue: QueryValue {
    switch self {
    case .boolean(let boolean): .boolean(boolean)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .string(let string): .string(string)
    }
  }
}

extension FacetValue {
  /// Returns nil for a value that facets do not count.
  init?(_ value: ColumnValue) {
    switch value {
    case .boolean(let boolean): self = .boolean(boolean)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .string(let string): self = .string(string)
    case .missing, .null, .container: return nil
    }
  }

  /// The value as a `ColumnValue`, for comparison with values of documents.
  var columnValue: ColumnValue {
    switch self {
    case .boolean(let boolean): .boolean(boolean)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .string(let string): .string(string)
    }
  }
}
