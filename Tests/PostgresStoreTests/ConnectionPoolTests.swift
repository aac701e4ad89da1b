import TestSupport
import Testing

@testable import PostgresAccess
@testable import PostgresStore

@Suite(.enabled(if: TemporaryCluster.isInstalled), .timeLimit(.minutes(10))) struct ConnectionPoolTests {
  /// Otherwise, each later ROLLBACK of the connection would take a round trip.
  @Test func aCancelledStatementIsForgotten() throws {
    let pool = ConnectionPool(try TemporaryCluster.makeDatabase(), PostgresSettings())
    let connection = try pool.take()
    // Otherwise a slow machine could close the connection.
    connection.cancellationLimit = 60
    connection.checkInterruption = { throw CancellationError() }
    #expect(throws: CancellationError.self) { _ = try connection.run("SELECT pg_sleep(60)") }
    #expect(connection.wasCancelled)
    pool.put(connection)
    let again = try pool.take()
    #expect(again === connection)
    #expect(!again.wasCancelled)
  }
}
