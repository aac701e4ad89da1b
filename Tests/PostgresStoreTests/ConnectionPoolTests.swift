import PostgresAccess
import TestSupport
import Testing

@testable import PostgresStore

@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct ConnectionPoolTests {
  /// Otherwise, each later ROLLBACK of the connection would take a round trip.
  @Test func aCancelledStatementIsForgotten() throws {
    let pool = ConnectionPool(try TemporaryCluster.makeDatabase(), PostgresSettings())
    let connection = try pool.take()
    connection.checkInterruption = { throw CancellationError() }
    #expect(throws: CancellationError.self) { _ = try connection.run("SELECT pg_sleep(60)") }
    #expect(connection.wasCancelled)
    pool.put(connection)
    let again = try pool.take()
    #expect(again === connection)
    #expect(!again.wasCancelled)
  }
}
