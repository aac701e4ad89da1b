import BLIP
import DocumentStore
import Foundation
import GRDB
import Replication
import Testing

@testable import Concordance

@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct ReplicationBlobTests {
  private let one: TemporaryDatabase
  private let two: TemporaryDatabase

  init() throws {
    one = try TemporaryDatabase()
    two = try TemporaryDatabase()
  }

  private func saveBlob(_ id: String, _ content: Data, in database: TemporaryDatabase) throws {
    let document = MutableDocument(id: id)
    document.setBlob(Blob(contentType: "application/octet-stream", data: content), forKey: "data")
    try database.collection.save(document: document)
  }

  private var content: Data { Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 9) }) }

  @Test(arguments: [ReplicatorType.push, .pull]) func blobsAreTransferred(_ type: ReplicatorType) async throws {
    let (source, target) = type == .push ? (one, two) : (two, one)
    try saveBlob("a", content, in: source)
    try saveBlob("b", content, in: source)
    try saveBlob("empty", Data(), in: source)
    // A transport that is not local compresses frames.
    let status = try await run(configuration(one, FaultyEndpoint(two.database), type))
    #expect(status.error == nil)
    for id in ["a", "b"] { #expect(try target.collection.document(id: id)?.blob(forKey: "data")?.content == content) }
    #expect(try target.collection.document(id: "empty")?.blob(forKey: "data")?.content == Data())
    #expect(try target.database.verify() == [])
  }

  @Test func blobOfAConflictIsKeptUntilItIsResolved() async throws {
    try one.save("a", "{}")
    try saveBlob("a", content, in: two)
    let other = try TemporaryDatabase()
    // The resolver fails, so that the conflict remains.
    _ = try await run(
      configuration(one, two.endpoint) { $0.conflictResolver = FailingResolver(database: other) })
    try one.database.performMaintenance(type: .compact)
    try two.database.close()
    let three = try TemporaryDatabase()
    #expect(try await run(configuration(one, three.endpoint)).error == nil)
    #expect(try one.collection.document(id: "a")?.blob(forKey: "data")?.content == content)
    #expect(try three.collection.document(id: "a")?.blob(forKey: "data")?.content == content)
  }

  private struct FailingResolver: ConflictResolverProtocol {
    let database: TemporaryDatabase
    func resolve(conflict: Conflict) -> Document? {
      let result = MutableDocument(id: conflict.documentID)
      try? database.collection.save(document: result)
      return result
    }
  }
}
