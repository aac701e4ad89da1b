import CPostgres
import Foundation

/// A connection to a PostgreSQL server through libpq, used by one thread at a time.
///
/// ```swift
/// let connection = try PostgresConnection("postgresql://db.example.com/corpus")
/// let results = try connection.run([
///   PostgresStatement("SELECT id FROM cx_doc WHERE row = ANY($1)", [.int64s([7, 8])]),
///   PostgresStatement("SELECT count(*) FROM cx_blk"),
/// ])
/// ```
///
/// All statements of a call are sent in one round trip (libpq's pipeline mode). Statements are prepared when they are
/// first used. The server, user, password and TLS are found as by `psql`: from the address, `PG…` variables,
/// `pg_service.conf` and `.pgpass`.
package final class PostgresConnection {
  let functions: CPostgresFunctions
  let connection: OpaquePointer
  /// The URL of the server and database, for messages; without the user and the password. The slashes of the folder of
  /// a socket are encoded, as libpq requires.
  package let name: String
  /// The version of the server, such as 150018 for 15.18.
  package let serverVersion: Int32
  /// The number of times that the client has waited for the server since the connection was opened.
  package internal(set) var roundTripCount = 0
  /// Called several times a second while the client waits. If it throws, the running statements are cancelled and the
  /// call throws the error. A server that does not answer then is not waited for: the connection is closed.
  package var checkInterruption: () throws -> Void = {}
  /// The time in seconds for which the server may continue to answer after it was asked to cancel.
  var cancellationLimit = 2.0
  /// The last time at which the server has sent something.
  package internal(set) var lastInput = ContinuousClock.now
  /// Whether the server has not answered in time after it was asked to cancel. Results that arrive later are not read.
  var isAbandoned = false
  /// A ROLLBACK that was sent and whose result was not read; the connection is in pipeline mode meanwhile.
  var unreadRollback: [Step]?
  /// Whether the server was asked to cancel statements of the transaction.
  package var wasCancelled = false
  /// The names of prepared statements by their text.
  private var prepared: [String: String] = [:]
  private var preparedCount = 0
  private static let maximumPreparedCount = 500
  /// The time in seconds for the first statements of a connection that may be awaited without a limit.
  private static let defaultSetUpTime = 30

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - address: a URL (`postgresql://…`) or `key=value` pairs, as for `psql`.
  ///   - settings: the settings.
  /// - Throws: ``PostgresError``.
  package init(_ address: String, _ settings: PostgresSettings = PostgresSettings()) throws {
    let functions = try PostgresLibrary.load()
    // Parameters after `dbname` override those of the address, parameters before it do not, but override variables.
    var parameters = [("fallback_application_name", "concordance"), ("dbname", address), ("client_encoding", "UTF8")]
    parameters += settings.server?.parameters ?? []
    let timeout = ("connect_timeout", String(settings.connectTimeout))
    if settings.overridesConnectTimeout {
      parameters.append(timeout)
    } else if getenv("PGCONNECT_TIMEOUT") == nil {
      parameters.insert(timeout, at: 0)
    }
    let start = ContinuousClock.now
    let connection = PostgresConnection.withCStrings(parameters.map(\.0)) { keywords in
      PostgresConnection.withCStrings(parameters.map(\.1)) { functions.connectdbParams(keywords, $0, 1) }
    }
    guard let connection else { throw PostgresError(.resources, "no memory for a connection to PostgreSQL") }
    guard functions.status(connection) == CPOSTGRES_CONNECTION_OK else {
      defer { functions.finish(connection) }
      var error = PostgresError(
        .notConnected,
        "cannot connect to PostgreSQL: \(PostgresConnection.trimmed(functions.errorMessage(connection)))")
      error.isTimeout = PostgresConnection.hasTimedOut(
        after: start.duration(to: .now), PostgresConnection.parameters(connection, functions))
      throw error
    }
    self.functions = functions
    self.connection = connection
    let (host, port, database) = (functions.host(connection), functions.port(connection), functions.db(connection))
    let server = [host, port].compactMap { $0.map { String(cString: $0) } }.filter { !$0.isEmpty }
    name =
      "postgresql://" + server.joined(separator: ":").replacing("/", with: "%2F")
      + "/" + (database.map { String(cString: $0) } ?? "")
    serverVersion = functions.serverVersion(connection)
    _ = functions.setNoticeProcessor(connection, cpostgres_ignore_notice, nil)
    let chosen = PostgresConnection.parameters(connection, functions)
    limitSilence(chosen)
    try requireSupport()
    // A long batch of statements must be able to read results while it is still being sent.
    guard functions.setnonblocking(connection, 1) == 0 else { throw lostConnection() }
    let limit = PostgresConnection.connectTimeout(chosen)
    // Without a limit, connecting may have taken longer than the default time.
    try setUp(
      settings.script, within: limit ?? PostgresConnection.defaultSetUpTime, since: limit == nil ? .now : start)
  }

  deinit { functions.finish(connection) }

  /// Whether the connection can still be used.
  package var isConnected: Bool { !isAbandoned && functions.status(connection) == CPOSTGRES_CONNECTION_OK }

  /// Returns whether an idle connection can still be used: the server may have closed it, for example because it was
  /// restarted. This does not wait.
  package func isAlive() -> Bool {
    // The first call may read the reason, and the second finds the end of the stream.
    isConnected && functions.consumeInput(connection) == 1 && functions.consumeInput(connection) == 1 && isConnected
  }

  /// Whether a transaction is open, or has failed and waits for ROLLBACK.
  package var isInTransaction: Bool {
    unreadRollback == nil && functions.transactionStatus(connection) != CPOSTGRES_TRANSACTION_IDLE
  }

  /// Runs statements in one round trip and returns the result of each.
  ///
  /// Outside a transaction, the statements are one transaction. After a statement that fails, the remaining ones are
  /// not run.
  ///
  /// - Throws: ``PostgresError`` of the first statement that fails, errors of ``checkInterruption``.
  package func run(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
    guard !statements.isEmpty else { return [] }
    return try finish(start(statements))
  }

  /// Statements that were sent and whose results were not read yet.
  package struct StartedStatements {
    fileprivate let statements: [PostgresStatement]
    fileprivate let steps: [Step]
    /// The ROLLBACK that was sent before them and whose result was not read yet.
    fileprivate let rollback: [Step]?
  }

  /// Sends statements, so that other connections can be used before their results are awaited. ``finish(_:)`` must be
  /// called before the connection is used again.
  ///
  /// - Parameter statements: at least one statement.
  package func start(_ statements: [PostgresStatement]) throws -> StartedStatements {
    try discardPreparedIfNeeded(statements)
    guard isConnected else { throw lostConnection() }
    let rollback = unreadRollback
    unreadRollback = nil
    guard rollback != nil || functions.enterPipelineMode(connection) == 1 else { throw lostConnection() }
    let started = StartedStatements(statements: statements, steps: try send(statements), rollback: rollback)
    // The rest is sent while the results are awaited.
    guard functions.flush(connection) >= 0 else { throw lostConnection() }
    return started
  }

  /// Returns the results of statements that were sent.
  package func finish(_ started: StartedStatements) throws -> [PostgresResult] {
    roundTripCount += 1
    let isRolledBack = started.rollback.map { steps in Result { try receive(steps, [PostgresConnection.rollback]) } }
    let results = Result { try receive(started.steps, started.statements) }
    guard functions.exitPipelineMode(connection) == 1 || !isConnected else { throw lostConnection() }
    if case .failure(let error) = isRolledBack { throw unfinishedTransaction(error) }
    return try results.get()
  }

  /// Runs one statement.
  package func run(_ text: String, _ parameters: [PostgresValue] = []) throws -> PostgresResult {
    guard let result = try run([PostgresStatement(text, parameters)]).first else { throw lostConnection() }
    return result
  }

  /// Runs statements without parameters, separated by semicolons, such as those of a schema.
  package func execute(_ script: String) throws {
    try finishRollback()
    roundTripCount += 1
    guard isConnected, functions.sendQuery(connection, script) == 1 else { throw lostConnection() }
    var waiting = ResultWait(self)
    try receiveRest(&waiting)
  }

  // MARK: Sending

  /// A result to expect.
  enum Step {
    /// - Parameter name: the name of the prepared statement; empty if it is not cached.
    case prepare(text: String, name: String)
    case query(index: Int)
  }

  func send(_ statements: [PostgresStatement]) throws -> [Step] {
    var steps: [Step] = []
    var sent: [String: String] = [:]
    for (index, statement) in statements.enumerated() {
      let name: String
      if let known = prepared[statement.text] ?? sent[statement.text] {
        name = known
      } else {
        if statement.isCached { preparedCount += 1 }
        name = statement.isCached ? "concordance\(preparedCount)" : ""
        let types = statement.parameters.map(\.type)
        guard functions.sendPrepare(connection, name, statement.text, Int32(clamping: types.count), types) == 1 else {
          throw lostConnection()
        }
        if statement.isCached { sent[statement.text] = name }
        steps.append(.prepare(text: statement.text, name: name))
      }
      let isSent = EncodedParameters(statement.parameters).withPointers { count, values, lengths, formats in
        functions.sendQueryPrepared(connection, name, count, values, lengths, formats, 1)
      }
      guard isSent == 1 else { throw lostConnection() }
      steps.append(.query(index: index))
    }
    guard functions.pipelineSync(connection) == 1 else { throw lostConnection() }
    return steps
  }

  // MARK: Receiving

  func receive(_ steps: [Step], _ statements: [PostgresStatement]) throws -> [PostgresResult] {
    var results: [PostgresResult] = []
    results.reserveCapacity(statements.count)
    var failure: (any Error)?
    var waiting = ResultWait(self)
    for step in steps {
      guard let result = try waiting.next() else { throw failure ?? lostConnection() }
      switch functions.resultStatus(result) {
      case CPOSTGRES_COMMAND_OK, CPOSTGRES_TUPLES_OK, CPOSTGRES_EMPTY_QUERY:
        switch step {
        case .prepare(let text, let name):
          if !name.isEmpty { prepared[text] = name }
          functions.clear(result)
        case .query: results.append(PostgresResult(result, functions))
        }
      case CPOSTGRES_PIPELINE_ABORTED: functions.clear(result)
      default:
        if failure == nil {
          let reported = error(result, step, statements)
          // Another user of the session has deleted the statements, so they are prepared again.
          if reported.state == PostgresError.undefinedStatement { prepared = [:] }
          failure = reported
        }
        functions.clear(result)
      }
      // A null ends the results of each statement.
      if let extra = try waiting.next() { functions.clear(extra) }
    }
    guard let end = try waiting.next() else { throw failure ?? lostConnection() }
    functions.clear(end)
    if let interruption = waiting.endInterruption() { throw interruption }
    if let failure { throw failure }
    guard results.count == statements.count else { throw lostConnection() }
    return results
  }

  /// Reads the results that remain of statements outside of pipeline mode.
  ///
  /// - Parameter failure: the error of an earlier result.
  /// - Throws: the error of an interruption; otherwise the first error.
  func receiveRest(_ waiting: inout ResultWait, after failure: (any Error)? = nil) throws {
    var failure = failure
    while let result = try waiting.next() {
      defer { functions.clear(result) }
      switch functions.resultStatus(result) {
      case CPOSTGRES_COMMAND_OK, CPOSTGRES_TUPLES_OK, CPOSTGRES_EMPTY_QUERY: break
      default: if failure == nil { failure = error(result) }
      }
    }
    if let interruption = waiting.endInterruption() { throw interruption }
    if let failure { throw failure }
  }

  private func error(_ result: OpaquePointer, _ step: Step, _ statements: [PostgresStatement]) -> PostgresError {
    switch step {
    case .prepare(let text, _): error(result, in: text)
    case .query(let index): error(result, in: statements[index].text)
    }
  }

  private func discardPreparedIfNeeded(_ statements: [PostgresStatement]) throws {
    let limit = PostgresConnection.maximumPreparedCount
    guard prepared.count + statements.count > limit, !prepared.isEmpty else { return }
    // A long batch usually repeats a few texts.
    let new = Set(statements.filter { $0.isCached && prepared[$0.text] == nil }.map(\.text))
    guard !new.isEmpty, prepared.count + new.count > limit else { return }
    // A transaction that has failed executes only the end of it, or a rollback to a savepoint.
    guard functions.transactionStatus(connection) != CPOSTGRES_TRANSACTION_FAILED else { return }
    // If this is interrupted, the server may have discarded them. Names are not used again.
    prepared = [:]
    try execute("DEALLOCATE ALL")
  }
}

@available(*, unavailable)
extension PostgresConnection: Sendable {}
