import Concordance
import TestSupport
import Testing

/// The Swift of the handbook's page on PostgreSQL, compiled and run.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct HandbookPostgreSQLTests {
  @Test func databaseIsInitializedAndOpened() throws {
    let url = try TemporaryCluster.makeDatabase()

    try Database.initialize(url: url)
    let database = try Database(url: url)

    #expect(try database.defaultCollection().count == 0)
    try database.close()
  }
}
