import DocumentStore
import QueryModel

/// Makes queries from SQL++: a ``Database``.
public protocol QueryFactory {
  /// The query of a text. See ``Database/createQuery(_:)``.
  func createQuery(_ query: String) throws -> Query
}

extension Database: QueryFactory {
  /// The query of an SQL++ text.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name FROM hotels WHERE stars >= $stars ORDER BY name")
  /// query.parameters = Parameters().setInt(4, forName: "stars")
  /// ```
  ///
  /// `_` is the default collection. Collections of other scopes are written `scope.collection`.
  ///
  /// The query is compiled for the collections and indexes that the database has now, and again by the next run after these
  /// have changed.
  ///
  /// - Throws: ``CBLError``: ``CBLError/invalidQuery`` with the line, the place and what was expected there, and for a
  ///   collection that does not exist; ``CBLError/missingIndex`` for a full-text index that does not exist;
  ///   ``CBLError/notOpen``.
  /// - Complexity: O(*n*) in the length of the text.
  public func createQuery(_ query: String) throws -> Query {
    try compiled(Query(try withPublicErrors { try SQLParser().parse(query) }, database: self))
  }

  /// The query of its JSON form: an object or an operation such as `["SELECT", {…}]` is a whole query, any other operation the
  /// `WHERE` of one that returns ids and sequences.
  ///
  /// ```swift
  /// try database.createQuery(json: #"{"WHAT": [[".name"]], "FROM": [{"COLLECTION": "hotels"}]}"#)
  /// ```
  ///
  /// - Throws: as ``createQuery(_:)``, with the path to the fault.
  public func createQuery(json: String) throws -> Query {
    try compiled(Query(try withPublicErrors { try JSONQueryParser().parse(json) }, database: self))
  }

  /// The query, after the catalog was asked for its collections and indexes.
  private func compiled(_ query: Query) throws -> Query {
    try withPublicErrors {
      let runner = try query.runner()
      _ = try engine.store.read { try runner.compiled($0) }
    }
    return query
  }
}
