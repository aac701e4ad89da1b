import JSONText
import QueryModel

/// Which of the documents that a search finds are wanted: a condition as it stands behind WHERE in a query.
///
/// ```swift
/// request.where = "price < 20 AND ANY t IN tags SATISFIES t = 'new' END"
/// request.where = SearchFilter("price < $most", parameters: Parameters().setInt(20, forName: "most"))
/// request.where = SearchFilter(Expression.property("price").lessThan(Expression.int(20)))
/// ```
///
/// It is compiled as a query is, with all indexes of the collection, when the search runs; what is wrong with it, the search
/// throws.
public struct SearchFilter: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Content: Hashable {
    case text(String)
    case expression(QueryExpression)
    case fault(CBLError)
  }

  private let content: Content
  /// The values of the parameters.
  let parameters: [String: JSONValue]

  /// A condition in SQL++, such as `stars >= 4 AND type = 'hotel'`.
  ///
  /// - Parameters:
  ///   - text: the condition.
  ///   - parameters: the values of its parameters, of which a copy is taken.
  public init(_ text: String, parameters: Parameters? = nil) { self.init(.text(text), parameters) }

  /// A condition of the query builder.
  ///
  /// - Parameters:
  ///   - expression: the condition.
  ///   - parameters: the values of its parameters, of which a copy is taken.
  public init(_ expression: any ExpressionProtocol, parameters: Parameters? = nil) {
    let built = BuiltExpression(expression)
    self.init(built.fault.map { .fault($0) } ?? .expression(built.model), parameters)
  }

  /// A condition in SQL++ without parameters.
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

  /// The query for the documents of a collection for which it is true.
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

/// What the hits of a search are sorted by instead of their scores: terms as they stand behind ORDER BY in a query.
///
/// ```swift
/// request.sort = "price DESC, META().id"
/// request.sort = SearchOrder(Ordering.property("price").descending(), Ordering.expression(Meta.id))
/// ```
///
/// Where all terms are equal, the hit with the better score comes first. `RANK(index)`, with the name of the index that is
/// searched, is the score.
public struct SearchOrder: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Content: Hashable {
    case text(String)
    case terms([SortTerm])
    case fault(CBLError)
  }

  private let content: Content

  /// Terms in SQL++: `price DESC NULLS LAST, name`.
  public init(_ text: String) { content = .text(text) }

  /// Terms of the query builder.
  public init(_ terms: any OrderingProtocol...) {
    let built = terms.map { BuiltOrdering($0) }
    content = built.lazy.compactMap(\.expression.fault).first.map { .fault($0) } ?? .terms(built.map(\.term))
  }

  /// Terms in SQL++.
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

/// Calls `body`, and says in what part of a search a text is wrong: the query is another one.
private func naming<T>(_ part: String, _ body: () throws -> T) throws -> T {
  do {
    return try body()
  } catch let error as QuerySyntaxError {
    throw CBLError.invalidQuery("\(part): \(error.description)")
  }
}
