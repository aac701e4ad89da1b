import DocumentStore
import QueryModel

/// A type that creates queries from SQL++: ``Database``.
public protocol QueryFactory {
  /// Creates a query from SQL++. See ``Database/createQuery(_:)``.
  ///
  /// - Parameter query: the text of the query.
  /// - Throws: the same errors as ``Database/createQuery(_:)``.
  func createQuery(_ query: String) throws -> Query
}

extension Database: QueryFactory {
  /// Creates a query from SQL++.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name FROM hotels WHERE stars >= $stars ORDER BY name")
  /// query.parameters = Parameters().setInt(4, forName: "stars")
  /// for row in try query.execute() { print(row.string(forKey: "name") ?? "") }
  /// ```
  ///
  /// `_` is the default collection. Collections of other scopes are written as `scope.collection`.
  ///
  /// The query is compiled for the current collections and indexes of the database. The first run after they have
  /// changed compiles it again.
  ///
  /// - Parameter query: the text of the query.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidQuery`` for a syntax error, with the line, the position and the expected input, or for a
  ///     collection that does not exist.
  ///   - ``CBLError/missingIndex`` for a full-text index that does not exist.
  ///   - ``CBLError/notOpen`` if the database is closed.
  /// - Complexity: O(n) in the length of the text.
  public func createQuery(_ query: String) throws -> Query {
    try compiled(Query(try withPublicErrors { try SQLParser().parse(query) }, database: self))
  }

  /// Creates a query from the JSON form of the query language.
  ///
  /// ```swift
  /// try database.createQuery(json: #"{"WHAT": [[".name"]], "FROM": [{"COLLECTION": "hotels"}]}"#)
  /// ```
  ///
  /// - Parameter json: a whole query, as an object or an operation such as `["SELECT", {…}]`. Any other operation is
  ///   the `WHERE` clause of a query that returns ids and sequences.
  /// - Throws: the same errors as ``createQuery(_:)``, with the path of the error.
  public func createQuery(json: String) throws -> Query {
    try compiled(Query(try withPublicErrors { try JSONQueryParser().parse(json) }, database: self))
  }

  /// Returns the query after checking its collections and indexes against the catalog.
  private func compiled(_ query: Query) throws -> Query {
    try withPublicErrors {
      let runner = try query.runner()
      _ = try engine.store.read { try runner.compiled($0) }
    }
    return query
  }
}
