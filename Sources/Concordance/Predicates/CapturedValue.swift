import Foundation
import JSONText
import QueryModel

/// Converts values that a predicate captures to literals of a query.
///
/// A literal has the form that the same value has in a document: a `Date` is an ISO 8601 string, an enum is its raw
/// value, and a `Codable` struct is an object. So a captured value equals a property in which the same value was saved.
enum CapturedValue {
  /// Returns the literal of a value: the JSON that ``PropertyEncoder`` writes for it.
  ///
  /// A sequence that is not `Encodable` becomes an array, and a `RawRepresentable` that is not `Encodable` becomes its
  /// raw value.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if the value has no JSON form, such as a closure or an infinite number.
  static func expression(of value: Any) throws -> QueryExpression {
    switch value {
    case let value as any OptionalValue: return try value.wrappedValue.map { try expression(of: $0) } ?? .null
    case let value as Character: return .string(String(value))
    case let value as Substring: return .string(String(value))
    case let value as any Encodable:
      do {
        let encoded = try PropertyEncoder.encode(value, at: [], nil)
        return QueryExpression(literal: try PropertyValue(encoded).jsonValue())
      } catch let error as EncodingError {
        throw CodingFailure.encoding(error, "a captured value of the predicate", CBLError.invalidQuery)
      } catch let error as UnusableValue {
        throw unusable(error.message)
      }
    case let value as any Sequence: return .array(try elements(of: value))
    case let value as any RawRepresentable: return try expression(of: value.rawValue)
    default: throw unusable("a value of type \(type(of: value))")
    }
  }

  private static func elements(of sequence: some Sequence) throws -> [QueryExpression] {
    try sequence.map { try expression(of: $0) }
  }

  private static func unusable(_ description: String) -> CBLError {
    CBLError(CBLError.invalidQuery, "the predicate captures a value that a document cannot contain: \(description)")
  }
}

extension QueryExpression {
  /// Creates the literal of a JSON value. An integer above `Int64.max` becomes a double.
  init(literal value: JSONValue) {
    switch value {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .int64(let number): self = .integer(number)
    case .uint64(let number): self = .double(Double(number))
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { QueryExpression(literal: $0) })
    case .object(let members):
      self = .dictionary(members.map { DictionaryEntry($0.key, QueryExpression(literal: $0.value)) })
    }
  }
}
