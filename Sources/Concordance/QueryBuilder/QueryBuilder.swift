import QueryModel

/// Builds queries in Swift, clause by clause.
///
/// ```swift
/// let query = QueryBuilder
///   .select(SelectResult.property("name"))
///   .from(DataSource.collection(hotels))
///   .where(Expression.property("stars").greaterThan(Expression.int(3)))
///   .orderBy(Ordering.property("name").ascending())
///   .limit(Expression.int(10))
/// ```
///
/// Each call returns a ``Query`` that can be run, or extended with another clause. No call throws: an error, such as a
/// path that cannot be parsed, makes running the query throw ``CBLError/invalidQuery``.
public enum QueryBuilder {
  /// Creates a query that returns the given columns.
  ///
  /// - Parameter results: the columns; see ``SelectResult``. If there are none, the query returns the id and the
  ///   sequence of each document.
  public static func select(_ results: any SelectResultProtocol...) -> Select { select(results) }

  /// Creates a query that returns the given columns.
  ///
  /// - Parameter results: the columns; see ``SelectResult``. If there are none, the query returns the id and the
  ///   sequence of each document.
  public static func select(_ results: [any SelectResultProtocol]) -> Select { Select(results, isDistinct: false) }

  /// Creates a query that returns the given columns, without duplicate rows.
  ///
  /// - Parameter results: the columns; see ``SelectResult``.
  public static func selectDistinct(_ results: any SelectResultProtocol...) -> Select { selectDistinct(results) }

  /// Creates a query that returns the given columns, without duplicate rows.
  ///
  /// - Parameter results: the columns; see ``SelectResult``.
  public static func selectDistinct(_ results: [any SelectResultProtocol]) -> Select {
    Select(results, isDistinct: true)
  }
}

extension Select {
  fileprivate convenience init(_ results: [any SelectResultProtocol], isDistinct: Bool) {
    var draft = QueryDraft(query: SelectQuery(isDistinct: isDistinct, columns: []))
    for result in results {
      let column = BuiltColumn(result)
      draft.note(column.expression.fault)
      draft.query.columns.append(ResultColumn(column.expression.model, alias: column.alias))
    }
    if results.isEmpty {
      draft.query.columns = [
        ResultColumn(.metadata(.id, source: nil)), ResultColumn(.metadata(.sequence, source: nil)),
      ]
    }
    self.init(draft)
  }
}
