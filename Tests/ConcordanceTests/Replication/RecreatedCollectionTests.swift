import Foundation
import Testing

@testable import Concordance

/// A collection is deleted and created again between two replications. Its sequences start again at 1.
@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct RecreatedCollectionTests {
  private let one: TemporaryDatabase
  private let two: TemporaryDatabase

  init() throws {
    one = try TemporaryDatabase()
    two = try TemporaryDatabase()
  }

  private func collection(_ test: TemporaryDatabase) throws -> Concordance.Collection {
    try test.database.createCollection(name: "c")
  }

  private func save(_ ids: [String], _ test: TemporaryDatabase) throws {
    for id in ids { try collection(test).save(document: MutableDocument(id: id, data: ["n": 1])) }
  }

  private func ids(_ test: TemporaryDatabase) throws -> [String] {
    let results = try test.database.createQuery("SELECT META().id FROM c").execute()
    return results.compactMap { $0.string(at: 0) }.sorted()
  }

  private func configuration(pushes: Bool) throws -> ReplicatorConfiguration {
    let options = CollectionConfiguration(collection: try collection(one))
    var config = ReplicatorConfiguration(collections: [options], target: two.endpoint)
    config.replicatorType = pushes ? .push : .pull
    return config
  }

  /// Regression test: the checkpoint of the deleted collection was used, so documents were missing.
  @Test(arguments: [true, false], [true, false])
  func allDocumentsAreExchangedAgain(pushes: Bool, recreatesSource: Bool) async throws {
    let (source, target) = pushes ? (one, two) : (two, one)
    try save(["a", "b", "c", "d"], source)
    _ = try collection(target)
    #expect(try await run(configuration(pushes: pushes)).error == nil)
    #expect(try ids(target) == ["a", "b", "c", "d"])
    let recreated = recreatesSource ? source : target
    try recreated.database.deleteCollection(name: "c")
    if recreatesSource { try save(["e", "f"], source) } else { _ = try collection(target) }
    #expect(try await run(configuration(pushes: pushes)).error == nil)
    #expect(try ids(target) == ["a", "b", "c", "d"] + (recreatesSource ? ["e", "f"] : []))
  }

  /// The checkpoint of the new collection is stored and used, too.
  @Test func sentDocumentsAreNotPending() async throws {
    for ids in [["a", "b"], ["c"]] {
      try one.database.deleteCollection(name: "c")
      try save(ids, one)
      _ = try collection(two)
      let config = try configuration(pushes: true)
      let replicated = try #require(config.collections.first?.collection)
      #expect(try Replicator(config: config).pendingDocumentIds(collection: replicated) == Set(ids))
      #expect(try await run(config).error == nil)
      #expect(try Replicator(config: config).pendingDocumentIds(collection: replicated).isEmpty)
    }
  }
}
