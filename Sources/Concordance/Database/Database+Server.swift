import DocumentStore

extension Database {
  /// Checks whether the PostgreSQL server with the database answers, on a connection that such checks share. On several
  /// servers, checks the first, which every operation needs. Does nothing for a file.
  ///
  /// It waits until the server answers or refuses the connection, so call it on a separate thread. Another call at the same time
  /// waits for the first one.
  ///
  /// - Throws: ``CBLError`` with ``CBLError/isServerUnavailable`` if the server does not answer.
  public func checkServer() throws {
    try withPublicErrors { _ = try engine.store.remote?.stateNumber() }
  }
}
