import DocumentStore

/// A ``Query`` for tasks. See ``AsyncDatabase``.
public struct AsyncQuery: Sendable {
  /// The query.
  public let query: Query

  /// Runs the query with its own parameters. See ``Query/execute()``.
  ///
  /// All rows are in memory; ``Query/rows()`` is an asynchronous sequence that reads them as they are asked for.
  public func execute() async throws -> QueryResults { try await execute(parameters: query.parameters) }

  /// Runs the query with these parameters, in place of its own. See ``Query/execute(parameters:)``.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name FROM hotels WHERE city = $city")
  /// async let inRiga = query.async.execute(parameters: Parameters().setString("Riga", forName: "city"))
  /// async let inOslo = query.async.execute(parameters: Parameters().setString("Oslo", forName: "city"))
  /// print(try await inRiga.count, try await inOslo.count)
  /// ```
  public func execute(parameters: Parameters?) async throws -> QueryResults {
    let query = query
    return try await withPublicErrors { try query.runner() }.engine.readers.run {
      let (columns, rows) = try query.allRows(parameters)
      return QueryResults(columns, rows, query)
    }
  }
}

extension Query {
  /// The asynchronous calls of the query. See ``AsyncDatabase``.
  public var async: AsyncQuery { AsyncQuery(query: self) }
}
