import JSONText
import QueryModel

/// A condition that the hits of a search must satisfy, like the WHERE clause of a query.
///
/// ```swift
/// request.where = "price < 20 AND ANY t IN tags SATISFIES t = 'new' END"
/// request.where = SearchFilter("price < $most", parameters: Parameters().setInt(20, forName: "most"))
/// request.where = SearchFilter(Expression.property("price").lessThan(Expression.int(20)))
/// ```
///
/// The condition is compiled like a query when the search runs, and can use all indexes of the collection. The search
/// throws the errors of the condition.
public struct SearchFilter: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Content: Hashable {
    case text(String)
    case expression(QueryExpression)
    case fault(CBLError)
  }

  private let content: Content
  /// The values of the parameters.
  let parameters: [ExactString: JSONValue]

  /// Creates a condition in SQL++, such as `stars >= 4 AND type = 'hotel'`.
  ///
  /// - Parameters:
  ///   - text: the condition.
  ///   - parameters: the values of its parameters, which are copied.
  public init(_ text: String, parameters: Parameters? = nil) { self.init(.text(text), parameters) }

  /// Creates a condition from an expression of the query builder.
  ///
  /// - Parameters:
  ///   - expression: the condition.
  ///   - parameters: the values of its parameters, which are copied.
  public init(_ expression: any ExpressionProtocol, parameters: Parameters? = nil) {
    let built = BuiltExpression(expression)
    self.init(built.fault.map { .fault($0) } ?? .expression(built.model), parameters)
  }

  /// Creates a condition in SQL++ without parameters.
  ///
  /// - Parameter text: the condition.
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
      query.filter = try addingPartToErrors("where") { try SQLParser().parseExpression(text, sources: [source]) }
    case .expression(let expression):
      query.filter = expression
      query = QueryDraft(query: query).finished().model
    case .fault(let fault): throw fault
    }
    return query
  }
}

/// The order of the hits of a search if they are not sorted by score, like the ORDER BY clause of a query.
///
/// ```swift
/// request.sort = "price DESC, META().id"
/// request.sort = SearchOrder(Ordering.property("price").descending(), Ordering.expression(Meta.id))
/// ```
///
/// Hits that are equal in all terms are ordered by score. The score is `RANK(index)`, where `index` is the name
/// of the index that is searched.
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
  /// - Parameters:
  ///   - first: the most important term.
  ///   - others: the other terms, the more important ones first.
  public init(_ first: any OrderingProtocol, _ others: any OrderingProtocol...) {
    let built = ([first] + others).map { BuiltOrdering($0) }
    content = built.lazy.compactMap(\.expression.fault).first.map { .fault($0) } ?? .terms(built.map(\.term))
  }

  /// Creates an order from SQL++.
  ///
  /// - Parameter text: the terms, separated by commas.
  public init(stringLiteral text: String) { self.init(text) }

  /// The query for all documents of a collection in this order.
  func query(over source: QuerySource) throws -> SelectQuery {
    var query = SelectQuery(columns: [], sources: [source])
    switch content {
    case .text(let text):
      query.ordering = try addingPartToErrors("sort") { try SQLParser().parseOrdering(text, sources: [source]) }
    case .terms(let terms):
      query.ordering = terms
      query = QueryDraft(query: query).finished().model
    case .fault(let fault): throw fault
    }
    return query
  }
}

/// Calls `body`, and adds the name of the part of the search to the message of a syntax error.
private func addingPartToErrors<T>(_ part: String, _ body: () throws -> T) throws -> T {
  do {
    return try body()
  } catch let error as QuerySyntaxError {
    throw CBLError(
      CBLError.invalidQuery, "\(part): \(error.description)", sourceRange: error.span.start..<error.span.end)
  }
}
