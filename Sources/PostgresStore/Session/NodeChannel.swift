import PostgresAccess

/// The part of a transaction that is on one node: its connection, unsent changes and cursors.
final class NodeChannel {
  /// The number of the node.
  let node: Int
  let pool: ConnectionPool
  /// The connection; nil while the transaction does not use the node. Waits for background sends.
  var connection: PostgresConnection? {
    sends.wait()
    return taken
  }
  private var taken: PostgresConnection?
  private let sends = BackgroundSends()
  var pending: PendingWrites
  private let isOnCitus: Bool
  /// Whether changes were sent.
  var hasChanged = false

  /// Cursors of PostgreSQL that can be used for the next scan.
  private var freeCursors: [Int] = []
  /// Cursors that are no longer read.
  private var cursorsToClose: [Int] = []
  private var cursorCount = 0

  init(_ node: Int, _ pool: ConnectionPool, isOnCitus: Bool) {
    self.node = node
    self.pool = pool
    self.isOnCitus = isOnCitus
    pending = PendingWrites(dividesRows: isOnCitus)
  }

  /// Takes a connection.
  ///
  /// - Parameter checkInterruption: called several times a second with the connection while the client waits for it.
  func open(_ checkInterruption: @escaping (PostgresConnection) throws -> Void) throws {
    let taken = try pool.take()
    taken.checkInterruption = { [unowned taken] in try checkInterruption(taken) }
    self.taken = taken
  }

  /// Whether the transaction uses the node.
  var isOpen: Bool { taken != nil }

  /// Gives the connection back to the pool and discards all unsent changes.
  func close() {
    disconnect()
    pending = PendingWrites(dividesRows: isOnCitus)
    hasChanged = false
  }

  /// Gives the connection back to the pool. Changes and savepoints that were not sent remain.
  func disconnect() {
    if let connection { pool.put(connection) }
    _ = sends.finish()
    taken = nil
    discardCursors()
    cursorCount = 0
  }

  // MARK: Changes

  /// Sends the unsent changes, and then others, on another thread. Errors are those of a later ``finishSending()``.
  ///
  /// - Parameter next: sends the other changes, and uses nothing else that the transaction uses.
  func startSending(_ next: @escaping (PostgresConnection) throws -> Void = { _ in }) {
    guard let taken else { return }
    let statements = takePending(sendingSavepoints: true)
    hasChanged = true
    sends.add(taken) { connection in
      _ = try connection.run(statements)
      try next(connection)
    }
  }

  /// Waits until changes that are being sent have been executed.
  ///
  /// - Returns: the number of round trips, and the first error.
  func finishSending() -> (roundTripCount: Int, failure: (any Error)?) {
    let sent = sends.finish()
    // COMMIT is sent after all changes.
    return (sent.roundTripCount, (sent.failure as? PostgresError)?.beforeCommit ?? sent.failure)
  }

  /// Removes and returns the unsent changes.
  ///
  /// - Parameter sendingSavepoints: whether savepoints are also returned if there are no changes, because other changes
  ///   follow.
  func takePending(sendingSavepoints: Bool = false) -> [PostgresStatement] {
    let statements = pending.takeStatements(sendingSavepoints: sendingSavepoints)
    if !statements.isEmpty { hasChanged = true }
    return statements
  }

  // MARK: Cursors

  /// Takes the number of a cursor that is not in use.
  func takeCursor() -> Int {
    if let free = freeCursors.popLast() { return free }
    cursorCount += 1
    return cursorCount
  }

  /// Returns a cursor, which is closed in the next round trip.
  func freeCursor(_ number: Int) { if isOpen { cursorsToClose.append(number) } }

  /// Discards cursors that no longer exist.
  func discardCursors() {
    freeCursors = []
    cursorsToClose = []
  }

  /// Returns the statements that close cursors that are no longer read, and makes their numbers available.
  func takeCursorEnds() -> [PostgresStatement] {
    defer {
      freeCursors += cursorsToClose
      cursorsToClose = []
    }
    return cursorsToClose.map { PostgresStatement("CLOSE cx_scan\($0)") }
  }
}

extension PostgresError {
  /// The error of a statement before COMMIT. After a lost connection, the transaction has not taken effect.
  var beforeCommit: PostgresError {
    guard kind == .connectionLost else { return self }
    return PostgresError(.notCommitted, state: state, "\(message); the transaction was not saved: repeat it")
  }
}
