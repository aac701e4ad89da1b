import DocumentStore
import PostgresAccess
import Synchronization

/// The beginning and the end of transactions.
extension ConnectionSession {
  func beginReading() throws {
    guard mode == .idle else { return }
    try reconnecting { try beginReadingAttempt(isLast: $0) }
  }

  /// - Parameters:
  ///   - busyTimeout: the time in seconds to wait for another writer.
  ///   - hasLowPriority: whether an import may continue with large transactions while this one waits.
  func beginWriting(busyTimeout: Double, hasLowPriority: Bool = false) throws {
    self.busyTimeout = busyTimeout
    try reconnecting { _ in
      try start(.writing, nodes: 0..<1)
      // Every statement sees what was committed before it, and the lock excludes other writers.
      let begin =
        [PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED"), .lockTimeout(busyTimeout)]
        + (hasLowPriority ? [WriterQueue.lowPriorityMark] : []) + [WriterQueue.entry]
      let state = PostgresStatement("SELECT version, shards, state FROM cx_manifest FOR UPDATE")
      let others = nodes.isSingle ? [] : [NodeState.selection]
      let earlier = storage.lastState.load(ordering: .relaxed)
      let results = try storage.requiringManifest {
        try run([NodeStatements(0, begin + [state] + SmallTables.selections + others)])[0]
      }
      try load(results.dropFirst(begin.count), earlier: earlier)
      if !nodes.isSingle { nodeStates = try NodeState.expected(results.last, name: storage.name) }
    }
  }

  /// Begins a transaction. Retries once if the server ended it in favor of another one.
  ///
  /// - Parameter body: begins it; receives whether connections were just opened, so that a lost one means that a node
  ///   is down.
  private func reconnecting(_ body: (Bool) throws -> Void) throws {
    do {
      do { try reconnectingOnce(body) } catch let error as PostgresError where error.kind == .conflict {
        end()
        try reconnectingOnce(body)
      }
    } catch {
      end()
      throw error
    }
  }

  /// Begins a transaction. Retries once if the server closed idle connections, for example after a restart.
  private func reconnectingOnce(_ body: (Bool) throws -> Void) throws {
    do { try body(false) } catch let error as PostgresError where error.kind == .connectionLost {
      end()
      for channel in channels { channel.pool.removeAll() }
      try body(true)
    }
  }

  /// - Parameter isLast: whether a node whose connection was lost is missing; otherwise the error is thrown.
  private func beginReadingAttempt(isLast: Bool) throws {
    var limit: ContinuousClock.Instant?
    for attempt in 1... {
      try start(.reading, nodes: channels.indices)
      let earlier = storage.lastState.load(ordering: .relaxed)
      let begin = PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let state = PostgresStatement("SELECT version, shards, state FROM cx_manifest")
      let home = [begin, nodes.isOnCitus ? Citus.expiration : NodeState.expiration, state] + SmallTables.selections
      var batches = [NodeStatements(0, home)]
      if !nodes.isSingle || nodes.isOnCitus {
        batches[0] = NodeStatements(0, home + [NodeState.selection])
        batches += channels.dropFirst().filter { $0.connection != nil }.map {
          NodeStatements($0.node, [begin, NodeState.expiration, NodeState.own])
        }
      }
      let outcomes = outcomes(batches)
      let results = try storage.requiringManifest { try outcomes[0].get() }
      try load(results.dropFirst(2), earlier: earlier)
      mayHaveExpirations = results[1].count > 0
      if nodes.isSingle, !nodes.isOnCitus { return }
      let expected = try NodeState.expected(results.last, name: storage.name)
      var isConsistent = try !nodes.isOnCitus || seesShards(expected)
      for (batch, outcome) in zip(batches, outcomes).dropFirst() {
        do {
          let results = try outcome.get()
          let found = try storage.requireMember(results[2], node: batch.node)
          if results[1].count > 0 { mayHaveExpirations = true }
          if !expected.indices.contains(batch.node - 1) || found != expected[batch.node - 1] { isConsistent = false }
        } catch let error as PostgresError where error.kind == .connectionLost && isLast {
          setMissing(batch.node, storage.naming(batch.node, in: error))
        } catch let error as PostgresError where error.kind == .undefinedTable && !nodes.isOnCitus {
          throw storage.missingTables(batch.node)
        }
      }
      // Those of a missing node are unknown, and reading them is an error.
      if !missingNodes.isEmpty { mayHaveExpirations = true }
      if isConsistent { return }
      // A transaction was being committed on several nodes.
      end()
      let endOfWait = limit ?? self.endOfWait()
      limit = endOfWait
      try waitForCommits(attempt, until: endOfWait)
    }
  }

  /// Takes connections to nodes.
  private func start(_ mode: Mode, nodes: Range<Int>) throws {
    reset()
    roundTripCountAtBegin = roundTripCount
    self.mode = mode
    for node in nodes {
      do { try open(channels[node]) } catch let error as PostgresError
        where mode == .reading && node > 0 && error.kind == .notConnected
      {
        setMissing(node, error)
      }
    }
  }

  /// Notes that a read transaction does not use a node.
  private func setMissing(_ node: Int, _ error: PostgresError) {
    channels[node].close()
    missingNodes[node] = error
  }

  private func open(_ channel: NodeChannel) throws {
    let name = channel.node == 0 ? storage.name : nodes.nodes[channel.node].address
    let silence = isWriting ? SilenceCheck(channel.pool, name: name) : nil
    do {
      try channel.open { connection in
        // A writer has no time limit, except for a server that does not answer at all.
        if let silence { return try silence.check(connection.server, lastInput: connection.lastInput) }
        try Interruption.check()
        try Deadline.check()
      }
    } catch let error as PostgresError { throw storage.naming(channel.node, in: error) }
  }

  /// - Parameters:
  ///   - results: the manifest and the rows of the small tables.
  ///   - earlier: the highest state that was known before the transaction began.
  private func load(_ results: ArraySlice<PostgresResult>, earlier: Int64) throws {
    guard let manifest = results.first else {
      throw PostgresError(.connectionLost, "\(storage.name): PostgreSQL returned no result")
    }
    try storage.requireUnchanged(manifest)
    stateNumber = manifest.int64(0, 2)
    storage.noteState(stateNumber, after: earlier)
    smallTables.load(
      Array(results.dropFirst().prefix(SmallTables.selections.count)), isOnCitus: nodes.isOnCitus)
    try storage.requireSame(identity: smallTables.identity)
  }

  /// Makes nodes part of the write transaction. The lock of their manifests shows that no other transaction is
  /// unfinished on them.
  func join(_ wanted: [Int]) throws {
    guard isWriting, !nodes.isSingle else { return }
    var missing = Set(wanted.filter { !channels[$0].isOpen })
    // A rollback to a savepoint makes the transaction usable after an error. Nodes that were not accepted must not be
    // part of it then; nothing but the statements below was sent to them.
    defer { leave(missing) }
    var attempt = 0
    while !missing.isEmpty {
      attempt += 1
      let joining = missing.sorted()
      for node in joining { try open(channels[node]) }
      let outcomes = outcomes(
        joining.map {
          NodeStatements(
            $0,
            [PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED"), .lockTimeout(busyTimeout), NodeState.lock])
        })
      for (node, outcome) in zip(joining, outcomes) {
        do {
          try storage.requireState(
            storage.requireMember(outcome.get()[2], node: node), of: node, recorded: nodeStates)
          missing.remove(node)
        } catch let error as PostgresError where error.kind == .busy {
          leave([node])
        } catch let error as PostgresError where error.kind == .undefinedTable && !nodes.isOnCitus {
          throw storage.missingTables(node)
        }
      }
      if !missing.isEmpty { try finishTransactions(of: missing.sorted(), attempt) }
    }
  }

  /// Ends the part of the write transaction on nodes that have not become part of it.
  private func leave(_ nodes: Set<Int>) {
    for node in nodes {
      rollBack([channels[node]])
      channels[node].disconnect()
    }
  }

  /// Ends the transaction; a write transaction that was not committed is rolled back.
  func end() {
    guard mode != .idle else { return }
    discardReadAhead()
    for channel in channels { roundTripCount += channel.finishSending().roundTripCount }
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
    undoneFailure = nil
    missingNodes = [:]
    nodeStates = []
    allowsPartialResults = false
    mayHaveExpirations = true
    citus = CitusTransaction()
  }
}

extension PostgresStatement {
  /// Limits the time for which later statements wait for locks.
  ///
  /// - Parameters:
  ///   - seconds: the time; at least a millisecond, because 0 would mean no limit.
  ///   - ofSession: whether the limit remains after the end of the transaction.
  static func lockTimeout(_ seconds: Double, ofSession: Bool = false) -> PostgresStatement {
    let milliseconds = Int(max(1, min(seconds * 1000, Double(Int32.max))))
    return PostgresStatement(
      "SELECT set_config('lock_timeout', $1, $2)", [.text(String(milliseconds)), .bool(!ofSession)])
  }
}
