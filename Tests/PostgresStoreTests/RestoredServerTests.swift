import Concordance
import DocumentStore
import Foundation
import PostgresAccess
import TestSupport
import Testing

@testable import PostgresStore

/// A database on several servers, one of which was restored to an earlier point in time than the others.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct RestoredServerTests {
  /// Saves documents on both servers.
  private static func save(_ number: Int, _ database: Database) throws {
    let collection = try database.defaultCollection()
    try database.inBatch {
      for id in 0..<20 { try collection.save(document: MutableDocument(id: "doc\(id)", data: ["n": number])) }
    }
  }

  private static func state(_ connection: PostgresConnection) throws -> Int64 {
    try connection.run("SELECT state FROM concordance.cx_manifest").int64(0, 0)
  }

  @Test func aWriteNamesTheServerAndKeepsTheDifference() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 8)
    let database = try Database(url: urls[0])
    try RestoredServerTests.save(1, database)
    let second = try PostgresConnection(urls[1])
    let state = try RestoredServerTests.state(second)
    for difference in [-1, 1] {
      try second.execute("UPDATE concordance.cx_manifest SET state = state + \(difference)")
      let problem = difference < 0 ? "lacks commits" : "has commits that the first server lacks"
      let error = #expect(throws: CBLError.self) { try RestoredServerTests.save(2, database) }
      #expect(error?.code == CBLError.corruptData)
      #expect(
        error?.message.contains("node 2 of 2, with the shards 4 to 7, \(problem): its state is") == true,
        "\(error?.message ?? "")")
      #expect(try RestoredServerTests.state(second) == state + Int64(difference))
      let status = try Database.clusterStatus(url: urls[0])
      #expect(status.nodes[0].failure == nil)
      #expect(status.nodes[1].failure?.hasPrefix(problem) == true)
      // The server can be reached.
      #expect(status.nodes[1].serverVersion == status.nodes[0].serverVersion && status.nodes[1].size > 0)
      try second.execute("UPDATE concordance.cx_manifest SET state = \(state)")
    }
    try RestoredServerTests.save(3, database)
    #expect(try Database.clusterStatus(url: urls[0]).nodes.allSatisfy { $0.failure == nil })
  }

  /// A rollback to a savepoint makes the transaction usable again.
  @Test func aBatchThatContinuesAfterTheErrorKeepsTheDifference() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 8)
    let database = try Database(url: urls[0])
    let collection = try database.defaultCollection()
    try RestoredServerTests.save(1, database)
    let (first, second) = (try PostgresConnection(urls[0]), try PostgresConnection(urls[1]))
    try second.execute("UPDATE concordance.cx_manifest SET state = state - 1")
    let states = [try RestoredServerTests.state(first), try RestoredServerTests.state(second)]
    var isFirstRefused = false
    let error = #expect(throws: CBLError.self) {
      try database.inBatch {
        do { try RestoredServerTests.save(2, database) } catch is CBLError { isFirstRefused = true }
        for id in 0..<20 { try collection.save(document: MutableDocument(id: "doc\(id)", data: ["n": 3])) }
      }
    }
    #expect(isFirstRefused)
    #expect(error?.message.contains("lacks commits") == true, "\(error?.message ?? "")")
    #expect(try [RestoredServerTests.state(first), RestoredServerTests.state(second)] == states)
  }

  @Test func aReaderNamesTheServer() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 8)
    let storage = try PostgresStorage(urls[0], busyTimeout: 0)
    defer { storage.close() }
    let first = try PostgresConnection(urls[0])
    try first.execute("UPDATE concordance.cx_node SET state = state + 1 WHERE number = 1")
    let session = ConnectionSession(storage)
    let error = #expect(throws: StoreError.self) { try session.beginReading() }
    #expect(error?.kind == .corrupt)
    #expect(error?.message.contains("lacks commits: its state is 0, and the first server has recorded 1") == true)
    try first.execute("UPDATE concordance.cx_node SET state = state - 1 WHERE number = 1")
    try session.beginReading()
  }

  /// The client may still finish the transaction.
  @Test func aPreparedTransactionExplainsADifference() throws {
    let urls = try TemporaryCluster.makeDatabases(2)
    try Database.initialize(urls: urls, shards: 8)
    let storage = try PostgresStorage(urls[0])
    defer { storage.close() }
    let (first, second) = (try PostgresConnection(urls[0]), try PostgresConnection(urls[1]))
    try first.execute("UPDATE concordance.cx_node SET state = state + 1 WHERE number = 1")
    #expect(try storage.differentStates(of: 1) == NodeStates(own: 0, recorded: 1))
    let name = PreparedName(cluster: storage.nodes.cluster, client: "0123", number: 1)
    try second.execute("BEGIN; UPDATE concordance.cx_manifest SET state = state + 1")
    _ = try second.run([name.preparation])
    #expect(try storage.differentStates(of: 1) == nil)
    // A reader that has waited as long as it may does not report damage either.
    let error = #expect(throws: PostgresError.self) {
      try ConnectionSession(storage).waitForCommits(1, until: ContinuousClock.now)
    }
    #expect(error?.kind == .busy)
    _ = try second.run([name.commit])
    #expect(try storage.differentStates(of: 1) == nil)
  }
}
