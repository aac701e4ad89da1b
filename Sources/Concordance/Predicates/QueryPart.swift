import Foundation
import JSONText
import QueryModel

/// An argument that is a part of a query: a string in the predicate language, or JSON as Swift values.
struct QueryPart {
  private enum Form {
    case text(String)
    case json(JSONValue)
  }

  private let form: Form
  /// The name of the argument, for error messages.
  private let role: String

  /// Creates a part from an argument.
  ///
  /// - Parameters:
  ///   - value: a string, an array or a dictionary.
  ///   - role: the name of the argument, for error messages.
  /// - Throws: ``CBLError/invalidQuery`` if the value has another type, or contains a value that JSON cannot represent.
  init(_ value: Any, _ role: String) throws {
    self.role = role
    if let text = value as? String {
      form = .text(text)
    } else if value is [Any] || value is [String: Any] {
      form = .json(try QueryPart.json(value, role))
    } else {
      throw CBLError(
        CBLError.invalidQuery,
        "\(role) must be a string or the JSON form of a query, not a value of type \(type(of: value))")
    }
  }

  /// Parses the part as a condition. `aggregation` determines the meaning of functions such as `count(x)` in strings.
  func condition(of aggregation: PredicateParser.Aggregation) throws -> QueryExpression {
    switch form {
    case .text(let text): try PredicateParser().parse(text, aggregation: aggregation)
    case .json(let value): try JSONQueryParser().parseExpression(value)
    }
  }

  /// Parses the part as a value. `aggregation` determines the meaning of functions such as `count(x)` in strings.
  func expression(of aggregation: PredicateParser.Aggregation) throws -> QueryExpression {
    switch form {
    case .text(let text): try PredicateParser().parseExpression(text, aggregation: aggregation)
    case .json(let value): try JSONQueryParser().parseExpression(value)
    }
  }

  /// Parses the part as a result column.
  func column() throws -> ResultColumn {
    guard case .json(let value) = form else { return ResultColumn(try expression(of: .rows)) }
    return try clause("WHAT", value).columns.first ?? ResultColumn(.null)
  }

  /// Parses the part as a sort term.
  func sortTerm() throws -> SortTerm {
    switch form {
    case .text(let text): return try PredicateParser().parseSortTerm(text)
    case .json(let value): return try clause("ORDER_BY", value).ordering.first ?? SortTerm(.null)
    }
  }

  /// Parses the part as a whole query. Without `FROM`, the query reads the collection at `path`.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if the part is not a dictionary.
  func wholeQuery(over path: CollectionPath) throws -> SelectQuery {
    guard case .json(.object(var members)) = form else {
      throw CBLError(CBLError.invalidQuery, "\(role) is not a dictionary")
    }
    if !members.contains(where: { $0.key.uppercased() == "FROM" }) {
      let name = [path.scope, path.name].compactMap { $0 }.map { $0.replacing(/[.\[\\]/) { "\\\($0.output)" } }
      members.append(
        JSONMember("FROM", .array([.object([JSONMember("COLLECTION", .string(name.joined(separator: ".")))])])))
    }
    return try JSONQueryParser().parse(.object(members))
  }

  /// Parses a query that consists of one clause with one item. Forms such as `["AS", …]` and `["DESC", …]` are valid
  /// only in their clause.
  private func clause(_ name: String, _ item: JSONValue) throws -> SelectQuery {
    try JSONQueryParser().parse(.object([JSONMember(name, .array([item]))]))
  }

  /// Converts a Swift value to JSON.
  private static func json(_ value: Any, _ role: String) throws -> JSONValue {
    do {
      return try PropertyValue(value).jsonValue()
    } catch {
      throw CBLError(CBLError.invalidQuery, "\(role) is not valid JSON: it contains \(error.message)")
    }
  }
}
