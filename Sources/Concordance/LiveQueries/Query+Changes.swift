import QueryCompiler

extension Query {
  /// Returns an asynchronous sequence of the results of the query: the current one, and another one after each change
  /// of the rows.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT name FROM hotels WHERE stars >= 4 ORDER BY name")
  /// for try await rows in query.changes() {
  ///   print(rows.count, "hotels")
  /// }
  /// ```
  ///
  /// ``addChangeListener(withQueue:_:)`` describes when the query runs again. An error of a run ends the sequence.
  ///
  /// - Parameter minimumInterval: the minimum time between the beginnings of two runs; 0 for none.
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
  /// Each difference is that from the previous element of the same loop, so that they can be applied one after the
  /// other, even if the loop is slow.
  ///
  /// - Parameters:
  ///   - column: the name of the column whose value identifies a row. If nil, a row is identified by the id of its
  ///     document, which the query need not return. A query with `GROUP BY`, `DISTINCT`, an aggregate, a join or
  ///     `UNNEST` has no such id; then a row is identified by all of its values, and an updated row is a deletion and
  ///     an insertion.
  ///   - minimumInterval: the minimum time between the beginnings of two runs; 0 for none.
  /// - Returns: the sequence; see ``LiveSequence`` for its lifetime. It throws ``CBLError/invalidParameter`` if the
  ///   query has no such column.
  /// - Complexity: O(n log n) in the number of rows for each difference.
  public func differences(
    identifiedBy column: String? = nil, minimumInterval: Duration = Query.defaultMinimumInterval
  ) -> LiveSequence<QueryDifference> {
    LiveSequence({ self.liveStream(minimumInterval, identifiedBy: column) }) { rows, previous in
      let old = previous?.identities(column) ?? []
      let difference = ListDifference(from: old, to: rows.identities(column)) {
        previous?.values[$0] != rows.values[$1]
      }
      return QueryDifference(results: QueryResults(rows.columns, rows.values, self), difference: difference)
    }
  }

  private func liveStream(
    _ minimumInterval: Duration, identifiedBy column: String? = nil
  ) -> AsyncThrowingStream<LiveRows, any Error> {
    do {
      guard let database else {
        _ = try runner()
        throw CBLError(CBLError.invalidQuery, "the query has no source")
      }
      if let column, try !columnNames().contains(column) {
        throw CBLError(CBLError.invalidParameter, "the query has no column \"\(column)\" to identify its rows by")
      }
      let result = try liveResult(in: database)
      return result.stream { body, onEnd in
        self.startLive(
          body, reading: result.collections, in: database, minimumInterval: minimumInterval, onEnd: onEnd)
      }
    } catch {
      return AsyncThrowingStream { throw error }
    }
  }
}

extension LiveRows {
  /// Returns what identifies each row.
  fileprivate func identities(_ column: String?) -> [[ColumnValue]] {
    if let position = column.flatMap({ columns.positions[$0] }) { return values.map { [$0[position]] } }
    return ids?.map { [.string($0)] } ?? values
  }
}
