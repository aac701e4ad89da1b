import JSONText
import QueryModel

/// A condition that the hits of a search must satisfy, as after WHERE in a query.
///
/// ```swift
/// request.where = "price < 20 AND ANY t IN tags SATISFIES t = 'new' END"
/// request.where = SearchFilter("price < $most", parameters: Parameters().setInt(20, forName: "most"))
/// request.where = SearchFilter(Expression.property("price").lessThan(Expression.int(20)))
/// ```
///
/// It is compiled like a query, with all indexes of the collection, when the search runs. The search throws its errors.
public struct SearchFilter: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Content: Hashable {
    case text(String)
    case expression(QueryExpression)
    case fault(CBLError)
  }

  private let content: Content
  /// The values of the parameters.
  let parameters: [String: JSONValue]

  /// Creates a condition in SQL++, such as `stars >= 4 AND type = 'hotel'`.
  ///
  /// - Parameters:
  ///   - text: the condition.
  ///   - parameters: the values of its parameters, which are copied.
  public init(_ text: String, parameters: Parameters? = nil) { self.init(.text(text), parameters) }

  /// Creates a condition of the query builder.
  ///
  /// - Parameters:
  ///   - expression: the condition.
  ///   - parameters: the values of its parameters, which are copied.
  public init(_ expression: any ExpressionProtocol, parameters: Parameters? = nil) {
    let built = BuiltExpression(expression)
    self.init(built.fault.map { .fault($0) } ?? .expression(built.model), parameters)
  }

  /// Creates a condition in SQL++ without parameters.
  public init(stringLiteral text: String) { self.init(text) }

  private init(_ content: Content, _ parameters: Parameters?) {
    do {
      self.parameters = try parameters?.jsonValues() ?? [:]
      self.content = content
    } catch {
      self.parameters = [:]
      self.content = .fault(error as? CBLError ?? .invalidQuery("\(error)"))
    }
  }

  /// The query for the documents of a collection that satisfy the condition.
  func query(over source: QuerySource) throws -> SelectQuery {
    var query = SelectQuery(columns: [], sources: [source])
    switch content {
    case .text(let text):
      query.filter = try naming("where") { try SQLParser().parseExpression(text, sources: [source]) }
    case .expression(let expression):
      query.filter = expression
      query = QueryDraft(query: query).finished().model
    case .fault(let fault): throw fault
    }
    return query
  }
}

/// What the hits of a search are sorted by instead of their scores, as after ORDER BY in a query.
///
/// ```swift
/// request.sort = "price DESC, META().id"
/// request.sort = SearchOrder(Ordering.property("price").descending(), Ordering.expression(Meta.id))
/// ```
///
/// Hits that are equal in all terms are ordered by score. `RANK(index)`, with the name of the index that is searched,
/// is the score.
public struct SearchOrder: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Content: Hashable {
    case text(String)
    case terms([SortTerm])
    case fault(CBLError)
  }

  private let content: Content

  /// Creates an order from SQL++: `price DESC NULLS LAST, name`.
  ///
  /// - Parameter text: the terms, separated by commas.
  public init(_ text: String) { content = .text(text) }

  /// Creates an order from terms of the query builder.
  ///
  /// - Parameter terms: the terms, the most important first.
  public init(_ terms: any OrderingProtocol...) {
    let built = terms.map { BuiltOrdering($0) }
    content = built.lazy.compactMap(\.expression.fault).first.map { .fault($0) } ?? .terms(built.map(\.term))
  }

  /// Creates an order from SQL++.
  public init(stringLiteral text: String) { self.init(text) }

  /// The query for all documents of a collection in this order.
  func query(over source: QuerySource) throws -> SelectQuery {
    var query = SelectQuery(columns: [], sources: [source])
    switch content {
    case .text(let text):
      query.ordering = try naming("sort") { try SQLParser().parseOrdering(text, sources: [source]) }
    case .terms(let terms):
      query.ordering = terms
      query = QueryDraft(query: query).finished().model
    case .fault(let fault): throw fault
    }
    return query
  }
}

/// Calls `body`. Adds to its errors which part of the search they are in.
private func naming<T>(_ part: String, _ body: () throws -> T) throws -> T {
  do {
    return try body()
  } catch let error as QuerySyntaxError {
    throw CBLError(
      CBLError.invalidQuery, "\(part): \(error.description)", sourceRange: error.span.start..<error.span.end)
  }
}
