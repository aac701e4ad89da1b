import DocumentStore
import PostgresAccess
import SQLiteAccess
import TextIndex

extension PostgresStorage {
  /// Merges the segments of an index, and deletes rows that are no longer used. It must not be called in a transaction.
  ///
  /// - Parameters:
  ///   - all: whether all segments are merged, instead of only those that have become too many.
  ///   - retirementAge: the age in seconds at which rows of replaced segments are deleted.
  /// - Returns: the number of segments that were written; nil if another process is working on the index or has dropped
  ///   it.
  /// - Throws: ``TextIndexError`` for an index that is damaged, ``StoreError``.
  package func merge(
    _ index: MergedIndex, all: Bool = false, retirementAge: Double = FullTextMaintenance.retirementAge
  ) throws -> Int? {
    do {
      let transactions = StorageTransactions(storage: self)
      let count =
        switch index {
        case .fullText(let index):
          try FullTextMaintenance(index, transactions).run(mergingAll: all, retirementAge: retirementAge)
        case .patterns(let id): try PatternMaintenance(index: id, transactions: transactions).run(mergingAll: all)
        }
      try deleteOldCommits()
      return count
    } catch let error as PostgresError { throw StoreError(error) }
  }

  /// Drops the tables of value indexes that no longer exist. It must not be called in a transaction.
  package func dropOldValueTables() throws {
    do {
      let transactions = StorageTransactions(storage: self)
      try DroppedValueTables(transactions: transactions).drop(age: FullTextMaintenance.retirementAge)
    } catch let error as PostgresError { throw StoreError(error) }
  }

  /// Deletes the rows that merges have added to indexes while they were dropped. It must not be called in a
  /// transaction.
  package func deleteRowsOfDroppedIndexes() throws {
    do {
      try DroppedIndexRows(transactions: StorageTransactions(storage: self)).delete()
    } catch let error as PostgresError { throw StoreError(error) }
  }
}

extension PostgresStorage {
  package func compact(busyTimeout: Double) throws {
    do {
      for node in nodes.servers {
        let connection = try pools[node].take()
        let tables = try rewritableTables(connection)
        // The settings of the session are not those of other users of the pool, so the connection is closed.
        _ = try connection.run([.lockTimeout(busyTimeout, ofSession: true)])
        for table in tables { try connection.execute("VACUUM (FULL, ANALYZE) \(table)") }
      }
    } catch let error as PostgresError { throw StoreError(error) }
  }

  /// Returns the tables of a server.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/readOnly`` if the user may not vacuum one of them: PostgreSQL
  ///   would only warn and skip it.
  private func rewritableTables(_ connection: PostgresConnection) throws -> [String] {
    // Since PostgreSQL 17, the privilege MAINTAIN is sufficient.
    let isMaintainer =
      connection.serverVersion >= 17_00_00
      ? "has_table_privilege(format('%I.%I', schemaname, tablename), 'MAINTAIN')" : "false"
    let tables = try connection.run(
      """
      SELECT quote_ident(tablename), tableowner::text, current_user::text, pg_has_role(tableowner, 'USAGE')
        OR pg_has_role((SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE') OR \(isMaintainer)
      FROM pg_tables WHERE schemaname = $1 ORDER BY 1
      """, [.text(StoreSchema.name)])
    return try (0..<tables.count).map { row in
      guard tables.bool(row, 3) else {
        throw StoreError(
          .readOnly,
          "\(name): the role \"\(tables.string(row, 2))\" cannot rewrite tables of the role "
            + "\"\(tables.string(row, 1))\"; connect as this role, or as one that is a member of it")
      }
      return tables.string(row, 0)
    }
  }

  /// Deletes what the table of commits lists about clients that have not written for a week.
  private func deleteOldCommits() throws {
    try pools[0].withConnection { connection in
      let old = "FROM cx_commit WHERE since < now() - interval '7 days'"
      guard try connection.run("SELECT EXISTS (SELECT \(old))").bool(0, 0) else { return }
      do {
        // Transactions that are still prepared need the rows.
        guard try nodes.isSingle || finishTransactions() else { return }
        _ = try connection.run("DELETE \(old)")
      } catch let error as PostgresError where error.kind == .busy {
        // A later merge deletes them.
      }
    }
  }
}

/// Transactions of a database without an SQLite connection.
struct StorageTransactions: MaintenanceTransactions {
  let storage: PostgresStorage

  /// The time in seconds to wait for another writer.
  private static let busyTimeout = 60.0

  private func requireOpen() throws {
    if storage.merges.isClosed { throw StoreError(.closed, "\(storage.name): the database is closed") }
  }

  func read<T>(_ body: (any PostgresSession) throws -> T) throws -> T {
    try requireOpen()
    let session = ConnectionSession(storage)
    try session.beginReading()
    defer { session.end() }
    return try body(session)
  }

  func write<T>(_ body: (any PostgresSession) throws -> T) throws -> T {
    try requireOpen()
    let session = ConnectionSession(storage)
    try session.beginWriting(busyTimeout: StorageTransactions.busyTimeout, hasLowPriority: true)
    defer { session.end() }
    let result = try body(session)
    try session.commit()
    return result
  }

  func change<T>(on node: Int, _ body: (PostgresConnection) throws -> T) throws -> T {
    try connected(node) { connection in
      try connection.execute("BEGIN")
      do {
        let result = try body(connection)
        try connection.execute("COMMIT")
        return result
      } catch {
        // If it fails, the connection is lost, and with it the transaction.
        try? connection.execute("ROLLBACK")
        throw error
      }
    }
  }

  private func connected<T>(_ node: Int, _ body: (PostgresConnection) throws -> T) throws -> T {
    try requireOpen()
    return try storage.pools[storage.nodes.server(ofNode: node)].withConnection(body)
  }

  func vacuum(_ tables: [String], on node: Int) throws {
    // Autovacuum vacuums the tables later, also those that another session is vacuuming or a role does not own.
    try connected(node) { try $0.execute("VACUUM (SKIP_LOCKED) \(tables.joined(separator: ", "))") }
  }

  func lock<T>(_ number: Int64, _ body: (_ requireLock: @escaping () throws -> Void) throws -> T) throws -> T? {
    try storage.pools[0].withConnection { try $0.withAdvisoryLock(number, body) }
  }
}
