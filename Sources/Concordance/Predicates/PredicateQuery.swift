import Foundation
import QueryModel

/// Builds queries from their parts: condition, grouping, columns and order.
///
/// ```swift
/// let query = try PredicateQuery.query(
///   over: CollectionPath("hotel"), where: "stars >= $Stars AND ANY tags == 'pool'",
///   returning: ["name", "address.city"], orderBy: ["-stars", "name"])
/// // SELECT name, address.city FROM hotel WHERE … ORDER BY stars DESC, name
/// ```
///
/// A part is a string that ``PredicateParser`` parses, or the JSON form of the query language as Swift values, which
/// ``JSONQueryParser`` parses.
enum PredicateQuery {
  /// Builds a query from strings and JSON.
  ///
  /// - Parameters:
  ///   - path: the collection.
  ///   - condition: a predicate string; a JSON array that is a condition; a dictionary that is a whole query; or nil
  ///     for all documents. With a whole query, the other parts must be omitted. A whole query without `FROM` reads the
  ///     collection at `path`.
  ///   - grouping: the expressions to group by. Documents with equal values become one row.
  ///   - groupCondition: a predicate string or a JSON array. Functions such as `count(x)` aggregate the rows of a
  ///     group.
  ///   - columns: the columns of a row; if there are none, the id and the sequence of the document. Functions such as
  ///     `count(x)` aggregate the rows of a group, or all rows.
  ///   - isDistinct: whether duplicate rows are removed.
  ///   - ordering: strings, descending if they begin with `-`, or JSON as in `ORDER_BY`.
  /// - Throws: ``CBLError/invalidQuery`` with the error and its location.
  static func query(
    over path: CollectionPath, where condition: Any? = nil, groupBy grouping: [Any] = [],
    having groupCondition: Any? = nil,
    returning columns: [Any] = [], distinct isDistinct: Bool = false, orderBy ordering: [Any] = []
  ) throws -> SelectQuery {
    try withPublicErrors {
      if let whole = condition as? [String: Any] {
        guard grouping.isEmpty, groupCondition == nil, columns.isEmpty, !isDistinct, ordering.isEmpty else {
          throw CBLError(
            CBLError.invalidQuery, "a dictionary is a whole query; move the other parts into the dictionary")
        }
        return try QueryPart(whole, "the query").wholeQuery(over: path)
      }
      return select(
        from: path, where: try condition.map { try QueryPart($0, "where").condition(of: .elements) },
        groupBy: try grouping.map { try QueryPart($0, "groupBy").expression(of: .elements) },
        having: try groupCondition.map { try QueryPart($0, "having").condition(of: .rows) },
        returning: try columns.map { try QueryPart($0, "returning").column() }, distinct: isDistinct,
        orderBy: try ordering.map { try QueryPart($0, "orderBy").sortTerm() })
    }
  }

  /// Builds a query from Foundation's `#Predicate`, with key paths for the groups and columns.
  ///
  /// - Throws: ``CBLError/invalidQuery`` if an expression cannot be translated.
  static func query<T>(
    over path: CollectionPath, where predicate: Foundation.Predicate<T>?, groupBy grouping: [PartialKeyPath<T>] = [],
    returning columns: [PartialKeyPath<T>] = [], distinct isDistinct: Bool = false,
    orderBy ordering: [SortDescriptor<T>] = []
  ) throws -> SelectQuery {
    select(
      from: path, where: try predicate.map { try PredicateTranslator.expression($0) },
      groupBy: try grouping.map { try PredicateTranslator.expression($0) },
      returning: try columns.map { ResultColumn(try PredicateTranslator.expression($0)) }, distinct: isDistinct,
      orderBy: try ordering.map { try PredicateTranslator.sortTerm($0) })
  }

  /// Builds a query from translated parts. Without columns, it returns the id and the sequence of each document.
  static func select(
    from path: CollectionPath, where condition: QueryExpression? = nil, groupBy grouping: [QueryExpression] = [],
    having groupCondition: QueryExpression? = nil, returning columns: [ResultColumn] = [],
    distinct isDistinct: Bool = false, orderBy ordering: [SortTerm] = []
  ) -> SelectQuery {
    let identity = [MetadataField.id, .sequence].map { ResultColumn(.metadata($0, source: nil)) }
    return SelectQuery(
      isDistinct: isDistinct, columns: columns.isEmpty ? identity : columns, sources: [QuerySource(.collection(path))],
      filter: condition, grouping: grouping, groupFilter: groupCondition, ordering: ordering)
  }
}
