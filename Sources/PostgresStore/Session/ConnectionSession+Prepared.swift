import DocumentStore
import Foundation
import PostgresAccess

/// Transactions that a client has prepared on nodes but not ended, because it or a server was interrupted.
extension ConnectionSession {
  /// The longest time in seconds between two attempts.
  private static let longestPause = 0.1

  /// Returns the time at which a reader gives up that begins to wait for commits now.
  func endOfWait() -> ContinuousClock.Instant { ContinuousClock.now + .seconds(max(1, storage.busyTimeout)) }

  /// Waits a moment for transactions that a reader has seen on some nodes only to be committed on all.
  ///
  /// - Parameters:
  ///   - attempt: the number of the reader's attempt, from 1.
  ///   - end: the time at which the reader gives up.
  func waitForCommits(_ attempt: Int, until end: ContinuousClock.Instant) throws {
    try Interruption.check()
    try Deadline.check()
    guard ContinuousClock.now < end else {
      for node in nodes.servers.dropFirst() {
        if let states = try? storage.differentStates(of: node) { throw storage.lostCommits(states, of: node) }
      }
      throw PostgresError(.busy, "\(storage.name): a transaction was committed on some servers and not yet on others")
    }
    // Usually the client that commits finishes within a millisecond. If it was interrupted, this client finishes the
    // transaction.
    if attempt % 10 == 0 { _ = try? storage.finishTransactions() }
    Thread.sleep(forTimeInterval: min(ConnectionSession.longestPause, 0.001 * Double(attempt)))
  }

  /// Ends the unfinished transactions of nodes. The write transaction has the lock of writers, so no other client can
  /// still decide about them.
  func finishTransactions(of nodes: [Int], _ attempt: Int) throws {
    let limit = max(1, busyTimeout / ConnectionSession.longestPause)
    guard Double(attempt) <= limit, let connection = home.connection else {
      throw PostgresError(
        .busy, "\(storage.name): another transaction has not ended on node \((nodes.first ?? 0) + 1)")
    }
    try storage.finishTransactions(of: nodes, committed: PostgresStorage.committed(connection))
    if attempt > 1 { Thread.sleep(forTimeInterval: ConnectionSession.longestPause) }
  }
}

extension PostgresStorage {
  static let longestWait = Duration.seconds(5)

  /// The prepared transactions of the database on a node.
  func preparedTransactions(_ node: Int) throws -> [PreparedName] {
    let prepared = try pools[node].withConnection(waiting: PostgresStorage.longestWait) {
      try $0.run("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()")
    }
    return (0..<prepared.count).compactMap { PreparedName(prepared.string($0, 0), cluster: nodes.cluster) }
  }

  /// The prepared transactions whose commit node 0 has recorded.
  static func committed(_ connection: PostgresConnection) throws -> Set<String> {
    let result = try connection.run("SELECT client || ':' || unnest(batches) FROM cx_commit")
    return Set((0..<result.count).map { result.string($0, 0) })
  }

  /// Ends the unfinished transactions of all nodes that can be reached.
  ///
  /// - Returns: whether all nodes were reached.
  func finishTransactions() throws -> Bool {
    var isComplete = true
    let unfinished = nodes.servers.dropFirst().filter { node in
      do { return try !preparedTransactions(node).isEmpty } catch {
        isComplete = false
        return false
      }
    }
    // Otherwise writers would wait while the lock is held.
    guard !unfinished.isEmpty else { return isComplete }
    return try pools[0].withConnection(waiting: PostgresStorage.longestWait) { connection in
      try connection.execute("BEGIN")
      defer { try? connection.execute("ROLLBACK") }
      // No client can decide about a transaction while this lock is held.
      _ = try connection.run([
        .lockTimeout(1),
        PostgresStatement("SELECT state FROM cx_manifest FOR UPDATE"),
      ])
      let committed = try PostgresStorage.committed(connection)
      for node in unfinished {
        do { try finishTransactions(of: [node], committed: committed) } catch { isComplete = false }
      }
      return isComplete
    }
  }

  func finishTransactions(of numbers: [Int], committed: Set<String>) throws {
    for node in numbers {
      let names = try preparedTransactions(node)
      try pools[node].withConnection(waiting: PostgresStorage.longestWait) { connection in
        var failure: (any Error)?
        for name in names {
          let isCommitted = committed.contains("\(name.client):\(name.number)")
          do { _ = try connection.run([isCommitted ? name.commit : name.rollback]) } catch let error as PostgresError
            where PostgresError.endedElsewhere.contains(error.state)
          {
            // Another client is ending it.
          } catch {
            // The others can be ended nevertheless.
            if failure == nil { failure = error }
          }
        }
        if let failure { throw failure }
      }
    }
  }
}
