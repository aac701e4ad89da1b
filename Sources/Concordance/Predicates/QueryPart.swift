import Foundation
import JSONText
import QueryModel

/// A part of a query as a program gives it: a string in the language of predicates, or JSON as Swift values.
struct QueryPart {
  private enum Form {
    case text(String)
    case json(JSONValue)
  }

  private let form: Form
  /// What the part is for, as the program calls it.
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

  /// The condition that the part is.
  func condition(of aggregation: PredicateParser.Aggregation) throws -> QueryExpression {
    switch form {
    case .text(let text): try PredicateParser().parse(text, aggregation: aggregation)
    case .json(let value): try JSONQueryParser().parseExpression(value)
    }
  }

  /// The value that the part is.
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

  /// The query that a dictionary is. It reads a collection of its own, or the one at `path`.
  func wholeQuery(over path: CollectionPath) throws -> SelectQuery {
    guard case .json(.object(var members)) = form else {
      throw CBLError(CBLError.invalidQuery, "\(role) is no dictionary")
    }
    if !members.contains(where: { $0.key.uppercased() == "FROM" }) {
      let name = [path.scope, path.name].compactMap { $0 }.map { $0.replacing(/[.\[\\]/) { "\\\($0.output)" } }
      members.append(
        JSONMember("FROM", .array([.object([JSONMember("COLLECTION", .string(name.joined(separator: ".")))])])))
    }
    return try JSONQueryParser().parse(.object(members))
  }

  /// A query of one clause with one item, which has forms that only stand in it: `["AS", …]`, `["DESC", …]`.
  private func clause(_ name: String, _ item: JSONValue) throws -> SelectQuery {
    try JSONQueryParser().parse(.object([JSONMember(name, .array([item]))]))
  }

  /// The JSON of Swift values.
  private static func json(_ value: Any, _ role: String) throws -> JSONValue {
    do {
      return try PropertyValue(value).jsonValue()
    } catch {
      throw CBLError(CBLError.invalidQuery, "\(role) is no JSON: it holds \(error.message)")
    }
  }
}
