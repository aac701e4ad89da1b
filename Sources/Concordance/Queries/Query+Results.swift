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
  public func execute() throws -> ResultSet { try execute(parameters: parameters) }

  /// Runs the query with these parameters, in place of ``parameters``, which stay as they are.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name FROM hotels WHERE city = $city")
  /// let found = try query.execute(parameters: Parameters().setString("Riga", forName: "city"))
  /// ```
  ///
  /// Several threads may run one query at the same time, each with its own values.
  ///
  /// - Parameter parameters: the values of all parameters; nil for a query without any.
  /// - Throws: as ``execute()``.
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
