import PostgresAccess

extension PostgresConnection {
  /// Calls `body` while this session holds the advisory lock with a number; returns nil if another session holds it.
  ///
  /// - Parameter body: receives a function that throws ``PostgresError`` if the lock was lost, because the connection
  ///   was closed or a connection pooler has given it another session. Calling it also keeps the connection from being
  ///   closed because it is idle.
  func withAdvisoryLock<T>(
    _ number: Int64, _ body: (_ requireLock: @escaping () throws -> Void) throws -> T
  ) throws -> T? {
    guard try run("SELECT pg_try_advisory_lock($1)", [.int64(number)]).bool(0, 0) else { return nil }
    // If it fails, the session has ended, and with it the lock.
    defer { _ = try? run("SELECT pg_advisory_unlock($1)", [.int64(number)]) }
    return try body { [self] in
      guard try run(PostgresConnection.holdsLock, [.int64(number)]).bool(0, 0) else {
        throw PostgresError(
          .connectionLost, "\(name): the lock of the index that is being merged was lost; merge again")
      }
    }
  }

  /// Returns whether this session holds a lock. A number of 64 bits is listed in two halves.
  private static let holdsLock = """
    SELECT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND objsubid = 1
        AND ((classid::int8 << 32) | objid::int8) = $1)
    """
}
