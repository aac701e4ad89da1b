import PostgresAccess

/// The tables of value indexes that do not exist any longer.
///
/// PostgreSQL drops a table for all transactions at once, also for a query that began before and has not read the table yet:
/// it would fail. Therefore such a table is only noted, and dropped by a later merge.
struct DroppedValueTables {
  let transactions: any MaintenanceTransactions

  /// Notes that an index does not exist any longer.
  static func add(_ index: Int64, _ session: any PostgresSession) throws {
    try session.enqueue(
      PostgresStatement("UPDATE cx_value_table SET dropped = now() WHERE id = $1", [.int64(index)]), on: 0)
  }

  /// Drops the tables of indexes that were deleted at least some seconds ago.
  func drop(age: Double) throws {
    guard try transactions.read({ try !DroppedValueTables.indexes(age, $0).isEmpty }) else { return }
    try transactions.write { session in
      for index in try DroppedValueTables.indexes(age, session) {
        for node in session.nodes.servers {
          if session.nodes.isOnCitus { try session.enqueue(PostgresStatement(Citus.sequentialChanges), on: node) }
          try session.enqueue(PostgresStatement("DROP TABLE IF EXISTS cx_vi_\(index)"), on: node)
        }
        try session.enqueue(PostgresStatement("DELETE FROM cx_value_table WHERE id = $1", [.int64(index)]), on: 0)
      }
    }
  }

  /// The IDs of the indexes whose tables the role may drop.
  private static func indexes(_ age: Double, _ session: any PostgresSession) throws -> [Int64] {
    let result = try session.query(
      """
      SELECT id FROM cx_value_table
      LEFT JOIN pg_tables ON schemaname = $2 AND tablename = 'cx_vi_' || id
      WHERE dropped <= now() - make_interval(secs => $1) AND coalesce(pg_has_role(tableowner, 'USAGE'), true)
      """, [.double(age), .text(StoreSchema.name)])
    return (0..<result.count).map { result.int64($0, 0) }
  }
}
