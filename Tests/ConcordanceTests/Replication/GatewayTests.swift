import BLIP
import Foundation
import Replication
import TestSupport
import Testing

@testable import Concordance

/// Messages that Sync Gateway sends to a replicator and that databases of this package do not send to each other.
@Suite(.timeLimit(.minutes(10)), .filesOnly("replication is not available on PostgreSQL")) struct GatewayTests {
  private let test: TemporaryDatabase
  private let peer: RawPeer
  private let endpoint: GatewayEndpoint
  private let documents = Received<ReplicatedDocument>()

  init() throws {
    test = try TemporaryDatabase()
    let (active, passive) = LoopbackTransport.pair()
    peer = try RawPeer(passive)
    endpoint = GatewayEndpoint(transport: FaultyTransport(active, .none))
  }

  private struct GatewayEndpoint: Endpoint, EndpointConnector {
    let transport: FaultyTransport
    var remoteID: String { "gateway" }
    func makeConnector() throws -> any EndpointConnector { self }
    func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport { transport }
  }

  /// Pulls from a peer that answers the first requests, and returns the properties of `subChanges`.
  ///
  /// - Parameter send: sends the changes.
  private func pull(
    _ edit: (inout ReplicatorConfiguration) -> Void = { _ in }, send: () throws -> Void
  ) async throws -> MessageProperties {
    var config = configuration(test, endpoint, .pull)
    edit(&config)
    let replicator = try Replicator(config: config)
    let remove = replicator.collectDocuments(documents)
    defer { remove() }
    let statuses = replicator.statuses()
    replicator.start()
    peer.start()
    try peer.respond(to: request("getCollections").number, body: "[{}]")
    let subscription = try request("subChanges")
    try peer.respond(to: subscription.number)
    try send()
    try peer.send(message("changes", [], "[]"))
    try peer.respond(to: request("setCheckpoint").number)
    for await _ in statuses {}
    #expect(replicator.status.error == nil)
    return subscription.message.properties
  }

  private func request(_ profile: String) throws -> (number: UInt64, message: Message) {
    let found = peer.requests.wait { $0.contains { $0.message.properties["Profile"] == profile } }
    return try #require(found.last { $0.message.properties["Profile"] == profile })
  }

  private func message(_ profile: String, _ properties: [(String, String)], _ body: String) -> Message {
    var message = Message(properties: ["Profile": profile, "collection": "0"], body: Array(body.utf8))
    for (key, value) in properties { message.properties[key] = value }
    return message
  }

  private static let version = "18d2a00000000000@AQEBAQEBAQEBAQEBAQEBAQ"

  /// Announces and sends a revision, and waits for both responses.
  private func send(_ id: String, _ body: String, whileWaiting: () throws -> Void = {}) throws {
    let count = peer.messages.all.filter { $0.type != .request }.count
    try peer.send(message("changes", [], #"[["7","\#(id)","\#(GatewayTests.version)"]]"#))
    _ = peer.messages.wait { $0.filter { $0.type != .request }.count > count }
    try peer.send(message("rev", [("id", id), ("rev", GatewayTests.version), ("sequence", "\"7\"")], body))
    try whileWaiting()
    _ = peer.messages.wait { $0.filter { $0.type != .request }.count > count + 1 }
  }

  private func sendRemoval(of ids: [String], flags: Int) throws {
    let entries = ids.enumerated().map { #"[\#($0 + 1),"\#($1)","\#(GatewayTests.version)",\#(flags)]"# }
    let count = peer.messages.all.filter { $0.type != .request }.count
    try peer.send(message("changes", [], "[" + entries.joined(separator: ",") + "]"))
    _ = peer.messages.wait { $0.filter { $0.type != .request }.count > count }
  }

  @Test(arguments: [2, 4]) func documentsWithoutAccessArePurged(flags: Int) async throws {
    try test.save("a", #"{"n":1}"#)
    try test.save("b", #"{"n":2}"#)
    let properties = try await pull { try sendRemoval(of: ["a", "missing"], flags: flags) }
    #expect(properties.boolean("revocations"))
    #expect(try test.contents() == ["b": #"{"n":2}"#])
    let events = documents.wait { !$0.isEmpty }
    #expect(events.map(\.id) == ["a"] && events[0].flags == .accessRemoved && events[0].error == nil)
  }

  @Test func documentsAreKeptWithoutAutoPurge() async throws {
    try test.save("a", #"{"n":1}"#)
    let properties = try await pull {
      $0.enableAutoPurge = false
    } send: {
      try sendRemoval(of: ["a"], flags: 4)
    }
    #expect(properties["revocations"] == nil)
    #expect(try test.contents().count == 1)
  }

  @Test func documentsAreKeptIfTheirIDsAreListed() async throws {
    try test.save("a", #"{"n":1}"#)
    let properties = try await pull {
      $0.collections[0].documentIDs = ["a"]
    } send: {
      try sendRemoval(of: ["a"], flags: 4)
    }
    #expect(properties["revocations"] == nil)
    #expect(try test.contents().count == 1)
  }

  @Test func thePullFilterCanKeepDocuments() async throws {
    try test.save("a", #"{"n":1}"#)
    try test.save("b", #"{"n":2}"#)
    _ = try await pull { config in
      config.collections[0].pullFilter = { document, flags in
        !flags.contains(.accessRemoved) || document.int(forKey: "n") == 2
      }
    } send: {
      try sendRemoval(of: ["a", "b"], flags: 4)
    }
    #expect(try test.contents() == ["a": #"{"n":1}"#])
    let events = documents.wait { $0.count == 2 }
    #expect(events.map { $0.error?.code } == [CBLError.httpForbidden, nil])
  }

  /// Regression test: a pull filter was called with text that is not JSON.
  @Test(arguments: [("a", "[1]"), ("a", "{"), ("_reserved", "{}")])
  func filtersAreNotCalledWithInvalidDocuments(_ id: String, _ body: String) async throws {
    let filtered = Received<String>()
    _ = try await pull { config in
      config.collections[0].pullFilter = { document, _ in
        filtered.add(document.id)
        return true
      }
    } send: {
      try send(id, body)
    }
    #expect(filtered.all.isEmpty)
    #expect(documents.wait { !$0.isEmpty }.map { $0.error != nil } == [true])
  }

  @Test func addedPropertiesAreNotStored() async throws {
    _ = try await pull {
      try send("a", #"{"_id":"a","n":1,"_attachments":{"blob_/f":{"stub":true}}}"#)
    }
    #expect(try test.contents() == ["a": #"{"n":1}"#])
  }

  @Test func aRemovedRevisionPurgesTheDocument() async throws {
    try test.save("a", #"{"n":1}"#)
    _ = try await pull { try send("a", #"{"_removed":true}"#) }
    #expect(try test.contents() == [:])
  }

  @Test(arguments: [("text/plain", true), ("image/png", false)])
  func textBlobsAreRequestedCompressed(type: String, isCompressed: Bool) async throws {
    let digest = "sha1-GeQA02MAEDBnecWgD+/rIfQcR20="
    let reference = #"{"@type":"blob","content_type":"\#(type)","digest":"\#(digest)","length":14}"#
    _ = try await pull {
      try send("a", #"{"menu":\#(reference)}"#) {
        let asked = try request("getAttachment")
        #expect(asked.message.properties.boolean("compress") == isCompressed)
        #expect(asked.message.properties["digest"] == digest)
        try peer.respond(to: asked.number, body: "Fish and chips")
      }
    }
    #expect(try test.collection.document(id: "a")?.blob(forKey: "menu")?.content == Data("Fish and chips".utf8))
  }
}
