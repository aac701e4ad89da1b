import CPostgres
import Foundation
import TestSupport
import Testing

@testable import PostgresAccess

/// Connections to a server that no longer answers.
@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct LostServerTests {
  private struct Interruption: Error {}

  /// A call that waits for the server.
  enum Call: CaseIterable {
    case run, execute, copy

    func perform(_ connection: PostgresConnection) throws {
      switch self {
      case .run: _ = try connection.run("SELECT 1")
      case .execute: try connection.execute("COMMIT")
      case .copy:
        var rows = PostgresCopyRows()
        rows.append([.int64(7)])
        try connection.copy(into: "t (a)", rows)
      }
    }
  }

  /// The server answers neither the statement nor the request to cancel it.
  @Test(arguments: Call.allCases) func anInterruptedCallEnds(call: Call) throws {
    let proxy = try StoppableProxy(TemporaryCluster.makeDatabase())
    defer { proxy.close() }
    let connection = try PostgresConnection(proxy.url)
    connection.cancellationLimit = 0.1
    proxy.stop()
    connection.checkInterruption = { throw Interruption() }
    #expect(throws: Interruption.self) { try call.perform(connection) }
    #expect(!connection.isConnected)
    // Nothing waits for the server anymore.
    for later in Call.allCases {
      let error = #expect(throws: PostgresError.self) { try later.perform(connection) }
      #expect(error?.kind == .connectionLost)
    }
  }

  /// The result of ROLLBACK is read together with those of the next transaction.
  @Test func anInterruptionAfterARollbackIsReported() throws {
    let proxy = try StoppableProxy(TemporaryCluster.makeDatabase())
    defer { proxy.close() }
    let connection = try PostgresConnection(proxy.url)
    connection.cancellationLimit = 0.1
    _ = try connection.run([PostgresStatement("BEGIN"), PostgresStatement("SELECT 1")])
    proxy.stop()
    try connection.rollBack()
    connection.checkInterruption = { throw Interruption() }
    #expect(throws: Interruption.self) { try connection.run("SELECT 1") }
    #expect(!connection.isConnected)
  }

  /// The check that has interrupted the transaction would also interrupt its ROLLBACK.
  @Test func aRollbackAfterAnInterruptionHasALimitOfItsOwn() throws {
    let proxy = try StoppableProxy(TemporaryCluster.makeDatabase())
    defer { proxy.close() }
    let connection = try PostgresConnection(proxy.url)
    connection.cancellationLimit = 60
    _ = try connection.run([PostgresStatement("BEGIN"), PostgresStatement("SELECT 1")])
    connection.checkInterruption = { throw Interruption() }
    #expect(throws: Interruption.self) { try connection.run("SELECT pg_sleep(60)") }
    try #require(connection.wasCancelled && connection.isInTransaction)
    proxy.stop()
    connection.cancellationLimit = 0.1
    let error = #expect(throws: PostgresError.self) { try connection.rollBack() }
    #expect(error?.message.contains("does not answer ROLLBACK") == true)
    #expect(!connection.isConnected)
  }

  /// The time limit of libpq ends with the authentication.
  @Test func aNewConnectionWhoseFirstStatementsHangIsClosed() throws {
    let proxy = try StoppableProxy(TemporaryCluster.makeDatabase())
    defer { proxy.close() }
    let connection = try PostgresConnection(proxy.url)
    // This limit is not waited for.
    connection.cancellationLimit = 3600
    proxy.stop()
    // An earlier host has used the whole time. Half of it remains.
    let now = ContinuousClock.now
    let start = now.advanced(by: .seconds(-3600))
    let error = #expect(throws: PostgresError.self) { try connection.setUp("SELECT 1", within: 4, since: start) }
    #expect(now.duration(to: .now) >= .seconds(2))
    #expect(error?.kind == .notConnected && error?.isTimeout == true)
    #expect(error?.message.hasSuffix("within 2 s") == true)
    #expect(connection.cancellationLimit == 3600)
    #expect(!connection.isConnected)
  }

  /// A refusal can take seconds.
  @Test func onlyAWaitUntilTheLimitIsATimeout() {
    let parameters = ["connect_timeout": "30"]
    #expect(PostgresConnection.hasTimedOut(after: .seconds(30), parameters))
    // libpq computes the end in whole seconds.
    #expect(PostgresConnection.hasTimedOut(after: .milliseconds(29_100), parameters))
    #expect(!PostgresConnection.hasTimedOut(after: .seconds(20), parameters))
    for unlimited in ["0", "-1"] {
      #expect(!PostgresConnection.hasTimedOut(after: .seconds(60), ["connect_timeout": unlimited]))
    }
    #expect(!PostgresConnection.hasTimedOut(after: .seconds(60), [:]))
  }

  @Test func theLimitOfAnAddressIsUsedUnlessItIsOverridden() throws {
    let address = try TemporaryCluster.makeDatabase()
    let separator = address.contains("?") ? "&" : "?"
    var settings = PostgresSettings()
    settings.connectTimeout = 30
    for (overrides, expected) in [(false, 17), (true, 30)] {
      settings.overridesConnectTimeout = overrides
      let connection = try PostgresConnection("\(address)\(separator)connect_timeout=17", settings)
      let parameters = PostgresConnection.parameters(connection.connection, connection.functions)
      #expect(PostgresConnection.connectTimeout(parameters) == expected)
    }
  }

  @Test func aConnectionNotesWhenTheServerAnswers() throws {
    let connection = try PostgresConnection(TemporaryCluster.makeDatabase())
    let start = ContinuousClock.now
    _ = try connection.run("SELECT 1")
    #expect(connection.lastInput >= start)
  }

  @Test func theSystemNoticesThatAServerIsSilent() throws {
    let proxy = try StoppableProxy(TemporaryCluster.makeDatabase())
    defer { proxy.close() }
    func options(_ parameters: String) throws -> [Int32] {
      let connection = try PostgresConnection(proxy.url + parameters)
      return try [TCP_USER_TIMEOUT, TCP_KEEPIDLE, TCP_KEEPINTVL].map { option in
        var (value, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        let descriptor = connection.functions.socket(connection.connection)
        try #require(getsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, &length) == 0)
        return value
      }
    }
    #expect(try options("") == [60_000, 30, 10])
    #expect(try options("&tcp_user_timeout=5000&keepalives_idle=7") == [5000, 7, 10])
  }
}
