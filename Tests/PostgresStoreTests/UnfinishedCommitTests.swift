import Concordance
import PostgresAccess
import TestSupport
import Testing

@testable import PostgresStore

/// Readers while a transaction is committed on some servers only.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct UnfinishedCommitTests {
  @Test func aReaderWaitsAsLongAsItMay() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 8)
    let storage = try PostgresStorage(urls[0], busyTimeout: 0)
    defer { storage.close() }
    let first = try PostgresConnection(urls[0])
    try first.execute("UPDATE concordance.cx_node SET state = state + 1 WHERE number = 1")
    let session = FrontSession(storage)
    let error = #expect(throws: PostgresError.self) { try session.beginReading() }
    #expect(error?.kind == .busy)
    // The time decides, not the number of attempts.
    try session.waitForCommits(1001, until: ContinuousClock.now + .seconds(60))
    #expect(throws: PostgresError.self) { try session.waitForCommits(1, until: ContinuousClock.now) }
    try first.execute("UPDATE concordance.cx_node SET state = state - 1 WHERE number = 1")
    try session.beginReading()
  }
}
