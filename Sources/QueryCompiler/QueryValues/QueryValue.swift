public import JSONText

/// A value in a running query: a JSON value, or MISSING, the value of a property that does not exist.
///
/// Strings are compared by their bytes, unlike with Swift's `==`, which uses canonical equivalence.
public enum QueryValue: Sendable {
  case missing
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// Converts a JSON tree. An integer above `Int64.max` becomes a double, since SQLite's integers are
  /// signed 64-bit integers.
  public init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .int64(let number): self = .integer(number)
    case .uint64(let number): self = .double(Double(number))
    case .double(let number): self = .double(number)
    case .string(let string): self = .string(string)
    case .array(let elements): self = .array(elements)
    case .object(let members): self = .object(members)
    }
  }

  /// The value as a JSON tree; nil for MISSING. Infinity and NaN, which JSON does not have, become null.
  public var json: JSONValue? {
    switch self {
    case .missing: nil
    case .null: .null
    case .boolean(let boolean): .boolean(boolean)
    case .integer(let number): .int64(number)
    case .double(let number): number.isFinite ? .double(number) : .null
    case .string(let string): .string(string)
    case .array(let elements): .array(elements)
    case .object(let members): .object(members)
    }
  }

  /// Parses JSON text; malformed text becomes null.
  public init(jsonText text: UnsafeRawBufferPointer) {
    guard let slice = JSONSlice(text) else {
      self = .null
      return
    }
    self.init(slice)
  }

  /// Converts a slice of a document. A malformed array or object becomes null.
  public init(_ slice: JSONSlice) {
    switch slice.kind {
    case .null: self = .null
    case .boolean: self = .boolean(slice.boolean)
    case .string: self = .string(JSONString.string(slice.text))
    case .number:
      switch slice.number {
      case .integer(let number): self = .integer(number)
      case .double(let number): self = .double(number)
      }
    case .array, .object:
      // The text was validated when it was saved, but a damaged file must not stop a query.
      let tree = try? JSONParser.withShared { JSONValue(try $0.parse(slice.text)) }
      self = tree.map { QueryValue($0) } ?? .null
    }
  }

  /// Whether the value is neither MISSING nor null (IS VALUED in SQL++).
  public var isValued: Bool {
    switch self {
    case .missing, .null: false
    default: true
    }
  }

  /// Whether the value is MISSING.
  public var isMissing: Bool {
    if case .missing = self { true } else { false }
  }

  /// The number as a double, or nil for another type.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The number truncated to an integer; nil for another type or for a number that does not fit in 64 bits.
  public var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number.rounded(.towardZero))
    default: nil
    }
  }

  /// The string, or nil for another type.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// Returns a double as the result of a function; infinity and NaN become null, as in Couchbase Server.
  static func finite(_ number: Double) -> QueryValue { number.isFinite ? .double(number) : .null }

  /// Returns the result of a function with an argument of the wrong type: MISSING if an argument is MISSING, otherwise
  /// null.
  static func wrongType(_ values: QueryValue...) -> QueryValue { wrongType(values) }

  /// Returns the result of a function with an argument of the wrong type, for a list of arguments.
  static func wrongType(_ values: [QueryValue]) -> QueryValue {
    values.contains { $0.isMissing } ? .missing : .null
  }
}
