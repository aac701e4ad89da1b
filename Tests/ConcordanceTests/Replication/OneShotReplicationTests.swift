import BLIP
import DocumentStore
import Foundation
import GRDB
import Replication
import Testing

@testable import Concordance

@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct OneShotReplicationTests {
  private let one: TemporaryDatabase
  private let two: TemporaryDatabase

  init() throws {
    one = try TemporaryDatabase()
    two = try TemporaryDatabase()
  }

  private func expectEqual(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try one.contents() == two.contents(), sourceLocation: sourceLocation)
    for database in [one.database, two.database] {
      #expect(try database.verify() == [], sourceLocation: sourceLocation)
    }
  }

  /// Regression test: each collection had 1,500 revisions unanswered, so the peer closed the connection if there were
  /// more than six.
  @Test func collectionsShareTheUnansweredRevisions() async throws {
    let collections = try (0..<3).map { try one.database.createCollection(name: "c\($0)") }
    try one.database.inBatch {
      for collection in collections {
        for number in 0..<700 { try collection.save(document: MutableDocument(id: "d\(number)")) }
      }
    }
    let (lists, numbers) = (Received<UInt64>(), Received<UInt64>())
    let endpoint = ScriptedEndpoint { _, peer, number, request in
      switch request.properties["Profile"] {
      case "getCollections": return Message(.response, body: Array("[{},{},{}]".utf8))
      case "proposeChanges":
        lists.add(number)
        try peer.respond(to: number, ScriptedEndpoint.standardResponse(to: request))
        // Each collection proposes four lists of up to 200 changes. The response to this message is sent after all
        // revisions that are sent before others are answered.
        if lists.all.count == 12 { try peer.send(Message(properties: ["Profile": "unknown"])) }
        return nil
      case "rev":
        numbers.add(number)
        return nil
      default: return ScriptedEndpoint.standardResponse(to: request)
      }
    }
    var config = ReplicatorConfiguration(collections: .fromCollections(collections), target: endpoint)
    config.replicatorType = .push
    let replicator = try Replicator(config: config)
    let statuses = replicator.statuses()
    replicator.start()
    let peer = try #require(endpoint.peers.wait { !$0.isEmpty }.first)
    peer.messages.wait { $0.contains { $0.type == .error } }
    let first = numbers.all
    #expect(first.count == 1500)
    for number in first { try peer.respond(to: number) }
    let all = numbers.wait { $0.count == 2100 }
    for number in all.dropFirst(first.count) { try peer.respond(to: number) }
    for await _ in statuses {}
    #expect(replicator.status.error == nil && replicator.status.progress.completed == 2100)
  }

  @Test func pushSendsAllDocumentsOnce() async throws {
    try one.database.inBatch {
      for number in 0..<1500 { try one.save("d\(number)", #"{"number":\#(number)}"#) }
    }
    try two.save("other", "{}")
    let documents = Received<ReplicatedDocument>()
    let config = configuration(one, two.endpoint, .push)
    let status = try await run(config, documents: documents)
    #expect(status.error == nil)
    #expect(status.progress.completed == 1500 && status.progress.total == 1500)
    #expect(two.collection.count == 1501)
    #expect(try two.collection.document(id: "d7")?.toJSON() == #"{"number":7}"#)
    documents.wait { $0.count == 1500 }
    let again = Received<ReplicatedDocument>()
    try await run(config, documents: again)
    #expect(again.all.isEmpty)
    #expect(try one.collection.document(id: "other") == nil)
  }

  @Test func pullReceivesAllDocumentsOnce() async throws {
    try two.database.inBatch {
      for number in 0..<1500 { try two.save("d\(number)", #"{"number":\#(number)}"#) }
    }
    try one.save("mine", "{}")
    let config = configuration(one, two.endpoint, .pull)
    #expect(try await run(config).error == nil)
    #expect(one.collection.count == 1501)
    #expect(try two.collection.document(id: "mine") == nil)
    let again = Received<ReplicatedDocument>()
    try await run(config, reset: true, documents: again)
    #expect(again.all.isEmpty)
  }

  @Test func bothDirectionsMakeDatabasesEqual() async throws {
    for number in 0..<100 {
      try one.save("a\(number)", #"{"number":\#(number)}"#)
      try two.save("b\(number)", #"{"number":\#(number)}"#)
    }
    let config = configuration(one, two.endpoint)
    #expect(try await run(config).error == nil)
    try expectEqual()
    // Documents that were received are not sent back.
    let again = Received<ReplicatedDocument>()
    try await run(config, documents: again)
    #expect(again.all.isEmpty)
    // Changes on both sides of documents that the other side has written.
    try two.save("a1", #"{"changed":true}"#)
    try one.save("b1", #"{"changed":true}"#)
    try one.save("a2", #"{"changed":2}"#)
    #expect(try await run(config).error == nil)
    try expectEqual()
    #expect(try one.contents()["a1"] == #"{"changed":true}"#)
    #expect(try two.contents()["b1"] == #"{"changed":true}"#)
    #expect(try two.contents()["a2"] == #"{"changed":2}"#)
  }

  @Test func deletionsAreReplicatedAndPurgesAreNot() async throws {
    for id in ["a", "b", "c"] { try one.save(id, "{}") }
    let config = configuration(one, two.endpoint)
    try await run(config)
    try one.delete("a")
    try two.delete("b")
    try one.collection.purge(id: "c")
    #expect(try await run(config).error == nil)
    #expect(try one.contents().keys.sorted() == [])
    #expect(try two.contents().keys.sorted() == ["c"])
    // A deletion reaches a database that did not have the document.
    let three = try TemporaryDatabase()
    try await run(configuration(three, two.endpoint))
    try three.save("a", #"{"new":true}"#)
    try await run(configuration(three, one.endpoint))
    #expect(try one.contents()["a"] == #"{"new":true}"#)
  }

  @Test func indexesOfTheReceiverAreUpdated() async throws {
    try two.collection.createIndex(withName: "words", config: FullTextIndexConfiguration(["name"]))
    try one.save("a", #"{"name":"harbour"}"#)
    try one.save("b", #"{"name":"harbour"}"#)
    let config = configuration(one, two.endpoint, .push)
    try await run(config)
    #expect(try Set(two.found("harbour")) == ["a", "b"])
    try one.delete("a")
    try one.save("b", #"{"name":"mountain"}"#)
    try await run(config)
    #expect(try two.found("harbour") == [])
    #expect(try two.found("mountain") == ["b"])
    try expectEqual()
  }

  @Test func filtersAndDocumentIDsSelectDocuments() async throws {
    for number in 0..<10 { try one.save("d\(number)", #"{"number":\#(number)}"#) }
    try await run(
      configuration(one, two.endpoint, .push) { $0.pushFilter = { document, _ in document.int(forKey: "number") < 3 } })
    #expect(try two.contents().keys.sorted() == ["d0", "d1", "d2"])
    let three = try TemporaryDatabase()
    let refused = Received<ReplicatedDocument>()
    try await run(
      configuration(three, one.endpoint, .pull) { $0.pullFilter = { document, _ in document.id != "d5" } },
      documents: refused)
    #expect(three.collection.count == 9)
    refused.wait { $0.contains { $0.id == "d5" && $0.error?.code == CBLError.httpForbidden } }
    let four = try TemporaryDatabase()
    try await run(configuration(four, one.endpoint, .pull) { $0.documentIDs = ["d1", "d9", "absent"] })
    #expect(try four.contents().keys.sorted() == ["d1", "d9"])
  }

  @Test func deletionsPassThePushFilterWithTheirFlag() async throws {
    try one.save("a", "{}")
    try await run(configuration(one, two.endpoint, .push))
    try one.delete("a")
    try await run(configuration(one, two.endpoint, .push) { $0.pushFilter = { _, flags in !flags.contains(.deleted) } })
    #expect(try two.contents().keys.sorted() == ["a"])
  }

  @Test func collectionsAreReplicatedSeparately() async throws {
    var collections: [Concordance.Collection] = []
    for name in ["hotels", "guests"] {
      let collection = try one.database.createCollection(name: name, scope: "travel")
      try collection.save(document: MutableDocument(id: name, json: #"{"in":"\#(name)"}"#))
      collections.append(collection)
      _ = try two.database.createCollection(name: name, scope: "travel")
    }
    let config = ReplicatorConfiguration(collections: .fromCollections(collections), target: two.endpoint)
    #expect(try await run(config).error == nil)
    for name in ["hotels", "guests"] {
      let received = try #require(try two.database.collection(name: name, scope: "travel"))
      #expect(try received.document(id: name)?.toJSON() == #"{"in":"\#(name)"}"#)
      #expect(received.count == 1)
    }
    let unknown = try one.database.createCollection(name: "unknown")
    let status = try await run(
      ReplicatorConfiguration(collections: .fromCollections([unknown]), target: two.endpoint))
    #expect(status.error?.code == CBLError.httpNotFound)
  }

  @Test func pendingDocumentsAreThoseThatWereNotSent() async throws {
    let config = configuration(one, two.endpoint, .push) { $0.pushFilter = { document, _ in document.id != "hidden" } }
    let replicator = try Replicator(config: config)
    for id in ["a", "b", "hidden"] { try one.save(id, "{}") }
    #expect(try replicator.pendingDocumentIds(collection: one.collection) == ["a", "b"])
    try await run(config)
    #expect(try replicator.pendingDocumentIds(collection: one.collection) == [])
    try one.delete("a")
    try one.save("b", #"{"x":1}"#)
    try one.save("c", "{}")
    #expect(try replicator.pendingDocumentIds(collection: one.collection) == ["a", "b", "c"])
    try one.collection.purge(id: "c")
    #expect(try replicator.isDocumentPending("c", collection: one.collection) == false)
    #expect(try replicator.isDocumentPending("a", collection: one.collection))
    let pull = try Replicator(config: configuration(one, two.endpoint, .pull))
    expectError(CBLError.unsupported) { _ = try pull.pendingDocumentIds(collection: one.collection) }
    expectError(CBLError.notFound) { _ = try replicator.pendingDocumentIds(collection: two.collection) }
  }

  @Test func readOnlyPeerRefusesPushes() async throws {
    try one.save("a", "{}")
    try two.save("b", "{}")
    var endpoint = FaultyEndpoint(two.database)
    endpoint.isReadOnly = true
    #expect(try await run(configuration(one, endpoint, .push)).error?.code == CBLError.httpForbidden)
    #expect(try two.contents().keys.sorted() == ["b"])
    #expect(try await run(configuration(one, endpoint, .pull)).error == nil)
    #expect(try one.contents().keys.sorted() == ["a", "b"])
  }

  @Test func oldReplicationObjectReplicatesBothDirections() async throws {
    try one.save("a", "{}")
    try two.save("b", "{}")
    let replication = one.database.replication(with: two.endpoint)
    #expect(replication.push && replication.pull)
    try replication.start()
    let replicator = try #require(replication.replicator)
    for await status in replicator.statuses() where status.activity == .stopped { break }
    try expectEqual()
  }
}
