import PostgresAccess
import TestSupport
import Testing

@testable import PostgresStore

@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct SilenceCheckTests {
  @Test func aServerThatDoesNotAnswerIsNoticed() throws {
    let proxy = try StoppableProxy(TemporaryCluster.makeDatabase())
    defer { proxy.close() }
    let pool = ConnectionPool(proxy.url, PostgresSettings())
    try SilenceCheck(pool, name: "test", patience: .zero).check(lastInput: .now)
    proxy.stop()
    // libpq waits for at least two seconds.
    let check = SilenceCheck(pool, name: "test", patience: .zero, connectTimeout: 2)
    let error = #expect(throws: PostgresError.self) { try check.check(lastInput: .now) }
    #expect(error?.kind == .connectionLost)
    // Before that, the server is not asked.
    try SilenceCheck(pool, name: "test").check(lastInput: .now)
    // What the server has sent is an answer. A time in the future does not depend on the speed of the machine.
    try check.check(lastInput: ContinuousClock.now + .seconds(3600))
  }

  /// A statement may take long.
  @Test func aServerThatRefusesConnectionsAnswers() {
    let pool = ConnectionPool("postgresql:///x?host=/nonexistent", PostgresSettings())
    #expect(pool.isAnswering(within: 30))
  }
}
