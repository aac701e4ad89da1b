import PostgresAccess

/// Statements of a read transaction whose results are not awaited yet, so that the server works while the client does.
struct ReadAhead {
  fileprivate let started: [(connection: PostgresConnection, statements: PostgresConnection.StartedStatements)]
  fileprivate let receive: ([PostgresResult]) -> Void
}

extension ConnectionSession {
  /// Sends statements of a read transaction. Their results are received before the next statements are sent.
  ///
  /// - Parameter receive: receives the result of each statement, in the order of `batches`.
  func startReadingAhead(_ batches: [NodeStatements], _ receive: @escaping ([PostgresResult]) -> Void) throws {
    guard mode == .reading, readAhead == nil else { return }
    try noting {
      let batches = try onCoordinator(availableBatches(batches))
      var started: [(connection: PostgresConnection, statements: PostgresConnection.StartedStatements)] = []
      defer { readAhead = ReadAhead(started: started, receive: receive) }
      for batch in batches where !batch.statements.isEmpty {
        guard let connection = channel(batch.node).connection else { continue }
        started.append((connection, try connection.start(batch.statements)))
      }
    }
  }

  /// Receives the results of statements that were sent ahead.
  ///
  /// - Returns: whether there were any.
  @discardableResult
  func finishReadingAhead() throws -> Bool {
    guard let ahead = takeReadAhead() else { return false }
    roundTripCount += 1
    return try noting {
      // All are received before an error is thrown, because an unread result would make the connection unusable.
      let results = ahead.started.map { started in Result { try started.connection.finish(started.statements) } }
      ahead.receive(try results.flatMap { try $0.get() })
      return true
    }
  }

  /// Waits for statements that were sent ahead, and ignores their results.
  func discardReadAhead() {
    for started in takeReadAhead()?.started ?? [] { _ = try? started.connection.finish(started.statements) }
  }

  private func takeReadAhead() -> ReadAhead? {
    defer { readAhead = nil }
    return readAhead
  }
}
