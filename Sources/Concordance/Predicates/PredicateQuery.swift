import Foundation
import QueryModel

/// Builds queries from their parts: condition, grouping, columns and order.
///
/// ```swift
/// let query = try PredicateQuery.query(
///   over: CollectionPath("hotel"), where: "stars >= $Stars AND ANY tags == 'pool'", returning: ["name", "address.city"],
///   orderBy: ["-stars", "name"])
/// // SELECT name, address.city FROM hotel WHERE … ORDER BY stars DESC, name
/// ```
///
/// A part may be a string in the language of ``PredicateParser``, or the JSON form of the query language as Swift values, as
/// ``JSONQueryParser`` reads it. Nothing here runs a query.
enum PredicateQuery {
  /// A query from strings and JSON.
  ///
  /// - Parameters:
  ///   - path: the collection.
  ///   - condition: the condition: a predicate string, a JSON array that is a condition, a dictionary that is a whole
  ///     query, or nil for all. A whole query takes no other parts; it reads this collection if it names none.
  ///   - grouping: the expressions to group by. Documents with equal values become one row.
  ///   - groupCondition: which groups; as the condition, but no dictionary. `count(x)` is taken of the group's rows.
  ///   - columns: what a row returns; without any, the id and the sequence of the document. `count(x)` and its like are taken
  ///     of all rows, or of those of a group.
  ///   - isDistinct: whether equal rows are returned once.
  ///   - ordering: key paths and other expressions, descending with `-` in front, or JSON as in `ORDER_BY`.
  /// - Throws: ``CBLError/invalidQuery`` with what is wrong and where.
  static func query(
    over path: CollectionPath, where condition: Any? = nil, groupBy grouping: [Any] = [],
    having groupCondition: Any? = nil,
    returning columns: [Any] = [], distinct isDistinct: Bool = false, orderBy ordering: [Any] = []
  ) throws -> SelectQuery {
    try withPublicErrors {
      if let whole = condition as? [String: Any] {
        guard grouping.isEmpty, groupCondition == nil, columns.isEmpty, !isDistinct, ordering.isEmpty else {
          throw CBLError(CBLError.invalidQuery, "a dictionary is a whole query: its other parts belong into it")
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

  /// A query from Foundation's `#Predicate`, with key paths for its columns.
  ///
  /// - Throws: ``CBLError/invalidQuery`` for what cannot be asked of documents.
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

  /// A query from the parts of the model. Without columns it returns the id and the sequence of each document.
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
