import DocumentStore
import GRDB
package import PostgresAccess
import SQLiteAccess
import Synchronization
import TextIndex

/// The PostgreSQL side of one SQLite connection.
///
/// It belongs to the thread that uses the connection. Between transactions it holds no connection to PostgreSQL.
package final class ConnectionSession: PostgresSession {
  enum Mode { case idle, reading, writing }

  let storage: PostgresStorage
  /// The part of the transaction on each server.
  let channels: [NodeChannel]
  var mode = Mode.idle
  /// The rows of the small tables in this transaction.
  let smallTables = SmallTables()
  /// Documents that this transaction has read or written.
  let documents: DocumentCache
  /// The rows that the transaction has given to new documents.
  let counters = RowCounters()
  /// Indexes that may have many segments after the transaction, by their ID.
  var indexesToMerge: [Int64: MergedIndex] = [:]
  /// The rest of the numbers that a sequence has reserved for this session, by the sequence.
  private var reservedNumbers: [String: Range<Int64>] = [:]
  /// The number of transactions that have ended.
  var transactionCount = 0
  /// The number of events that may have closed cursors: ends of transactions and rollbacks to savepoints.
  var cursorEpoch = 0
  var stateNumber: Int64 = 0
  /// The time in seconds that a write transaction waits for others.
  var busyTimeout = 0.0
  /// The number of times that this session has waited for the server since it was opened; `--explain` shows
  /// differences.
  var roundTripCount = 0
  var roundTripCountAtBegin = 0
  /// Documents that were requested before they are needed; see ``startReadingAhead(_:_:)``.
  var readAhead: ReadAhead?
  /// The first error of the transaction. PostgreSQL refuses later statements of a transaction that has failed.
  var failure: (any Error)?
  /// The last failure that a rollback to a savepoint was meant to undo.
  var undoneFailure: (any Error)?
  /// The nodes that a read transaction could not reach, and the error of each.
  var missingNodes: [Int: PostgresError] = [:]
  /// The states of the other nodes that node 0 has recorded; a write transaction reads them with the lock of writers.
  var nodeStates: [Int64] = []
  /// Whether documents may have an expiration; a read transaction knows it from its beginning.
  var mayHaveExpirations = true
  /// The shards that the transaction uses, if the database is on Citus.
  var citus = CitusTransaction()
  /// Whether the read transaction leaves out nodes that it could not reach; see ``allowPartialResults()``.
  var allowsPartialResults = false

  package let shards: ShardLayout
  package var nodes: NodeLayout { storage.nodes }

  init(_ storage: PostgresStorage) {
    self.storage = storage
    shards = storage.shards
    documents = DocumentCache()
    channels = storage.pools.enumerated().map { NodeChannel($0, $1, isOnCitus: storage.nodes.isOnCitus) }
  }

  deinit { end() }

  package var isWriting: Bool { mode == .writing }

  package func snapshot() throws -> Int64 { stateNumber }

  /// The node with the catalog and the lock of writers.
  var home: NodeChannel { channels[0] }

  /// The part of the transaction with the statements of a node.
  func channel(_ node: Int) -> NodeChannel { channels[nodes.server(ofNode: node)] }

  package func query(_ batches: [NodeStatements]) throws -> [[PostgresResult]] {
    guard mode != .idle else {
      throw PostgresError(.statement, "\(storage.name): rows were read outside of a transaction")
    }
    if let failure { throw failure }
    return try noting {
      let available = try availableBatches(batches)
      guard available.count == batches.count else { return try query(batches, available) }
      try join(batches.map(\.node))
      var unsent = batches.map { batch in
        channel(batch.node).takePending(sendingSavepoints: batch.statements.contains(where: \.canChangeRows))
      }
      if nodes.isOnCitus, !unsent.isEmpty { unsent[0] += shardLocks(batches.map(\.node)) }
      for batch in batches where batch.statements.contains(where: \.canChangeRows) {
        channel(batch.node).hasChanged = true
        citus.noteChange(of: batch.node)
      }
      let results = try run(zip(batches, unsent).map { NodeStatements($0.node, $1 + $0.statements) })
      return zip(results, unsent).map { Array($0.dropFirst($1.count)) }
    }
  }

  package func enqueue(_ statement: PostgresStatement, on node: Int) throws {
    try requireWriting()
    joinShard(node)
    channel(node).pending.append(statement)
    try sendIfFull(node)
  }

  /// Adds a new row, which is inserted together with others.
  func enqueue(_ row: NewRow, on node: Int) throws {
    try requireWriting()
    joinShard(node)
    channel(node).pending.append(row)
    try sendIfFull(node)
  }

  private func sendIfFull(_ node: Int) throws {
    guard channel(node).pending.isFull else { return }
    try noting { try join([node]) }
    channel(node).startSending()
  }

  package func copy(into target: String, _ rows: PostgresCopyRows, on node: Int) throws {
    try requireWriting()
    guard rows.count > 0 || !channel(node).pending.isEmpty else { return }
    joinShard(node)
    try noting { try join([node]) }
    channel(node).startSending { try $0.copy(into: target, rows) }
  }

  func requireWriting() throws {
    if let failure { throw failure }
    guard isWriting else {
      throw PostgresError(.notPermitted, "\(storage.name): rows were changed outside of a write transaction")
    }
  }

  /// Calls `body`, and notes its error as that of the transaction.
  ///
  /// - Parameter isCommitting: whether `body` may send COMMIT, so that a lost connection leaves open whether it took
  ///   effect.
  func noting<T>(isCommitting: Bool = false, _ body: () throws -> T) throws -> T {
    do { return try body() } catch var error {
      if isWriting, !isCommitting, let lost = error as? PostgresError { error = lost.beforeCommit }
      // If the transaction could not continue after an error, that error is the cause.
      let isConsequence = (error as? PostgresError).map { PostgresError.endedTransaction.contains($0.state) } ?? false
      let cause = isConsequence ? undoneFailure ?? error : error
      if failure == nil { failure = cause }
      throw cause
    }
  }

  /// Returns the error of PostgreSQL that caused another error, or nil. It ended the transaction, or SQLite has rolled
  /// back to a savepoint after it.
  func cause(of error: any Error) -> (any Error)? {
    if error is DatabaseError || error is PostgresError, let failure { return failure }
    // SQLite passes on the message only, and queries convert its errors.
    let message = (error as? DatabaseError)?.message ?? "\(error)"
    return [failure, undoneFailure].compactMap { $0 }.first { "\($0)" == message }
  }

  /// Runs statements on nodes in one round trip.
  func run(_ batches: [NodeStatements]) throws -> [[PostgresResult]] { try outcomes(batches).map { try $0.get() } }

  /// Runs statements on nodes in one round trip and returns the results or the error of each node.
  func outcomes(_ batches: [NodeStatements]) -> [Result<[PostgresResult], any Error>] {
    guard batches.contains(where: { !$0.statements.isEmpty }) else { return batches.map { _ in .success([]) } }
    if nodes.isOnCitus, batches.count > 1 { return outcomesOnCoordinator(batches) }
    do { try finishReadingAhead() } catch { return batches.map { _ in .failure(error) } }
    roundTripCount += 1
    let started = batches.map { batch in
      Result {
        let sent = channel(batch.node).finishSending()
        roundTripCount += sent.roundTripCount
        if let failure = sent.failure { throw failure }
        guard let connection = channel(batch.node).connection else {
          throw PostgresError(.statement, "\(storage.name): node \(batch.node + 1) was used outside of a transaction")
        }
        return batch.statements.isEmpty ? nil : (connection, try connection.start(batch.statements))
      }
    }
    return started.map { started in Result { try started.get().map { try $0.finish($1) } ?? [] } }
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
}

extension PostgresStatement {
  /// Whether the statement can change rows: it is not a query or about a cursor.
  fileprivate var canChangeRows: Bool {
    !["SELECT", "FETCH", "DECLARE", "CLOSE"].contains { text.hasPrefix($0) }
  }
}

@available(*, unavailable)
extension ConnectionSession: Sendable {}
