import CPostgres

extension PostgresConnection {
  static let rollback = PostgresStatement("ROLLBACK")

  /// Ends a transaction without its changes. ROLLBACK is sent immediately; its result is read with those of the next
  /// call of ``run(_:)``, so it takes no additional round trip.
  ///
  /// - Throws: ``PostgresError`` if the connection is lost.
  package func rollBack() throws {
    guard isInTransaction else { return }
    // A late request to cancel a statement must not cancel the ROLLBACK.
    guard !wasCancelled else {
      // The check that has interrupted the transaction would interrupt its ROLLBACK as well.
      let error = PostgresError(.connectionLost, "\(name): the server does not answer ROLLBACK")
      try limitingWait(until: .now + .seconds(cancellationLimit), error) {
        try execute(PostgresConnection.rollback.text)
      }
      wasCancelled = false
      return
    }
    guard functions.enterPipelineMode(connection) == 1 else { throw lostConnection() }
    let steps = try send([PostgresConnection.rollback])
    // What does not fit into the buffer of the socket is sent with the next statement.
    guard functions.flush(connection) >= 0 else { throw lostConnection() }
    unreadRollback = steps
  }

  /// Reads the result of a ROLLBACK that was sent.
  func finishRollback() throws {
    guard let steps = unreadRollback else { return }
    unreadRollback = nil
    roundTripCount += 1
    let result = Result { try receive(steps, [PostgresConnection.rollback]) }
    guard functions.exitPipelineMode(connection) == 1 || !isConnected else { throw lostConnection() }
    if case .failure(let error) = result { throw unfinishedTransaction(error) }
  }

  /// The error if ROLLBACK has failed: the connection must no longer be used. An interruption remains what it is.
  func unfinishedTransaction(_ error: any Error) -> any Error {
    guard error is PostgresError else { return error }
    return PostgresError(.connectionLost, "\(name): the previous transaction of the connection did not end: \(error)")
  }
}
