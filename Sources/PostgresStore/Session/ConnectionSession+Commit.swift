import DocumentStore
import Foundation
import PostgresAccess

extension ConnectionSession {
  /// Sends the pending changes and commits.
  ///
  /// If only node 0 has changed, this takes one round trip. Otherwise the transaction is prepared on the other nodes,
  /// the commit on node 0 decides, and then the others are committed. If the client is interrupted, the next writer
  /// finishes the prepared transactions.
  func commit() throws {
    guard isWriting else { return }
    if let failure { throw failure }
    // Collections may have been deleted.
    if counters.hasChanged { try reloadSmallTablesIfNeeded() }
    let collections = Set(smallTables.documentTables.map(\.collection))
    var unsent = channels.map { $0.takePending() }
    for (node, statement) in counters.statements(of: collections, self) {
      unsent[node].append(statement)
      channels[node].hasChanged = true
    }
    let changed = channels.filter { $0.hasChanged }
    guard !changed.isEmpty else { return end() }
    try noting(isCommitting: true) {
      let number = storage.commits.begin()
      let record = storage.commits.statement(number)
      let others = changed.map(\.node).filter { $0 > 0 }
      try noting { try join(others) }
      let state = stateNumber + 1
      var last =
        unsent[0] + citus.states(state, nodes) + [NodeState.update(state), record.statement, CommitWatch.notification]
      guard !others.isEmpty else {
        try commitHome(last + [PostgresStatement("COMMIT")], number)
        storage.commits.didRemove(record.removed)
        storage.commits.finish(number)
        return
      }
      let name = PreparedName(cluster: nodes.cluster, client: storage.commits.client, number: number)
      last.append(NodeState.update(state, of: others))
      let batches =
        [NodeStatements(0, last)]
        + others.map { NodeStatements($0, unsent[$0] + [NodeState.update(state), name.preparation]) }
      do { _ = try noting { try run(batches) } } catch {
        rollBack([home])
        end(others, name.rollback)
        throw error
      }
      do { try commitHome([PostgresStatement("COMMIT")], number) } catch let error as PostgresError
        where error.kind != .connectionLost
      {
        rollBack([home])
        end(others, name.rollback)
        throw error
      }
      storage.commits.didRemove(record.removed)
      if end(others, name.commit) { storage.commits.finish(number) }
    }
    storage.noteState(stateNumber + 1, after: stateNumber)
    end()
  }

  /// Ends prepared transactions on nodes.
  ///
  /// - Returns: whether they ended on all of them, here or in another client.
  @discardableResult
  private func end(_ nodes: [Int], _ statement: PostgresStatement) -> Bool {
    let outcomes = outcomes(nodes.map { NodeStatements($0, [statement]) })
    return outcomes.allSatisfy { outcome in
      switch outcome {
      case .success: true
      case .failure(let error): (error as? PostgresError)?.state == PostgresError.undefinedObject
      }
    }
  }

  /// Runs the statements that commit on node 0. If the connection is lost, a new one finds out whether they took
  /// effect.
  private func commitHome(_ statements: [PostgresStatement], _ number: Int64) throws {
    do { _ = try run([NodeStatements(0, statements)]) } catch let error as PostgresError
      where error.kind == .connectionLost
    {
      guard let isCommitted = storage.isCommitted(number) else {
        throw PostgresError(
          .connectionLost, "\(error.message); the batch may have been saved: read before you save it again")
      }
      guard isCommitted else {
        throw PostgresError(
          .notCommitted, "\(error.message); the batch was not saved: save it again")
      }
    }
  }
}

extension PostgresStorage {
  /// The time for which a client tries to find out whether its commit took effect.
  private static let lookupTimeout = Duration.seconds(5)

  /// Returns whether a commit of this client whose connection was lost took effect; nil if the server does not answer.
  func isCommitted(_ number: Int64) -> Bool? {
    let end = ContinuousClock.now + PostgresStorage.lookupTimeout
    pools[0].removeAll()
    repeat {
      let remaining = ContinuousClock.now.duration(to: end)
      if let answer = try? readCommit(number, lockTimeout: remaining / .seconds(1)) { return answer }
      Thread.sleep(forTimeInterval: 0.1)
    } while ContinuousClock.now < end
    return nil
  }

  private func readCommit(_ number: Int64, lockTimeout: Double) throws -> Bool {
    try pools[0].withConnection(waiting: .seconds(max(1, lockTimeout) + 1)) { connection in
      // The lock waits for the end of the transaction, which the server may still be committing.
      let results = try connection.run([
        PostgresStatement("BEGIN"),
        .lockTimeout(max(1, lockTimeout)),
        PostgresStatement("SELECT state FROM cx_manifest FOR UPDATE"),
        PostgresStatement(
          "SELECT EXISTS (SELECT 1 FROM cx_commit WHERE client = $1 AND $2 = ANY (batches))",
          [.text(commits.client), .int64(number)]),
        PostgresStatement("ROLLBACK"),
      ])
      return results[3].bool(0, 0)
    }
  }
}
