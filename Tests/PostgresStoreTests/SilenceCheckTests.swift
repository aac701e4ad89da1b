import Foundation
import PostgresAccess
import TestSupport
import Testing

@testable import PostgresStore

@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct SilenceCheckTests {
  @Test func aServerThatDoesNotAnswerIsNoticed() throws {
    let proxy = try StoppableProxy(TemporaryCluster.makeDatabase())
    defer { proxy.close() }
    let pool = ConnectionPool(proxy.url, PostgresSettings())
    let server = try pool.take().server
    try SilenceCheck(pool, name: "test", probeDelay: .zero).check(server, lastInput: .now)
    proxy.stop()
    // libpq waits for at least two seconds.
    let check = SilenceCheck(pool, name: "test", probeDelay: .zero, connectTimeout: 2)
    let error = #expect(throws: PostgresError.self) { try check.check(server, lastInput: .now) }
    #expect(error?.kind == .connectionLost)
    // Before that, the server is not asked.
    try SilenceCheck(pool, name: "test").check(server, lastInput: .now)
    // What the server has sent is an answer. A time in the future does not depend on the speed of the machine.
    try check.check(server, lastInput: ContinuousClock.now + .seconds(3600))
  }

  /// Another host of the address refuses connections, which is not an answer of the server of the connection.
  @Test func onlyTheServerOfTheConnectionIsAsked() throws {
    let proxy = try StoppableProxy(TemporaryCluster.makeDatabase())
    defer { proxy.close() }
    // No server listens on port 1.
    let start = try #require(proxy.url.range(of: "127.0.0.1:"))
    let end = try #require(proxy.url[start.upperBound...].firstIndex(of: "/"))
    let pool = ConnectionPool("\(proxy.url[..<end]),127.0.0.1:1\(proxy.url[end...])", PostgresSettings())
    let server = try pool.take().server
    #expect(server.address == "127.0.0.1" && server.port == String(proxy.url[start.upperBound..<end]))
    #expect(pool.isAnswering(server, within: 30))
    proxy.stop()
    #expect(!pool.isAnswering(server, within: 2))
  }

  /// A statement may take long.
  @Test func aServerThatRefusesConnectionsAnswers() {
    let pool = ConnectionPool("postgresql:///x?host=/nonexistent", PostgresSettings())
    #expect(pool.isAnswering(PostgresServer(host: "/nonexistent", address: "", port: ""), within: 30))
  }
}
