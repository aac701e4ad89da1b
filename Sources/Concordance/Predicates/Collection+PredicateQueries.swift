public import Foundation
import QueryModel

extension Collection {
  /// Creates a query over this collection from predicate strings in the syntax of Foundation's `NSPredicate`.
  ///
  /// ```swift
  /// let query = try hotels.createQuery(
  ///   where: "type == 'user' && price < $MaxPrice", returning: ["name", "price"], orderBy: ["-price"])
  /// query.parameters = Parameters().setInt(100, forName: "MaxPrice")
  /// ```
  ///
  /// In `returning`, `having` and `orderBy`, `count(x)`, `sum(x)`, `min(x)`, `max(x)` and `average(x)` aggregate the
  /// rows of a group, or all rows if there are no groups. In `where` and `groupBy` they aggregate the elements of the
  /// array `x`:
  ///
  /// ```swift
  /// let query = try hotels.createQuery(
  ///   where: "count(reviews) > 2", groupBy: ["address.city"], having: "count(name) > 1",
  ///   returning: ["address.city", "count(name)"])
  /// ```
  ///
  /// Each part can also be given in the JSON form of the query language, as Swift values: `["=", [".type"], "user"]`.
  ///
  /// - Parameters:
  ///   - condition: a predicate string; a JSON array that is a condition; or a dictionary that is a whole query, in
  ///     which case all other arguments must have their default values. Nil selects all documents.
  ///   - grouping: the expressions to group by. Documents with equal values for all of them become one row.
  ///   - groupCondition: a predicate string or a JSON array; only groups for which it is true are returned.
  ///   - columns: the columns of a row. If there are none, a row contains the id and the sequence of the document.
  ///   - isDistinct: whether duplicate rows are removed.
  ///   - ordering: the expressions to sort by, the most important first. A `-` at the beginning of a string sorts in
  ///     descending order.
  /// - Returns: the query, which is compiled when it first runs.
  /// - Throws: ``CBLError/invalidQuery`` if a part is malformed. For a string, the message contains the line, the
  ///   column and the expected input; for JSON, the path to the error.
  public func createQuery(
    where condition: Any? = nil, groupBy grouping: [Any]? = nil, having groupCondition: Any? = nil,
    returning columns: [Any]? = nil, distinct isDistinct: Bool = false, orderBy ordering: [Any]? = nil
  ) throws -> Query {
    Query(
      try PredicateQuery.query(
        over: path, where: condition, groupBy: grouping ?? [], having: groupCondition, returning: columns ?? [],
        distinct: isDistinct, orderBy: ordering ?? []),
      database: database)
  }

  /// Creates a query over this collection from Foundation's `#Predicate` for the `Codable` type whose values are saved
  /// as its documents.
  ///
  /// ```swift
  /// let query = try hotels.createQuery(
  ///   where: #Predicate<Hotel> { $0.stars >= 4 && $0.city == "Riga" }, orderBy: [SortDescriptor(\.name)])
  /// let found = try query.execute()
  /// ```
  ///
  /// The predicate is translated to a condition that SQLite evaluates, so it can use indexes. A property that is nil is
  /// null or missing in the document. Three operations differ from Swift: strings are compared by their bytes, `count`
  /// of a string counts Unicode code points, and dates are compared as the ISO 8601 strings in which they are stored.
  ///
  /// To find the coding keys of key paths, the translation decodes `T` from sample values. Read-only computed
  /// properties therefore cannot be used. If `init(from:)` rejects the sample values, only top-level properties with
  /// the names of their coding keys can be used.
  ///
  /// - Parameters:
  ///   - predicate: the condition; nil selects all documents.
  ///   - grouping: the properties to group by. Documents with equal values for all of them become one row.
  ///   - columns: the columns of a row. If there are none, a row contains the id and the sequence of the document.
  ///   - isDistinct: whether duplicate rows are removed.
  ///   - ordering: the order of the rows, the most important descriptor first. Each descriptor must have a key path; of
  ///     its properties, only the key path and the direction are used.
  /// - Returns: the query, which is compiled when it first runs.
  /// - Throws: ``CBLError/invalidQuery`` if an expression cannot be translated, for example a computed property, or if
  ///   the predicate captures a value that a document cannot contain.
  /// - Complexity: `T` is decoded once for each coding key.
  public func createQuery<T>(
    where predicate: Foundation.Predicate<T>?, groupBy grouping: [PartialKeyPath<T>] = [],
    returning columns: [PartialKeyPath<T>] = [], distinct isDistinct: Bool = false,
    orderBy ordering: [SortDescriptor<T>] = []
  ) throws -> Query {
    Query(
      try PredicateQuery.query(
        over: path, where: predicate, groupBy: grouping, returning: columns, distinct: isDistinct, orderBy: ordering),
      database: database)
  }

  private var path: CollectionPath { CollectionPath(name, scope: scope.name) }
}

extension Database {
  /// Creates a query over the default collection from predicate strings.
  ///
  /// See ``Collection/createQuery(where:groupBy:having:returning:distinct:orderBy:)`` for the syntax.
  ///
  /// - Parameters:
  ///   - condition: a predicate, a JSON array that is a condition, or a dictionary that is a whole query; nil for all
  ///     documents.
  ///   - grouping: the expressions to group by.
  ///   - groupCondition: a condition on the groups.
  ///   - columns: the columns of a row. If there are none, a row contains the id and the sequence of the document.
  ///   - isDistinct: whether duplicate rows are removed.
  ///   - ordering: the expressions to sort by, the most important first.
  /// - Returns: the query, which is compiled when it first runs.
  /// - Throws: ``CBLError/invalidQuery`` if a part is malformed; ``CBLError/notOpen`` if the database is closed.
  public func createQuery(
    where condition: Any? = nil, groupBy grouping: [Any]? = nil, having groupCondition: Any? = nil,
    returning columns: [Any]? = nil, distinct isDistinct: Bool = false, orderBy ordering: [Any]? = nil
  ) throws -> Query {
    try defaultCollection().createQuery(
      where: condition, groupBy: grouping, having: groupCondition, returning: columns, distinct: isDistinct,
      orderBy: ordering)
  }
}
