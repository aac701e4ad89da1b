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
  /// - Throws: ``CBLError/invalidQuery`` with the line, the place and what was expected there. Names of collections and
  ///   indexes are looked up when the query runs.
  /// - Complexity: O(*n*) in the length of the text.
  public func createQuery(_ query: String) throws -> Query {
    Query(try withPublicErrors { try SQLParser().parse(query) }, database: self)
  }

  /// The query of its JSON form: an object or an operation such as `["SELECT", {…}]` is a whole query, any other operation the
  /// `WHERE` of one that returns ids and sequences.
  ///
  /// ```swift
  /// try database.createQuery(json: #"{"WHAT": [[".name"]], "FROM": [{"COLLECTION": "hotels"}]}"#)
  /// ```
  ///
  /// - Throws: ``CBLError/invalidQuery`` with the path to the fault.
  public func createQuery(json: String) throws -> Query {
    Query(try withPublicErrors { try JSONQueryParser().parse(json) }, database: self)
  }
}
