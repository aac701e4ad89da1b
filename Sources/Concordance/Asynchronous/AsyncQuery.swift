import DocumentStore

/// The asynchronous methods of a ``Query``. See ``AsyncDatabase``.
///
/// ```swift
/// let results = try await database.createQuery("SELECT name FROM hotels").async.execute()
/// ```
public struct AsyncQuery: Sendable {
  /// The query.
  public let query: Query

  /// Runs the query with its own parameters. See ``Query/execute()``.
  ///
  /// All rows are read into memory. To read them on demand, use the asynchronous sequence ``Query/rows()``.
  ///
  /// - Returns: the rows.
  /// - Throws: the same errors as ``Query/execute()``; `CancellationError`.
  public func execute() async throws -> QueryResults { try await execute(parameters: query.parameters) }

  /// Runs the query with the given parameters instead of its own. See ``Query/execute(parameters:)``.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name FROM hotels WHERE city = $city")
  /// async let inRiga = query.async.execute(parameters: Parameters().setString("Riga", forName: "city"))
  /// async let inOslo = query.async.execute(parameters: Parameters().setString("Oslo", forName: "city"))
  /// print(try await inRiga.count, try await inOslo.count)
  /// ```
  ///
  /// - Parameter parameters: the values of all parameters; nil for a query without parameters.
  /// - Returns: the rows.
  /// - Throws: the same errors as ``Query/execute()``; `CancellationError`.
  public func execute(parameters: Parameters?) async throws -> QueryResults {
    let query = query
    return try await withPublicErrors { try query.runner() }.engine.readers.run {
      let (columns, rows) = try query.allRows(parameters)
      return QueryResults(columns, rows, query)
    }
  }
}

extension Query {
  /// The asynchronous methods of the query. See ``AsyncDatabase``.
  public var async: AsyncQuery { AsyncQuery(query: self) }
}
