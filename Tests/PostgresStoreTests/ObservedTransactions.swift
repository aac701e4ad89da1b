import PostgresAccess

@testable import PostgresStore

/// Transactions of maintenance, with a function that is called before each one that changes rows.
final class ObservedTransactions: MaintenanceTransactions {
  /// A transaction, by its number among those of its kind, from 1.
  enum Step: Hashable, Sendable {
    /// With the lock of writers.
    case write(Int)
    /// Without it.
    case change(Int)
  }

  private let transactions: any MaintenanceTransactions
  private let observer: (Step) throws -> Void
  private var writeCount = 0
  private var changeCount = 0

  init(_ transactions: any MaintenanceTransactions, before observer: @escaping (Step) throws -> Void) {
    self.transactions = transactions
    self.observer = observer
  }

  func read<T>(_ body: (any PostgresSession) throws -> T) throws -> T { try transactions.read(body) }

  func write<T>(_ body: (any PostgresSession) throws -> T) throws -> T {
    writeCount += 1
    try observer(.write(writeCount))
    return try transactions.write(body)
  }

  func change<T>(on node: Int, _ body: (PostgresConnection) throws -> T) throws -> T {
    changeCount += 1
    try observer(.change(changeCount))
    return try transactions.change(on: node, body)
  }

  func vacuum(_ tables: [String], on node: Int) throws { try transactions.vacuum(tables, on: node) }

  func lock<T>(_ number: Int64, _ body: (_ requireLock: @escaping () throws -> Void) throws -> T) throws -> T? {
    try transactions.lock(number, body)
  }
}

extension PostgresConnection {
  /// Ends the sessions of the database that hold advisory locks, as if their connections had been idle for too long.
  func endLockingSessions() throws {
    _ = try run(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """)
  }
}
