import DocumentStore
import PostgresAccess
package import TextIndex

/// The transactions of maintenance, each with a session of its own.
package struct MaintenanceSessions: MaintenanceTransactions {
  private let storage: PostgresStorage
  private let busyTimeout: Double

  /// - Parameter busyTimeout: the time in seconds to wait for writers.
  package init(_ storage: PostgresStorage, busyTimeout: Double) {
    self.storage = storage
    self.busyTimeout = busyTimeout
  }

  package func read<T>(_ body: (any PostgresSession) throws -> T) throws -> T {
    let session = FrontSession(storage)
    try session.beginReading()
    defer { session.end() }
    return try body(session)
  }

  package func write<T>(_ body: (any PostgresSession) throws -> T) throws -> T {
    let session = FrontSession(storage)
    try session.beginWriting(busyTimeout: busyTimeout)
    defer { session.end() }
    let result = try body(session)
    try session.commit()
    return result
  }

  package func lock<T>(_ number: Int64, _ body: () throws -> T) throws -> T? {
    let connection = try storage.pool.take()
    defer { storage.pool.put(connection) }
    guard try connection.run("SELECT pg_try_advisory_lock($1)", [.int64(number)]).bool(0, 0) else { return nil }
    defer { _ = try? connection.run("SELECT pg_advisory_unlock($1)", [.int64(number)]) }
    return try body()
  }

  /// Merges the segments of a full-text index.
  ///
  /// - Parameter all: whether all segments of a shard become one.
  /// - Returns: the number of segments that were written; nil if another process is merging the index.
  /// - Throws: ``StoreError``, ``TextIndexError``.
  package static func merge(
    _ index: StoredFullTextIndex, _ storage: PostgresStorage, busyTimeout: Double, all: Bool
  ) throws -> Int? {
    do {
      return try FullTextMaintenance(index, MaintenanceSessions(storage, busyTimeout: busyTimeout)).run(mergingAll: all)
    } catch let error as PostgresError { throw StoreError(error) }
  }
}
