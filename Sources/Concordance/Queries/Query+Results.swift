import DocumentStore
import JSONText
import QueryCompiler

extension Query {
  /// Runs the query with its ``parameters`` and returns all rows.
  ///
  /// ```swift
  /// for row in try query.execute() { print(row.int(at: 0)) }
  /// ```
  ///
  /// The rows are read from one snapshot of the database; inside a batch, they include its changes. The result holds
  /// all rows in memory; ``rows()`` and ``forEachRow(_:)`` hold only a few rows at a time.
  ///
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidQuery`` for a query that cannot be compiled, or a function that fails.
  ///   - ``CBLError/missingIndex`` for a full-text index that does not exist.
  ///   - ``CBLError/invalidQueryParam`` for a parameter without a value.
  ///   - ``CBLError/timeout`` after ``timeout``.
  ///   - ``CBLError/notOpen`` if the database is closed.
  /// - Complexity: see ``explain()``, which reports the indexes that are used.
  public func execute() throws -> ResultSet { try execute(parameters: parameters) }

  /// Runs the query with the given values instead of ``parameters``, which are not changed.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name FROM hotels WHERE city = $city")
  /// let found = try query.execute(parameters: Parameters().setString("Riga", forName: "city"))
  /// ```
  ///
  /// Several threads can run one query at the same time, each with its own values.
  ///
  /// - Parameter parameters: the values of all parameters; nil for a query without parameters.
  /// - Throws: the same errors as ``execute()``.
  public func execute(parameters: Parameters?) throws -> ResultSet {
    let (columns, rows) = try allRows(parameters)
    return ResultSet(columns, rows, self)
  }

  /// Runs the query and collects its rows.
  func allRows(_ parameters: Parameters?) throws -> (columns: ResultColumns, rows: [[ColumnValue]]) {
    try withPublicErrors {
      let runner = try runner()
      let start = ContinuousClock.now
      defer { runner.engine.log.noteDuration(since: start, of: "query", text: description) }
      var rows: [[ColumnValue]] = []
      let query = try runner.run(parameterValues(of: parameters)) { query, row in
        rows.append(query.values(row))
        return true
      }
      return (ResultColumns(query.columnNames), rows)
    }
  }

  /// Runs the query and calls a closure with each row. Only one row is in memory at a time; inside a batch, all rows
  /// are.
  ///
  /// ```swift
  /// try query.forEachRow { row in
  ///   print(row.toJSON())
  ///   return true
  /// }
  /// ```
  ///
  /// - Parameter body: receives a row and returns whether to continue. It may use the database; the rows do not include
  ///   documents that it saves.
  /// - Throws: the same errors as ``execute()``; the errors of `body`.
  public func forEachRow(_ body: (Result) throws -> Bool) throws {
    try withPublicErrors {
      // Inside a batch, `body` may change rows while the statement reads them. SQLite leaves the result undefined, so
      // all rows are read first.
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
