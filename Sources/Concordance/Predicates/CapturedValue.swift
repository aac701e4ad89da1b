import Foundation
import JSONText
import QueryModel

/// Converts captured values to literals of a query, in the form that documents contain.
enum CapturedValue {
  /// The literal of a value: the JSON that encoding it in a document would write.
  ///
  /// - Throws: ``CBLError/invalidQuery`` for a value that no document holds.
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
    default: throw unusable("a value of the type \(type(of: value))")
    }
  }

  private static func elements(of sequence: some Sequence) throws -> [QueryExpression] {
    try sequence.map { try expression(of: $0) }
  }

  private static func unusable(_ description: String) -> CBLError {
    CBLError(CBLError.invalidQuery, "the predicate compares with what no document holds: \(description)")
  }
}

extension QueryExpression {
  /// The literal of a JSON value.
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
