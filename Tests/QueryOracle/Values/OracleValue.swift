public import JSONText

/// A value of the oracle: a JSON value, or MISSING.
///
/// It is not `Equatable`: comparison, grouping and ordering each define equality differently.
public enum OracleValue: Sendable {
  case missing
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([OracleValue])
  case object([Member])

  /// A key and its value. A key may occur twice in an object; the first one is used.
  public struct Member: Sendable {
    /// The key.
    public let key: String
    /// The value.
    public let value: OracleValue

    /// Creates a member.
    public init(_ key: String, _ value: OracleValue) {
      self.key = key
      self.value = value
    }
  }

  /// Creates a value from a JSON tree; nil is MISSING. An integer above `Int64.max` becomes a double.
  public init(_ json: JSONValue?) {
    switch json {
    case nil: self = .missing
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .int64(let number): self = .integer(number)
    case .uint64(let number): self = .double(Double(number))
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { OracleValue($0) })
    case .object(let members): self = .object(members.map { Member($0.key, OracleValue($0.value)) })
    }
  }

  /// Creates a value from a JSON text.
  ///
  /// - Throws: The error of the parser for a text that is not JSON.
  public init(jsonText text: String) throws {
    self.init(try JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) })
  }

  /// Whether the value is neither MISSING nor null.
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
}

extension OracleValue {
  /// The value as JSON; nil for MISSING, which becomes null inside an array or object.
  var json: JSONValue? {
    switch self {
    case .missing: nil
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .int64(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map { $0.json ?? .null })
    case .object(let members): .object(members.map { JSONMember($0.key, $0.value.json ?? .null) })
    }
  }

  /// Returns the value at the end of a path. The result is MISSING for paths into a scalar, past the end of an array or
  /// into MISSING.
  func member(at path: [PropertyPath.Component]) -> OracleValue {
    var value = self
    for step in path {
      switch (value, step) {
      case (.object(let members), .key(let key)):
        // Keys are compared by bytes; Swift's `==` treats more strings as equal.
        value = members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value ?? .missing
      case (.array(let elements), .position(let position)):
        let index = position < 0 ? elements.count + position : position
        value = elements.indices.contains(index) ? elements[index] : .missing
      default: value = .missing
      }
    }
    return value
  }

  /// Returns the elements of an array or the values of an object; nil for anything else.
  ///
  /// - Throws: ``OracleError/undefined(_:)`` for an object with a duplicate key.
  func elements() throws -> [OracleValue]? {
    switch self {
    case .array(let elements): return elements
    case .object(let members):
      if hasDuplicateKeys { throw OracleError.undefined("the values of an object with a duplicate key") }
      return members.map(\.value)
    default: return nil
    }
  }

  /// Whether this object or one inside it has a duplicate key.
  var hasDuplicateKeys: Bool {
    switch self {
    case .array(let elements): return elements.contains { $0.hasDuplicateKeys }
    case .object(let members):
      return Set(members.map { Array($0.key.utf8) }).count < members.count
        || members.contains { $0.value.hasDuplicateKeys }
    default: return false
    }
  }

  /// Whether the value contains a negative zero.
  var hasNegativeZero: Bool {
    switch self {
    case .double(let number): number == 0 && number.sign == .minus
    case .array(let elements): elements.contains { $0.hasNegativeZero }
    case .object(let members): members.contains { $0.value.hasNegativeZero }
    default: false
    }
  }
}

extension OracleValue: CustomStringConvertible {
  /// MISSING, or JSON.
  public var description: String { json?.text ?? "MISSING" }
}
