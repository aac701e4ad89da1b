import QueryModel

/// Puts queries together from Swift calls.
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
/// Each call returns a ``Query`` that can be run as it is, or go on. None of them throws: a path that cannot be read or a
/// value that no query can hold makes running the query throw.
public enum QueryBuilder {
  /// A query that returns these results; without any, the id and the sequence of each document.
  public static func select(_ results: any SelectResultProtocol...) -> Select { select(results) }

  /// A query that returns these results; without any, the id and the sequence of each document.
  public static func select(_ results: [any SelectResultProtocol]) -> Select { Select(results, isDistinct: false) }

  /// A query that returns these results, equal rows once.
  public static func selectDistinct(_ results: any SelectResultProtocol...) -> Select { selectDistinct(results) }

  /// A query that returns these results, equal rows once.
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
