import QueryCompiler

extension Query {
  /// Returns an asynchronous sequence of the results of the query: the current result, and a new one whenever the rows
  /// change.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name FROM hotels WHERE stars >= 4 ORDER BY name")
  /// for try await rows in query.changes() {
  ///   print(rows.count, "hotels")
  /// }
  /// ```
  ///
  /// ``addChangeListener(withQueue:minimumInterval:_:)`` describes when the query runs again. If a run fails, the
  /// sequence throws the error and ends.
  ///
  /// - Parameter minimumInterval: the minimum time between the starts of two runs; 0 for none.
  /// - Returns: the sequence; see ``LiveSequence`` for its lifetime.
  public func changes(minimumInterval: Duration = Query.defaultMinimumInterval) -> LiveSequence<QueryResults> {
    LiveSequence({ self.liveStream(minimumInterval) }) { rows, _ in QueryResults(rows.columns, rows.values, self) }
  }

  /// Returns an asynchronous sequence of the results of the query, with the differences between them.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name, price FROM hotels ORDER BY price")
  /// var lines: [String] = []
  /// for try await change in query.differences() {
  ///   change.difference.apply(to: &lines) { change.results[$0].toJSON() }
  ///   print(change.difference.moves, lines)
  /// }
  /// ```
  ///
  /// Each difference is relative to the previous element of the same loop, so that a loop can apply the differences in
  /// order, even if it is slow.
  ///
  /// - Parameters:
  ///   - column: the name of the column whose value identifies a row. If nil, a row is identified by the id of its
  ///     document, which the query need not return. A query with `GROUP BY`, `DISTINCT`, an aggregate, a join or
  ///     `UNNEST` has no such id: its rows are identified by all of their values, and an updated row appears as a
  ///     deletion and an insertion.
  ///   - minimumInterval: the minimum time between the starts of two runs; 0 for none.
  ///   - maximumRowCount: the maximum number of rows; nil for no limit. A run with more rows stops at the first
  ///     excess row, and the sequence throws an error whose ``CBLError/isRowLimitExceeded`` is true.
  /// - Returns: the sequence; see ``LiveSequence`` for its lifetime. It throws ``CBLError/invalidParameter`` if the
  ///   query has no such column.
  /// - Complexity: O(n log n) in the number of rows for each difference.
  public func differences(
    identifiedBy column: String? = nil, minimumInterval: Duration = Query.defaultMinimumInterval,
    maximumRowCount: Int? = nil
  ) -> LiveSequence<QueryDifference> {
    differences(
      identifiedByColumns: column.map { [$0] } ?? [], minimumInterval: minimumInterval,
      maximumRowCount: maximumRowCount)
  }

  /// Returns an asynchronous sequence of the results of the query, with the differences between them.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT type, city, COUNT(*) AS count FROM hotels GROUP BY type, city")
  /// for try await change in query.differences(identifiedByColumns: ["type", "city"]) {
  ///   print(change.difference.updates)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - columns: the names of the columns whose values together identify a row. If empty, rows are identified as in
  ///     ``differences(identifiedBy:minimumInterval:maximumRowCount:)`` without a column.
  ///   - minimumInterval: the minimum time between the starts of two runs; 0 for none.
  ///   - maximumRowCount: see ``differences(identifiedBy:minimumInterval:maximumRowCount:)``.
  /// - Returns: the sequence; see ``LiveSequence`` for its lifetime. It throws ``CBLError/invalidParameter`` if one of
  ///   the columns is not in the result.
  /// - Complexity: O(n log n) in the number of rows for each difference.
  public func differences(
    identifiedByColumns columns: [String], minimumInterval: Duration = Query.defaultMinimumInterval,
    maximumRowCount: Int? = nil
  ) -> LiveSequence<QueryDifference> {
    differences(
      identifiedByColumns: columns, minimumInterval: minimumInterval, limits: LiveRowLimits(rowCount: maximumRowCount))
  }

  /// Returns an asynchronous sequence of the results of the query, with the differences between them.
  ///
  /// - Parameters:
  ///   - column: see ``differences(identifiedBy:minimumInterval:maximumRowCount:)``.
  ///   - maximumRowCount: the maximum number of rows.
  ///   - maximumSize: the maximum size of the rows in bytes. If a run exceeds it, the sequence throws an error whose
  ///     ``CBLError/isSizeLimitExceeded`` is true.
  @_spi(Command) public func differences(
    identifiedBy column: String?, maximumRowCount: Int, maximumSize: Int
  ) -> LiveSequence<QueryDifference> {
    differences(
      identifiedByColumns: column.map { [$0] } ?? [], minimumInterval: Query.defaultMinimumInterval,
      limits: LiveRowLimits(rowCount: maximumRowCount, size: maximumSize))
  }

  private func differences(
    identifiedByColumns columns: [String], minimumInterval: Duration, limits: LiveRowLimits
  ) -> LiveSequence<QueryDifference> {
    LiveSequence({ self.liveStream(minimumInterval, identifiedBy: columns, limits: limits) }) { rows, previous in
      let old = previous?.identities(columns) ?? []
      let difference = ListDifference(from: old, to: rows.identities(columns)) {
        previous?.values[$0] != rows.values[$1]
      }
      return QueryDifference(results: QueryResults(rows.columns, rows.values, self), difference: difference)
    }
  }

  private func liveStream(
    _ minimumInterval: Duration, identifiedBy columns: [String] = [], limits: LiveRowLimits = LiveRowLimits()
  ) -> AsyncThrowingStream<LiveRows, any Error> {
    let make: @Sendable () throws -> LiveResult<LiveRows> = {
      let result = try self.liveResult(limits: limits)
      for column in columns where try !self.columnNames().contains(column) {
        throw CBLError(CBLError.invalidParameter, "the query has no column \"\(column)\" to identify its rows by")
      }
      return result
    }
    guard let database else {
      // A query without a source cannot be live: `make` throws the error.
      return AsyncThrowingStream(unfolding: {
        _ = try make()
        return nil
      })
    }
    return LiveResult<LiveRows>.stream(
      on: database.engine.liveQueries, of: make, minimumInterval: minimumInterval)
  }
}

extension LiveRows {
  /// Returns the identity of each row.
  fileprivate func identities(_ names: [String]) -> [[ColumnValue]] {
    let positions = names.compactMap { columns.position(of: $0) }
    if !positions.isEmpty { return values.map { row in positions.map { row[$0] } } }
    return ids?.map { [.string($0)] } ?? values
  }
}
