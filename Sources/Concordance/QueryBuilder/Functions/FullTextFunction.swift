import QueryModel

/// A reference to an index of a collection in a query.
public protocol IndexExpressionProtocol: Sendable {}

/// A reference to a full-text index of a collection in a query.
public protocol FullTextIndexExpressionProtocol: IndexExpressionProtocol {
  /// Returns the index in the collection of the source with this name.
  ///
  /// - Parameter alias: the name of the source.
  func from(_ alias: String) -> any FullTextIndexExpressionProtocol
}

/// Full-text search in a query.
///
/// ```swift
/// let index = Expression.fullTextIndex("text")
/// let query = QueryBuilder
///   .select(SelectResult.expression(Meta.id))
///   .from(DataSource.collection(hotels))
///   .where(FullTextFunction.match(index, query: "harbour AND view"))
///   .orderBy(Ordering.expression(FullTextFunction.rank(index)).descending())
/// ```
public enum FullTextFunction {
  /// `RANK(index)`: the score of the document in ``match(_:query:)-(_,String)``; higher is better.
  ///
  /// - Parameter index: the index; see ``Expression/fullTextIndex(_:)``.
  public static func rank(_ index: any IndexExpressionProtocol) -> any ExpressionProtocol {
    built(index) { BuiltExpression(.rank($0)) }
  }

  /// `MATCH(index, query)`: true if the document matches a full-text query.
  ///
  /// - Parameters:
  ///   - index: the index; see ``Expression/fullTextIndex(_:)``.
  ///   - query: the query, in FTS5 query syntax.
  public static func match(_ index: any IndexExpressionProtocol, query: String) -> any ExpressionProtocol {
    match(index, query: Expression.string(query))
  }

  /// `MATCH(index, query)` with a query that is an expression, such as a parameter. Not in Couchbase Lite.
  ///
  /// - Parameters:
  ///   - index: the index; see ``Expression/fullTextIndex(_:)``.
  ///   - query: the query, in FTS5 query syntax; an expression whose value is a string.
  public static func match(
    _ index: any IndexExpressionProtocol, query: any ExpressionProtocol
  ) -> any ExpressionProtocol {
    built(index) { name in query.changed { .match(name, query: $0) } }
  }

  /// `RANK(index)` for the index with this name.
  ///
  /// - Parameter indexName: the name of the index, optionally preceded by the name of a source: `hotel.text`.
  public static func rank(_ indexName: String) -> any ExpressionProtocol { rank(Expression.fullTextIndex(indexName)) }

  /// `MATCH(index, query)` for the index with this name.
  ///
  /// - Parameters:
  ///   - indexName: the name of the index, optionally preceded by the name of a source: `hotel.text`.
  ///   - query: the query, in FTS5 query syntax.
  public static func match(indexName: String, query: String) -> any ExpressionProtocol {
    match(Expression.fullTextIndex(indexName), query: query)
  }

  private static func built(
    _ index: any IndexExpressionProtocol, _ make: (FullTextIndexName) -> BuiltExpression
  ) -> any ExpressionProtocol {
    guard let index = index as? BuiltFullTextIndex else {
      return BuiltExpression.foreign(index, "Expression.fullTextIndex")
    }
    return make(index.name)
  }
}

struct BuiltFullTextIndex: FullTextIndexExpressionProtocol {
  let name: FullTextIndexName

  init(_ name: FullTextIndexName) { self.name = name }

  func from(_ alias: String) -> any FullTextIndexExpressionProtocol {
    BuiltFullTextIndex(FullTextIndexName(name.name, source: alias))
  }
}
