import PostgresAccess

/// The rows of indexes that no longer exist. A merge has added them while the index was dropped.
struct DroppedIndexRows {
  let transactions: any MaintenanceTransactions

  private static let tables = SegmentSchema.tables + PatternSegments.tables

  /// Deletes the rows.
  ///
  /// - Complexity: O(i log n) in the number of indexes and rows, if there are no such rows.
  func delete() throws {
    let found = try indexesWithRows()
    guard try transactions.read({ try !unlisted(found, $0).isEmpty }) else { return }
    // While no other transaction creates an index, every index that is not listed is a dropped one. Its ID is not used
    // again, so its rows are deleted without the lock of writers.
    let indexes = try transactions.write { try unlisted(found, $0) }
    let nodes = try transactions.read { $0.nodes }
    for index in indexes {
      for node in nodes.shardNodes {
        for table in DroppedIndexRows.tables {
          _ = try transactions.change(on: node) { try $0.run([nodes.filter(node).deletion(from: table, index: index)]) }
        }
      }
    }
  }

  /// Returns the IDs of all indexes that have rows.
  private func indexesWithRows() throws -> Set<Int64> {
    try transactions.read { session in
      let results = try session.queryAll { (node: Int) -> [PostgresStatement] in
        DroppedIndexRows.tables.map { DroppedIndexRows.indexes(in: $0, session.filter(node)) }
      }
      return Set(results.flatMap { result in (0..<result.count).map { result.int64($0, 0) } })
    }
  }

  /// Returns the statement that reads the IDs of the indexes with rows in a table. It looks up one row of each index,
  /// instead of reading all rows.
  private static func indexes(in table: String, _ shard: ShardFilter) -> PostgresStatement {
    PostgresStatement(
      """
      WITH RECURSIVE found AS (
        (SELECT idx FROM \(table) WHERE idx > $1\(shard.condition(2)) ORDER BY idx LIMIT 1)
        UNION ALL
        SELECT (SELECT t.idx FROM \(table) t WHERE t.idx > f.idx\(shard.condition(2, "t")) ORDER BY t.idx LIMIT 1)
        FROM found f WHERE f.idx IS NOT NULL)
      SELECT idx FROM found WHERE idx IS NOT NULL
      """, [.int64(.min)] + shard.parameters)
  }

  /// Returns those of the indexes that the catalog does not list.
  private func unlisted(_ indexes: Set<Int64>, _ session: any PostgresSession) throws -> [Int64] {
    let result = try session.query("SELECT id FROM cx_index")
    return indexes.subtracting((0..<result.count).map { result.int64($0, 0) }).sorted()
  }
}
