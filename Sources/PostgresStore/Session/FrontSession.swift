import DocumentStore
package import PostgresAccess
import SQLiteAccess
import Synchronization

/// The PostgreSQL side of one SQLite connection.
///
/// It belongs to the thread that uses the connection. Between transactions it holds no connection to PostgreSQL.
package final class FrontSession: PostgresSession {
  private enum State {
    case idle
    case reading(PostgresConnection)
    case writing(PostgresConnection)
  }

  let storage: PostgresStorage
  private var state = State.idle
  var pending = PendingWrites()
  /// The rows of the small tables in this transaction.
  let smallTables = SmallTables()
  /// Documents that this transaction has read or written.
  let documents: DocumentCache
  /// The rows that the transaction has given to new documents.
  let counters = RowCounters()
  /// The rest of the numbers that a sequence has reserved for this session, by the sequence.
  private var reservedNumbers: [String: Range<Int64>] = [:]
  /// Cursors of PostgreSQL that can be used for the next scan.
  private var freeCursors: [Int] = []
  private var cursorCount = 0
  /// The number of transactions that have ended.
  private(set) var transactionCount = 0
  /// The number of events that may have closed cursors: ends of transactions and rollbacks to savepoints.
  private(set) var cursorEpoch = 0
  private var stateNumber: Int64 = 0
  private var closedRoundTripCount = 0
  private var roundTripCountAtBegin = 0
  /// The first error of the transaction. PostgreSQL refuses later statements of a transaction that has failed.
  private(set) var failure: (any Error)?

  package let shards: ShardLayout

  init(_ storage: PostgresStorage) {
    self.storage = storage
    shards = storage.shards
    documents = DocumentCache()
  }

  deinit { end() }

  package var isWriting: Bool { if case .writing = state { true } else { false } }

  package var roundTripCount: Int { closedRoundTripCount + (connection?.roundTripCount ?? 0) }

  package func snapshot() throws -> Int64 { stateNumber }

  private var connection: PostgresConnection? {
    switch state {
    case .idle: nil
    case .reading(let connection), .writing(let connection): connection
    }
  }

  // MARK: Transactions

  func beginReading() throws {
    guard case .idle = state else { return }
    try begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", lock: "", lockTimeout: nil) { .reading($0) }
  }

  /// - Parameter busyTimeout: the time in seconds to wait for another writer.
  func beginWriting(busyTimeout: Double) throws {
    // Every statement sees what was committed before it, and the lock excludes other writers.
    try begin("BEGIN ISOLATION LEVEL READ COMMITTED", lock: " FOR UPDATE", lockTimeout: busyTimeout) { .writing($0) }
  }

  private func begin(
    _ text: String, lock: String, lockTimeout: Double?, _ newState: (PostgresConnection) -> State
  ) throws {
    reset()
    do { try begin(storage.pool.take(), text, lock, lockTimeout, newState) } catch let error as PostgresError
      where error.kind == .connectionLost
    {
      // The server has closed an idle connection, for example because it was restarted.
      storage.pool.removeAll()
      reset()
      try begin(storage.pool.take(), text, lock, lockTimeout, newState)
    }
  }

  private func begin(
    _ connection: PostgresConnection, _ text: String, _ lock: String, _ lockTimeout: Double?,
    _ newState: (PostgresConnection) -> State
  ) throws {
    closedRoundTripCount -= connection.roundTripCount
    roundTripCountAtBegin = connection.roundTripCount
    state = newState(connection)
    connection.checkInterruption = { [isWriting] in
      guard !isWriting else { return }
      try Interruption.check()
      try Deadline.check()
    }
    var statements = [PostgresStatement(text)]
    if let lockTimeout {
      let milliseconds = max(1, min(Int64(lockTimeout * 1000), Int64(Int32.max)))
      statements.append(PostgresStatement("SELECT set_config('lock_timeout', $1, true)", [.text(String(milliseconds))]))
    }
    statements.append(PostgresStatement("SELECT version, shards, state FROM cx_manifest\(lock)"))
    let manifest = statements.count - 1
    statements += SmallTables.selections
    do {
      let results = try connection.run(statements)
      stateNumber = results[manifest].int64(0, 2)
      smallTables.load(Array(results[(manifest + 1)...]))
    } catch {
      end()
      throw error
    }
  }

  /// Sends the pending changes and commits.
  func commit() throws {
    guard let connection, isWriting else { return }
    if let failure { throw failure }
    var statements = pending.takeStatements() + counters.statements()
    if hasChanged || !statements.isEmpty {
      statements.append(PostgresStatement("UPDATE cx_manifest SET state = state + 1"))
    }
    statements.append(PostgresStatement("COMMIT"))
    try noting { _ = try connection.run(statements) }
    end()
  }

  /// Whether changes were sent before the commit.
  private var hasChanged = false

  /// Ends the transaction; a write transaction that was not committed is rolled back.
  func end() {
    guard let connection else { return }
    if connection.isConnected { try? connection.rollBack() }
    closedRoundTripCount += connection.roundTripCount
    storage.roundTrips.add(connection.roundTripCount - roundTripCountAtBegin, ordering: .relaxed)
    state = .idle
    storage.pool.put(connection)
    reset()
  }

  private func reset() {
    pending = PendingWrites()
    documents.removeAll()
    counters.removeAll()
    smallTables.removeAll()
    transactionCount += 1
    cursorEpoch += 1
    freeCursors = []
    cursorsToClose = []
    cursorCount = 0
    hasChanged = false
    failure = nil
  }

  // MARK: Statements

  package func query(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
    guard let connection else {
      throw PostgresError(.statement, "\(storage.name): rows were read outside of a transaction")
    }
    if let failure { throw failure }
    let unsent = pending.takeStatements()
    if !unsent.isEmpty { hasChanged = true }
    return try noting { Array(try connection.run(unsent + statements)[unsent.count...]) }
  }

  package func enqueue(_ statement: PostgresStatement) throws {
    try requireWriting()
    pending.append(statement)
    if pending.isFull { _ = try query([]) }
  }

  package func copy(into target: String, _ rows: PostgresCopyRows) throws {
    try requireWriting()
    _ = try query([])
    guard let connection else { return }
    hasChanged = true
    try noting { try connection.copy(into: target, rows) }
  }

  func requireWriting() throws {
    if let failure { throw failure }
    guard isWriting else {
      throw PostgresError(.notPermitted, "\(storage.name): rows were changed outside of a write transaction")
    }
  }

  private func noting<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch {
      if failure == nil { failure = error }
      throw error
    }
  }

  /// Returns the next number of a sequence.
  ///
  /// - Parameter step: the number of numbers that the sequence reserves at a time.
  func nextNumber(of sequence: String, step: Int64) throws -> Int64 {
    if let reserved = reservedNumbers[sequence], let first = reserved.first {
      reservedNumbers[sequence] = reserved.dropFirst()
      return first
    }
    let first = try query("SELECT nextval('\(sequence)')").int64(0, 0)
    reservedNumbers[sequence] = first + 1..<first + step
    return first
  }

  // MARK: Savepoints

  func beginSavepoint(_ number: Int32) { if isWriting { pending.beginSavepoint(Int(number)) } }

  func releaseSavepoint(_ number: Int32) { pending.releaseSavepoint(Int(number)) }

  func rollBack(toSavepoint number: Int32) throws {
    guard isWriting, pending.rollBack(toSavepoint: Int(number)) else { return }
    // PostgreSQL can continue after this, whatever has failed since the savepoint.
    failure = nil
    documents.removeAll()
    smallTables.invalidate()
    // Cursors that were opened after the savepoint no longer exist; the others end with the transaction.
    cursorEpoch += 1
    freeCursors = []
    cursorsToClose = []
  }

  /// Reads the small tables again after a rollback.
  func reloadSmallTablesIfNeeded() throws {
    guard !smallTables.isLoaded else { return }
    smallTables.load(try query(SmallTables.selections))
  }

  // MARK: Cursors

  /// Takes the number of a cursor that is not in use.
  func takeCursor() -> Int {
    if let free = freeCursors.popLast() { return free }
    cursorCount += 1
    return cursorCount
  }

  /// Returns a cursor, which is closed in the next round trip.
  ///
  /// - Parameter epoch: ``cursorEpoch`` when it was opened.
  func freeCursor(_ number: Int, epoch: Int) {
    if epoch == cursorEpoch, connection != nil { cursorsToClose.append(number) }
  }

  /// Cursors that are no longer read.
  private var cursorsToClose: [Int] = []

  /// Returns the statements that close cursors that are no longer read, and makes their numbers available.
  func takeCursorEnds() -> [PostgresStatement] {
    defer {
      freeCursors += cursorsToClose
      cursorsToClose = []
    }
    return cursorsToClose.map { PostgresStatement("CLOSE cx_scan\($0)") }
  }
}

@available(*, unavailable)
extension FrontSession: Sendable {}
