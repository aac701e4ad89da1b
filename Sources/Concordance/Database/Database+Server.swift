import DocumentStore

extension Database {
  /// Whether the database is on PostgreSQL, rather than in a file.
  public var isOnPostgreSQL: Bool { !engine.store.isFile }

  /// Checks whether the PostgreSQL servers of the database answer, and whether it is still the database that was
  /// opened. Does nothing for a file.
  ///
  /// It waits for about five seconds, and longer if several servers do not answer, so call it on a separate thread. On
  /// Citus, it asks the coordinator.
  ///
  /// - Throws: ``CBLError`` with ``CBLError/isServerUnavailable`` if a server does not answer. If the tables were
  ///   deleted or created again, ``isFileReplaced`` is also true afterwards.
  public func checkServer() throws {
    try withPublicErrors { try engine.store.remote?.checkServers() }
  }
}
