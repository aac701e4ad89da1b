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
    let session = ConnectionSession(storage)
    // The time decides, not the number of attempts.
    try session.waitForCommits(1001, until: ContinuousClock.now + .seconds(60))
    let error = #expect(throws: PostgresError.self) { try session.waitForCommits(1, until: ContinuousClock.now) }
    #expect(error?.kind == .busy)
  }
}
