import DocumentStore
import JSONText
import QueryCompiler

extension Query {
  /// Runs the query.
  ///
  /// ```swift
  /// for row in try query.execute() { print(row.int(at: 0)) }
  /// ```
  ///
  /// The result is what the database held at this moment, or, inside a batch, what the batch has made of it; later
  /// changes do not touch it. All rows are in memory; ``rows()`` and ``forEachRow(_:)`` hold one at a time.
  ///
  /// - Throws: ``CBLError``: ``CBLError/invalidQuery``, ``CBLError/missingIndex``, ``CBLError/invalidQueryParam`` for a
  ///   parameter that has no value.
  public func execute() throws -> ResultSet {
    try withPublicErrors {
      var rows: [[ColumnValue]] = []
      let query = try runner().run(parameterValues()) { query, row in
        rows.append(query.values(row))
        return true
      }
      return ResultSet(ResultColumns(query.columnNames), rows, self)
    }
  }

  /// Runs the query and calls `body` with each row, without holding more than one, unless it is called inside a batch.
  ///
  /// ```swift
  /// try query.forEachRow { row in
  ///   print(row.toJSON())
  ///   return true
  /// }
  /// ```
  ///
  /// - Parameter body: returns whether to go on. It may use the database; what it saves is not among the rows.
  /// - Throws: as ``execute()``, and what `body` throws.
  public func forEachRow(_ body: (Result) throws -> Bool) throws {
    try withPublicErrors {
      // Inside a batch the rows would change under the statement: SQLite does not say which of them it meets then.
      if try runner().engine.store.isWriting {
        for row in try execute() {
          guard try body(row) else { return }
        }
        return
      }
      var columns: ResultColumns?
      try runner().run(parameterValues(), isStreaming: true) { query, row in
        let known = columns ?? ResultColumns(query.columnNames)
        columns = known
        return try body(Result(known, query.values(row), self))
      }
    }
  }
}
