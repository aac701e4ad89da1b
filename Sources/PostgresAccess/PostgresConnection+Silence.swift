import CPostgres
import Foundation

extension PostgresConnection {
  /// Makes the system close the connection if the machine of the server does not answer for a minute. By default, it
  /// waits for a quarter of an hour, or for two hours if nothing is being sent.
  ///
  /// A shorter time would also end connections to a server that executes a long statement and therefore does not read
  /// what is being sent. Parameters of the connection are not used, because they would override those of a service.
  ///
  /// - Parameter chosen: the parameters of the connection.
  func limitSilence(_ chosen: [String: String]) {
    let options: [(keyword: String, option: Int32, value: Int32)] = [
      ("tcp_user_timeout", TCP_USER_TIMEOUT, 60_000), ("keepalives_idle", TCP_KEEPIDLE, 30),
      ("keepalives_interval", TCP_KEEPINTVL, 10),
    ]
    for (keyword, option, value) in options where chosen[keyword] == nil {
      var value = value
      // This fails for a Unix socket, which does not need it.
      _ = setsockopt(
        functions.socket(connection), Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// Returns the parameters that the address, a service, a variable or this library has set. The connection may have
  /// failed.
  static func parameters(_ connection: OpaquePointer, _ functions: CPostgresFunctions) -> [String: String] {
    guard let options = functions.conninfo(connection) else { return [:] }
    defer { functions.conninfoFree(options) }
    var chosen: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val, value.pointee != 0 {
        chosen[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return chosen
  }

  /// Returns the time in seconds that libpq waits for a connection to each host; nil if it has no limit.
  static func connectTimeout(_ parameters: [String: String]) -> Int? {
    // libpq waits for at least two seconds.
    parameters["connect_timeout"].flatMap { Int($0) }.flatMap { $0 > 0 ? max(2, $0) : nil }
  }

  /// Returns whether an attempt to connect has failed because of the time limit for it.
  ///
  /// libpq reports this with a translated message only, so the duration decides. It is compared with the time for one
  /// host: ``PostgresSettings/server`` selects one if the address lists several.
  ///
  /// - Parameters:
  ///   - duration: the time that the attempt took.
  ///   - parameters: those of the connection.
  static func hasTimedOut(after duration: Duration, _ parameters: [String: String]) -> Bool {
    guard let limit = connectTimeout(parameters) else { return false }
    // libpq computes the end in whole seconds, so it may wait for up to a second less.
    return duration > Duration.seconds(limit - 1)
  }

  /// Runs the statements that prepare a new connection. The time limit of libpq ends with the authentication, after
  /// which the server may still hang.
  ///
  /// - Parameters:
  ///   - seconds: the time for which the server may take since `start`. It has at least half of them from now, because
  ///     libpq gives each host the whole time.
  ///   - start: the beginning of the time limit.
  /// - Throws: ``PostgresError``.
  func setUp(_ script: String, within seconds: Int, since start: ContinuousClock.Instant) throws {
    let now = ContinuousClock.now
    let end = max(start.advanced(by: .seconds(seconds)), now.advanced(by: .seconds(max(1, seconds / 2))))
    let limit = Int((now.duration(to: end) / .seconds(1)).rounded(.up))
    // The connection is closed anyway, so nothing waits for the answer to a cancellation.
    let formerLimit = cancellationLimit
    cancellationLimit = 0
    defer { cancellationLimit = formerLimit }
    var error = PostgresError(
      .notConnected, "\(name): the server has accepted a connection, but has not answered within \(limit) s")
    error.isTimeout = true
    try limitingWait(until: end, error) { try execute(script) }
  }

  /// Calls `body`, whose statements fail with an error if the server has not answered at a time. The former check is
  /// not called meanwhile.
  func limitingWait(
    until end: ContinuousClock.Instant, _ error: PostgresError, _ body: () throws -> Void
  ) throws {
    let former = checkInterruption
    defer { checkInterruption = former }
    checkInterruption = { guard ContinuousClock.now < end else { throw error } }
    try body()
  }
}
