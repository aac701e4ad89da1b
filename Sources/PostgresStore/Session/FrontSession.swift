import DocumentStore
package import PostgresAccess
import SQLiteAccess
import Synchronization
import TextIndex

/// The PostgreSQL side of one SQLite connection.
///
/// It belongs to the thread that uses the connection. Between transactions it holds no connection to PostgreSQL.
package final class FrontSession: PostgresSession {
  enum Mode { case idle, reading, writing }

  let storage: PostgresStorage
  /// The part of the transaction on each node.
  let channels: [NodeChannel]
  private(set) var mode = Mode.idle
  /// The rows of the small tables in this transaction.
  let smallTables = SmallTables()
  /// Documents that this transaction has read or written.
  let documents: DocumentCache
  /// The rows that the transaction has given to new documents.
  let counters = RowCounters()
  /// Full-text indexes that have many segments after the transaction, by their ID.
  var indexesToMerge: [Int64: StoredFullTextIndex] = [:]
  /// The rest of the numbers that a sequence has reserved for this session, by the sequence.
  private var reservedNumbers: [String: Range<Int64>] = [:]
  /// The number of transactions that have ended.
  private(set) var transactionCount = 0
  /// The number of events that may have closed cursors: ends of transactions and rollbacks to savepoints.
  private(set) var cursorEpoch = 0
  private(set) var stateNumber: Int64 = 0
  /// The time in seconds that a write transaction waits for others.
  private(set) var busyTimeout = 0.0
  package private(set) var roundTripCount = 0
  private var roundTripCountAtBegin = 0
  /// The first error of the transaction. PostgreSQL refuses later statements of a transaction that has failed.
  private(set) var failure: (any Error)?

  package let shards: ShardLayout
  package var nodes: NodeLayout { storage.nodes }

  init(_ storage: PostgresStorage) {
    self.storage = storage
    shards = storage.shards
    documents = DocumentCache()
    channels = storage.pools.enumerated().map { NodeChannel($0, $1) }
  }

  deinit { end() }

  package var isWriting: Bool { mode == .writing }

  package func snapshot() throws -> Int64 { stateNumber }

  /// The node with the catalog and the lock of writers.
  var home: NodeChannel { channels[0] }

  // MARK: Transactions

  func beginReading() throws {
    guard mode == .idle else { return }
    try reconnecting { try beginReadingAttempt() }
  }

  /// - Parameter busyTimeout: the time in seconds to wait for another writer.
  func beginWriting(busyTimeout: Double) throws {
    self.busyTimeout = busyTimeout
    try reconnecting {
      try start(.writing, nodes: 0..<1)
      // Every statement sees what was committed before it, and the lock excludes other writers.
      let milliseconds = max(1, min(Int64(busyTimeout * 1000), Int64(Int32.max)))
      let statements = [
        PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED"),
        PostgresStatement("SELECT set_config('lock_timeout', $1, true)", [.text(String(milliseconds))]),
        PostgresStatement("SELECT version, shards, state FROM cx_manifest FOR UPDATE"),
      ]
      load(try run([NodeStatements(0, statements + SmallTables.selections)])[0].dropFirst(2))
    }
  }

  /// Begins a transaction; again, if the server has closed idle connections, for example because it was restarted.
  private func reconnecting(_ body: () throws -> Void) throws {
    do {
      do { try body() } catch let error as PostgresError where error.kind == .connectionLost {
        end()
        for channel in channels { channel.pool.removeAll() }
        try body()
      }
    } catch {
      end()
      throw error
    }
  }

  private func beginReadingAttempt() throws {
    for attempt in 1... {
      try start(.reading, nodes: channels.indices)
      let begin = PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let state = PostgresStatement("SELECT version, shards, state FROM cx_manifest")
      var batches = [NodeStatements(0, [begin, state] + SmallTables.selections)]
      if !nodes.isSingle {
        batches[0] = NodeStatements(0, [begin, state] + SmallTables.selections + [NodeState.selection])
        batches += channels.dropFirst().map { NodeStatements($0.node, [begin, NodeState.own]) }
      }
      let results = try run(batches)
      load(results[0].dropFirst(1))
      if nodes.isSingle { return }
      let expected = try NodeState.expected(results[0].last, name: storage.name)
      let found = try channels.dropFirst().map { channel in
        try storage.requireMember(results[channel.node][1], node: channel.node)
      }
      if zip(expected, found).allSatisfy({ $0 == $1 }) { return }
      // A transaction was being committed on several nodes.
      end()
      try waitForCommits(attempt)
    }
  }

  /// Takes connections to nodes.
  private func start(_ mode: Mode, nodes: Range<Int>) throws {
    reset()
    roundTripCountAtBegin = roundTripCount
    self.mode = mode
    for node in nodes { try open(channels[node]) }
  }

  private func open(_ channel: NodeChannel) throws {
    do {
      try channel.open { [isWriting] in
        guard !isWriting else { return }
        try Interruption.check()
        try Deadline.check()
      }
    } catch let error as PostgresError { throw storage.naming(channel.node, in: error) }
  }

  private func load(_ results: ArraySlice<PostgresResult>) {
    if let manifest = results.first { stateNumber = manifest.int64(0, 2) }
    smallTables.load(Array(results.dropFirst().prefix(SmallTables.selections.count)))
  }

  /// Makes nodes part of the write transaction. The lock of their manifests shows that no other transaction is
  /// unfinished on them.
  func join(_ wanted: [Int]) throws {
    guard isWriting, !nodes.isSingle else { return }
    var missing = Set(wanted.filter { channels[$0].connection == nil })
    var attempt = 0
    while !missing.isEmpty {
      attempt += 1
      let joining = missing.sorted()
      for node in joining { try open(channels[node]) }
      let outcomes = outcomes(
        joining.map {
          NodeStatements($0, [PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED"), NodeState.lock])
        })
      for (node, outcome) in zip(joining, outcomes) {
        do {
          _ = try storage.requireMember(outcome.get()[1], node: node)
          missing.remove(node)
        } catch let error as PostgresError where error.kind == .busy {
          rollBack([channels[node]])
          channels[node].close()
        }
      }
      if !missing.isEmpty { try finishTransactions(of: missing.sorted(), attempt) }
    }
  }

  /// Ends the transaction; a write transaction that was not committed is rolled back.
  func end() {
    guard mode != .idle else { return }
    rollBack(channels)
    storage.roundTrips.add(roundTripCount - roundTripCountAtBegin, ordering: .relaxed)
    mode = .idle
    reset()
  }

  /// Rolls transactions back that are open, without waiting for the servers.
  func rollBack(_ channels: [NodeChannel]) {
    for case let connection? in channels.map(\.connection) where connection.isConnected {
      try? connection.rollBack()
    }
  }

  private func reset() {
    for channel in channels { channel.close() }
    documents.removeAll()
    counters.removeAll()
    smallTables.removeAll()
    indexesToMerge = [:]
    transactionCount += 1
    cursorEpoch += 1
    failure = nil
  }

  // MARK: Statements

  package func query(_ batches: [NodeStatements]) throws -> [[PostgresResult]] {
    guard mode != .idle else {
      throw PostgresError(.statement, "\(storage.name): rows were read outside of a transaction")
    }
    if let failure { throw failure }
    return try noting {
      try join(batches.map(\.node))
      let unsent = batches.map { channels[$0.node].takePending() }
      for batch in batches where batch.statements.contains(where: \.canChangeRows) {
        channels[batch.node].hasChanged = true
      }
      let results = try run(zip(batches, unsent).map { NodeStatements($0.node, $1 + $0.statements) })
      return zip(results, unsent).map { Array($0.dropFirst($1.count)) }
    }
  }

  package func enqueue(_ statement: PostgresStatement, on node: Int) throws {
    try requireWriting()
    channels[node].pending.append(statement)
    try sendIfFull(node)
  }

  /// Adds a new document.
  func enqueue(_ document: NewDocuments.Row) throws {
    let node = node(ofShard: document.shard)
    channels[node].pending.append(document)
    try sendIfFull(node)
  }

  private func sendIfFull(_ node: Int) throws {
    if channels[node].pending.isFull { _ = try query([], on: node) }
  }

  package func copy(into target: String, _ rows: PostgresCopyRows, on node: Int) throws {
    try requireWriting()
    _ = try query([], on: node)
    try noting {
      guard let connection = channels[node].connection else { return }
      channels[node].hasChanged = true
      let before = connection.roundTripCount
      defer { roundTripCount += connection.roundTripCount - before }
      try connection.copy(into: target, rows)
    }
  }

  func requireWriting() throws {
    if let failure { throw failure }
    guard isWriting else {
      throw PostgresError(.notPermitted, "\(storage.name): rows were changed outside of a write transaction")
    }
  }

  func noting<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch {
      if failure == nil { failure = error }
      throw error
    }
  }

  /// Runs statements on nodes in one round trip.
  func run(_ batches: [NodeStatements]) throws -> [[PostgresResult]] { try outcomes(batches).map { try $0.get() } }

  /// Runs statements on nodes in one round trip and returns the results or the error of each node.
  func outcomes(_ batches: [NodeStatements]) -> [Result<[PostgresResult], any Error>] {
    guard batches.contains(where: { !$0.statements.isEmpty }) else { return batches.map { _ in .success([]) } }
    roundTripCount += 1
    let started = batches.map { batch in
      Result {
        guard let connection = channels[batch.node].connection else {
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

  // MARK: Savepoints

  func beginSavepoint(_ number: Int32) {
    guard isWriting else { return }
    for channel in channels { channel.pending.beginSavepoint(Int(number)) }
  }

  func releaseSavepoint(_ number: Int32) {
    for channel in channels { channel.pending.releaseSavepoint(Int(number)) }
  }

  func rollBack(toSavepoint number: Int32) throws {
    guard isWriting else { return }
    let wereOpen = channels.map { $0.pending.rollBack(toSavepoint: Int(number)) }
    guard wereOpen.contains(true) else { return }
    // PostgreSQL can continue after this, whatever has failed since the savepoint.
    failure = nil
    documents.removeAll()
    smallTables.invalidate()
    // Cursors that were opened after the savepoint no longer exist; the others end with the transaction.
    cursorEpoch += 1
    for channel in channels { channel.discardCursors() }
  }

  /// Reads the small tables again after a rollback.
  func reloadSmallTablesIfNeeded() throws {
    guard !smallTables.isLoaded else { return }
    smallTables.load(try query(SmallTables.selections))
  }
}

extension PostgresStatement {
  /// Whether the statement can change rows: it is not a query or about a cursor.
  fileprivate var canChangeRows: Bool {
    !["SELECT", "FETCH", "DECLARE", "CLOSE"].contains { text.hasPrefix($0) }
  }
}

@available(*, unavailable)
extension FrontSession: Sendable {}
