import JSONText
import QueryModel

// Queries as the first developer builds of Couchbase Lite 2 wrote them: a database was one collection, plain values stood
// where expressions stand today, and a property was searched without the name of an index.

extension Query {
  /// The older name of ``QueryBuilder/select(_:)-(SelectResultProtocol...)``. Without results, a query that returns the id
  /// and the sequence of each document.
  public static func select(_ results: any SelectResultProtocol...) -> Select { QueryBuilder.select(results) }

  /// The older name of ``QueryBuilder/select(_:)-([SelectResultProtocol])``.
  public static func select(_ results: [any SelectResultProtocol]) -> Select { QueryBuilder.select(results) }

  /// The older name of ``QueryBuilder/selectDistinct(_:)-(SelectResultProtocol...)``.
  public static func selectDistinct(_ results: any SelectResultProtocol...) -> Select {
    QueryBuilder.selectDistinct(results)
  }

  /// The older name of ``QueryBuilder/selectDistinct(_:)-([SelectResultProtocol])``.
  public static func selectDistinct(_ results: [any SelectResultProtocol]) -> Select {
    QueryBuilder.selectDistinct(results)
  }
}

extension DataSource {
  /// The documents of a database's default collection.
  public static func database(_ database: Database) -> any DataSourceAs {
    BuiltSource(QuerySource(.collection(CollectionPath(Collection.defaultCollectionName))), database: database)
  }
}

extension ExpressionProtocol {
  /// Whether the property matches a full-text query, by the full-text index over the property.
  /// See ``FullTextFunction/match(_:query:)-(_,String)``.
  public func match(_ query: String) -> any ExpressionProtocol {
    let built = BuiltExpression(self)
    guard built.fault == nil, case .property(let path, let source) = built.model else {
      return BuiltExpression(
        fault: built.fault ?? .invalidQuery("only a property can be matched, not \(built.model)"))
    }
    return BuiltExpression(
      .match(FullTextIndexName(path.description, source: source), query: .string(query)))
  }

  /// The older name of ``isNotValued()``.
  public func isNullOrMissing() -> any ExpressionProtocol { isNotValued() }

  /// The older name of ``isValued()``.
  public func notNullOrMissing() -> any ExpressionProtocol { isValued() }
}

extension LimitRouter {
  /// The same query, but no more rows than this.
  public func limit(_ limit: Int) -> Limit { self.limit(Expression.int(limit)) }

  /// The same query, but no more rows than this, without the first ones.
  public func limit(_ limit: Int, offset: Int) -> Limit {
    self.limit(Expression.int(limit), offset: Expression.int(offset))
  }
}
