import PostgresAccess

/// The tables of value indexes that no longer exist.
///
/// `DROP TABLE` takes effect immediately, so a query that has not read the table yet would fail. Deleting an index
/// therefore only records the table; a merge records the time, and later merges drop it.
struct DroppedValueTables {
  let transactions: any MaintenanceTransactions

  /// Records that an index no longer exists.
  static func add(_ index: Int64, _ session: any PostgresSession) throws {
    try session.enqueue(
      PostgresStatement("UPDATE cx_value_table SET dropped = 'infinity' WHERE id = $1", [.int64(index)]), on: 0)
  }

  /// Drops the tables of indexes that an earlier merge has found at least some seconds ago. Tables that are in use, or
  /// belong to another role, remain.
  func drop(age: Double) throws {
    let (hasNew, old) = try transactions.read { try DroppedValueTables.indexes(age, $0) }
    if hasNew {
      // The transaction that has deleted the index does not know when it will be committed.
      try transactions.write {
        try $0.enqueue(
          PostgresStatement("UPDATE cx_value_table SET dropped = now() WHERE dropped = 'infinity'"), on: 0)
      }
    }
    for index in old {
      do { try transactions.write { try drop(index, $0) } } catch let error as PostgresError
        where error.kind == .busy || error.kind == .notPermitted
      {
        continue
      }
    }
  }

  private func drop(_ index: Int64, _ session: any PostgresSession) throws {
    for node in session.nodes.servers {
      if session.nodes.isOnCitus { try session.enqueue(PostgresStatement(Citus.sequentialChanges), on: node) }
      // Writers wait meanwhile.
      try session.enqueue(.lockTimeout(DroppedValueTables.lockTimeout), on: node)
      try session.enqueue(PostgresStatement("DROP TABLE IF EXISTS cx_vi_\(index)"), on: node)
    }
    try session.enqueue(PostgresStatement("DELETE FROM cx_value_table WHERE id = $1", [.int64(index)]), on: 0)
  }

  /// The time in seconds to wait for a transaction that uses a table.
  private static let lockTimeout = 0.1

  /// Whether there are indexes whose time is not recorded, and the IDs of those whose tables the role may drop.
  private static func indexes(
    _ age: Double, _ session: any PostgresSession
  ) throws -> (hasNew: Bool, old: [Int64]) {
    let result = try session.query(
      """
      SELECT id, dropped = 'infinity' FROM cx_value_table
      LEFT JOIN pg_tables ON schemaname = $2 AND tablename = 'cx_vi_' || id
      WHERE dropped = 'infinity'
        OR dropped <= now() - make_interval(secs => $1) AND coalesce(pg_has_role(tableowner, 'USAGE'), true)
      """, [.double(age), .text(StoreSchema.name)])
    let rows = 0..<result.count
    return (rows.contains { result.bool($0, 1) }, rows.filter { !result.bool($0, 1) }.map { result.int64($0, 0) })
  }
}
