import CPostgres
import Foundation
import TestSupport
import Testing

@testable import PostgresAccess

/// Connections to a server that does not answer any longer.
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
    // Nothing waits for the server any longer.
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
