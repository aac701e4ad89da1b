public import Foundation
import QueryModel

extension Collection {
  /// Makes a query of this collection from predicates: strings in the language of `NSPredicate`, which Foundation has
  /// only on Apple's systems.
  ///
  /// ```swift
  /// let query = try hotels.createQuery(
  ///   where: "type == 'user' && price < $MaxPrice", returning: ["name", "price"], orderBy: ["-price"])
  /// query.parameters = Parameters().setInt(100, forName: "MaxPrice")
  /// ```
  ///
  /// Each part can also be the JSON form of the query language as Swift values: `["=", [".type"], "user"]`.
  ///
  /// - Parameters:
  ///   - condition: a predicate, a JSON array that is a condition, or a dictionary that is a whole query and allows no
  ///     other parts; nil for all documents.
  ///   - grouping: expressions; documents with equal values of them become one row.
  ///   - groupCondition: a condition on the groups.
  ///   - columns: the columns of a row; without any, the id and the sequence of the document.
  ///   - isDistinct: whether equal rows are returned once.
  ///   - ordering: key paths and other expressions; a `-` at the beginning means descending.
  /// - Throws: ``CBLError/invalidQuery`` with the line, the position and what was expected.
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

  /// Makes a query of this collection from Foundation's `#Predicate` over a type that its documents are saved from.
  ///
  /// ```swift
  /// let query = try hotels.createQuery(
  ///   where: #Predicate<Hotel> { $0.stars >= 4 && $0.city == "Riga" }, orderBy: [SortDescriptor(\.name)])
  /// let found = try query.execute()
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: the condition.
  ///   - grouping: properties; documents with equal values of them become one row.
  ///   - columns: the columns of a row; without any, the id and the sequence of the document.
  ///   - isDistinct: whether equal rows are returned once.
  ///   - ordering: the order of the rows.
  /// - Throws: ``CBLError/invalidQuery`` for an expression that documents cannot be queried for, such as a computed
  ///   property.
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
  /// A query of the default collection from predicates. See ``Collection/createQuery(where:groupBy:having:returning:distinct:orderBy:)``.
  public func createQuery(
    where condition: Any? = nil, groupBy grouping: [Any]? = nil, having groupCondition: Any? = nil,
    returning columns: [Any]? = nil, distinct isDistinct: Bool = false, orderBy ordering: [Any]? = nil
  ) throws -> Query {
    try defaultCollection().createQuery(
      where: condition, groupBy: grouping, having: groupCondition, returning: columns, distinct: isDistinct,
      orderBy: ordering)
  }
}
