import Concordance
import Foundation
import PostgresAccess
import TestSupport
import Testing

/// Another program updates the tables of an open database, or deletes them and creates others.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct ChangedManifestTests {
  /// Returns the errors of a read and of a write.
  private static func errors(_ collection: Collection) -> [CBLError?] {
    [
      #expect(throws: CBLError.self) { _ = try collection.document(id: "a") },
      #expect(throws: CBLError.self) { try collection.save(document: MutableDocument(id: "b", data: ["n": 2])) },
    ]
  }

  @Test func anOpenDatabaseNoticesANewerVersionAndOtherShards() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url, shards: 2)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", data: ["n": 1]))
    let admin = try PostgresConnection(url)
    try admin.execute("UPDATE concordance.cx_manifest SET version = version + 1")
    for error in ChangedManifestTests.errors(collection) {
      #expect(error?.code == CBLError.databaseTooNew)
      #expect(error?.message.contains("written by a newer version") == true, "\(error?.message ?? "")")
    }
    try admin.execute("UPDATE concordance.cx_manifest SET version = version - 1, shards = 4")
    for error in ChangedManifestTests.errors(collection) {
      #expect(error?.message.contains("created again since it was opened") == true)
    }
    try admin.execute("UPDATE concordance.cx_manifest SET shards = 2")
    #expect(try collection.document(id: "a")?.int(forKey: "n") == 1)
    #expect(collection.count == 1)
  }

  /// Deletes the tables and creates them again.
  private static func replace(_ url: String) throws {
    try TemporaryCluster.dropTables(url)
    try Database.initialize(url: url)
  }

  private static func makeDatabase() throws -> (url: String, database: Database) {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url)
    let database = try Database(url: url)
    try database.defaultCollection().save(document: MutableDocument(id: "a", data: ["n": 1]))
    return (url, database)
  }

  @Test func deletedTablesAreNoticedByReadsAndWrites() throws {
    let (url, database) = try ChangedManifestTests.makeDatabase()
    let collection = try database.defaultCollection()
    try TemporaryCluster.dropTables(url)
    for error in ChangedManifestTests.errors(collection) {
      #expect(error?.isDatabaseReplaced == true && error?.code == CBLError.ioError, "\(String(describing: error))")
      #expect(error?.message.contains("its tables were deleted since it was opened") == true)
    }
    #expect(database.isFileReplaced)
  }

  /// PostgreSQL ends a transaction that waits for tables whose deletion waits for it; mostly, this is the read.
  @Test(.timeLimit(.minutes(10))) func readsDuringTheDeletionOfTablesNoticeIt() async throws {
    let (url, database) = try ChangedManifestTests.makeDatabase()
    async let error = database.async.perform { database in
      #expect(throws: CBLError.self) {
        while true { _ = try database.defaultCollection().document(id: "a") }
      }
    }
    while (try? TemporaryCluster.dropTables(url)) == nil {}
    let found = try await error
    #expect(found?.isDatabaseReplaced == true, "\(String(describing: found))")
  }

  @Test func aDatabaseThatWasCreatedAgainIsNoticedByTheCheck() throws {
    let (url, database) = try ChangedManifestTests.makeDatabase()
    try database.checkServer()
    try ChangedManifestTests.replace(url)
    #expect(!database.isFileReplaced)
    let error = try #require(throws: CBLError.self) { try database.checkServer() }
    #expect(error.isDatabaseReplaced && !error.isServerUnavailable && database.isFileReplaced, "\(error)")
  }

  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
  func liveQueriesEndWhenTheTablesAreDropped(areCreatedAgain: Bool) async throws {
    let (url, database) = try ChangedManifestTests.makeDatabase()
    var results = try database.createQuery("SELECT n FROM _").changes().makeAsyncIterator()
    #expect(try await results.next() != nil)
    if areCreatedAgain {
      try ChangedManifestTests.replace(url)
    } else {
      try TemporaryCluster.dropTables(url)
    }
    let error = await #expect(throws: CBLError.self) { while try await results.next() != nil {} }
    #expect(error?.isDatabaseReplaced == true, "\(String(describing: error))")
    #expect(database.isFileReplaced)
  }

  @Test(.timeLimit(.minutes(10))) func documentStreamsEndWhenTheDatabaseIsCreatedAgain() async throws {
    let (url, database) = try ChangedManifestTests.makeDatabase()
    var changes = try database.defaultCollection().changes().makeAsyncIterator()
    try ChangedManifestTests.replace(url)
    while await changes.next() != nil {}
    _ = try? database.defaultCollection().document(id: "a")
    #expect(database.isFileReplaced)
  }
}
