import JSONText
import QueryModel

// The query functions of the first developer builds of Couchbase Lite 2. In these builds, a database had no
// collections, plain values were used instead of expressions, and `match` was a method of a property.

extension Query {
  /// The older name of ``QueryBuilder/select(_:)-(SelectResultProtocol...)``.
  ///
  /// - Parameter results: the result columns. If there are none, the query returns the id and the sequence of each
  ///   document.
  public static func select(_ results: any SelectResultProtocol...) -> Select { QueryBuilder.select(results) }

  /// The older name of ``QueryBuilder/select(_:)-([SelectResultProtocol])``.
  ///
  /// - Parameter results: the result columns. If there are none, the query returns the id and the sequence of each
  ///   document.
  public static func select(_ results: [any SelectResultProtocol]) -> Select { QueryBuilder.select(results) }

  /// The older name of ``QueryBuilder/selectDistinct(_:)-(SelectResultProtocol...)``.
  ///
  /// - Parameter results: the result columns.
  public static func selectDistinct(_ results: any SelectResultProtocol...) -> Select {
    QueryBuilder.selectDistinct(results)
  }

  /// The older name of ``QueryBuilder/selectDistinct(_:)-([SelectResultProtocol])``.
  ///
  /// - Parameter results: the result columns.
  public static func selectDistinct(_ results: [any SelectResultProtocol]) -> Select {
    QueryBuilder.selectDistinct(results)
  }
}

extension DataSource {
  /// Returns a data source for the default collection of a database. In a row, the key of ``SelectResult/all()`` is the
  /// name of the database, unless the source has an alias.
  ///
  /// - Parameter database: the database.
  public static func database(_ database: Database) -> any DataSourceAs {
    var source = QuerySource(.collection(CollectionPath(Collection.defaultCollectionName)))
    source.columnName = database.name
    return BuiltSource(source, database: database)
  }
}

extension ExpressionProtocol {
  /// Returns an expression that is true if the property matches a full-text query. It uses the full-text index on the
  /// property. See ``FullTextFunction/match(_:query:)-(_,String)``.
  ///
  /// - Parameter query: the full-text query.
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
  /// Limits the number of rows.
  ///
  /// - Parameter limit: the maximum number of rows.
  public func limit(_ limit: Int) -> Limit { self.limit(Expression.int(limit)) }

  /// Limits the number of rows, and skips the first rows.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows.
  ///   - offset: the number of rows to skip.
  public func limit(_ limit: Int, offset: Int) -> Limit {
    self.limit(Expression.int(limit), offset: Expression.int(offset))
  }
}
