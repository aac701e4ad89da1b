import JSONText
import QueryCompiler

/// A value in a row of ``QueryResults``.
public enum ResultValue: Hashable, Sendable {
  /// Null.
  case null
  /// A boolean.
  case boolean(Bool)
  /// An integer that `Int64` can represent.
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsignedInteger(UInt64)
  /// A floating-point number.
  case double(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([ResultValue])
  /// An object. A blob is represented by its metadata.
  case dictionary([String: ResultValue])
}

extension ResultValue {
  /// The string; nil for a value of another type.
  public var string: String? { if case .string(let string) = self { string } else { nil } }

  /// The value of an integer, or of a floating-point number without a fraction; nil for a value of another type.
  public var int: Int? {
    switch self {
    case .integer(let number): Int(exactly: number)
    case .double(let number): Int(exactly: number)
    default: nil
    }
  }

  /// The number; nil for a value of another type. Integers above 2^53 are rounded.
  public var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsignedInteger(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The boolean; nil for a value of another type.
  public var boolean: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }

  /// The elements; nil for a value of another type.
  public var array: [ResultValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The members; nil for a value of another type.
  public var dictionary: [String: ResultValue]? { if case .dictionary(let members) = self { members } else { nil } }
}

extension ResultValue {
  /// Returns nil for a missing value.
  init?(_ value: ColumnValue) {
    switch value {
    case .missing: return nil
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .string(let string): self = .string(string)
    case .container(let text):
      let parsed = try? JSONParser.withShared { parser in
        try text.withUnsafeBytes { ResultValue(try parser.parse($0)) }
      }
      // The query wrote the text as JSON, so it is always valid.
      self = parsed ?? .null
    }
  }

  private init(_ element: JSONElement) {
    switch element.kind {
    case .null: self = .null
    case .boolean: self = .boolean(element.boolean ?? false)
    case .int64: self = .integer(element.int64 ?? 0)
    case .uint64: self = .unsignedInteger(element.uint64 ?? 0)
    case .double: self = .double(element.double ?? 0)
    case .string: self = .string(element.string ?? "")
    case .array:
      var elements: [ResultValue] = []
      element.forEachElement { elements.append(ResultValue($0)) }
      self = .array(elements)
    case .object:
      var members: [String: ResultValue] = [:]
      element.forEachMember { members[String(decoding: $0, as: UTF8.self)] = ResultValue($1) }
      self = .dictionary(members)
    }
  }
}
