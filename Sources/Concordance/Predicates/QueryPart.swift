import Foundation
import JSONText
import QueryModel

/// A part of a query passed by a program: a string in the predicate language, or JSON as Swift values.
struct QueryPart {
  private enum Form {
    case text(String)
    case json(JSONValue)
  }

  private let form: Form
  /// The name of the argument, for error messages.
  private let role: String

  /// - Throws: ``CBLError/invalidQuery`` for a value of another type.
  init(_ value: Any, _ role: String) throws {
    self.role = role
    if let text = value as? String {
      form = .text(text)
    } else if value is [Any] || value is [String: Any] {
      form = .json(try QueryPart.json(value, role))
    } else {
      throw CBLError(
        CBLError.invalidQuery,
        "\(role) takes strings, or the JSON form of queries, not a value of the type \(type(of: value))")
    }
  }

  /// Parses the part as a condition.
  func condition(of aggregation: PredicateParser.Aggregation) throws -> QueryExpression {
    switch form {
    case .text(let text): try PredicateParser().parse(text, aggregation: aggregation)
    case .json(let value): try JSONQueryParser().parseExpression(value)
    }
  }

  /// Parses the part as a value.
  func expression(of aggregation: PredicateParser.Aggregation) throws -> QueryExpression {
    switch form {
    case .text(let text): try PredicateParser().parseExpression(text, aggregation: aggregation)
    case .json(let value): try JSONQueryParser().parseExpression(value)
    }
  }

  func column() throws -> ResultColumn {
    guard case .json(let value) = form else { return ResultColumn(try expression(of: .rows)) }
    return try clause("WHAT", value).columns.first ?? ResultColumn(.null)
  }

  func sortTerm() throws -> SortTerm {
    switch form {
    case .text(let text): return try PredicateParser().parseSortTerm(text)
    case .json(let value): return try clause("ORDER_BY", value).ordering.first ?? SortTerm(.null)
    }
  }

  /// Parses the part, a dictionary, as a whole query. Without `FROM`, the query reads the collection at `path`.
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

  /// A query with one clause of one item, for forms that are valid only there: `["AS", …]`, `["DESC", …]`.
  private func clause(_ name: String, _ item: JSONValue) throws -> SelectQuery {
    try JSONQueryParser().parse(.object([JSONMember(name, .array([item]))]))
  }

  /// The JSON of Swift values.
  private static func json(_ value: Any, _ role: String) throws -> JSONValue {
    do {
      return try PropertyValue(value).jsonValue()
    } catch {
      throw CBLError(CBLError.invalidQuery, "\(role) is not valid JSON: it contains \(error.message)")
    }
  }
}
