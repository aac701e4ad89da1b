import BLIP
import DocumentStore
import Foundation
import GRDB
import Replication
import TestSupport
import Testing

@testable import Concordance

/// A peer cannot read a blob of a collection that it may not access by pushing a document that refers to the blob.
@Suite(.timeLimit(.minutes(10)), .filesOnly("replication is not available on PostgreSQL")) struct BlobAccessTests {
  private let test: TemporaryDatabase
  private let digest: String
  private let peer: RawPeer

  init() throws {
    test = try TemporaryDatabase()
    digest = try BlobAccessTests.saveSecret(in: test)
    let (active, passive) = LoopbackTransport.pair()
    PassivePeer(transport: passive, collections: [test.collection]).start()
    peer = try RawPeer(active)
    peer.start()
    _ = try peer.ask("getCollections", body: #"{"checkpoint_ids":["cp"],"collections":["_default"]}"#)
  }

  private static let content = Data("secret".utf8)

  /// Saves a document with a blob in a collection that is not replicated, and returns the digest of the blob.
  private static func saveSecret(in test: TemporaryDatabase) throws -> String {
    let document = MutableDocument(id: "s")
    document.setBlob(Blob(contentType: "text/plain", data: content), forKey: "blob")
    try test.database.createCollection(name: "secret").save(document: document)
    return try #require(document.blob(forKey: "blob")?.digest)
  }

  private static func reference(_ digest: String, length: Int = content.count) -> String {
    #"{"b":{"@type":"blob","digest":"\#(digest)","length":\#(length)}}"#
  }

  private static let version = "18d2a00000000000@AAAAAAAAAAAAAAAAAAAAAA"

  /// Pushes a document, and returns the next message: the response or a request for a blob.
  private func push(_ id: String, _ body: String, history: String = "") throws -> Message? {
    let properties = [("collection", "0"), ("id", id), ("rev", BlobAccessTests.version), ("history", history)]
    return try peer.ask("rev", properties, body: body)
  }

  /// Answers the last request of the database, and returns the next message.
  private func answer(_ response: Message) throws -> Message? {
    let count = peer.messages.all.count
    try peer.respond(to: try #require(peer.requests.all.last).number, response)
    return peer.messages.wait { $0.count > count }.dropFirst(count).first
  }

  private static func proof(of content: Data, _ nonce: [UInt8]) throws -> Message {
    let hasher = try BlobHasher()
    try ([UInt8(nonce.count)] + nonce + content).withUnsafeBytes { try hasher.update($0) }
    return Message(.response, body: Array(try hasher.finish().utf8))
  }

  private static let missing = Message.error(domain: "HTTP", code: 404, "there is no such blob")

  @Test func aDocumentThatRefersToAnInaccessibleBlobIsRefused() throws {
    let request = try push("a", BlobAccessTests.reference(digest))
    #expect(request?.properties["Profile"] == "proveAttachment")
    // The proof of another content.
    let second = try answer(try BlobAccessTests.proof(of: Data("guess".utf8), try #require(request?.body)))
    #expect(second?.properties["Profile"] == "getAttachment")
    #expect(try answer(BlobAccessTests.missing)?.errorCode?.code == 404)
    #expect(try test.contents().isEmpty)
    // The digest of the content, which an observer may know, is not a proof.
    _ = try push("a", BlobAccessTests.reference(digest))
    #expect(
      try answer(Message(.response, body: Array(digest.utf8)))?.properties["Profile"] == "getAttachment")
    #expect(try answer(Message(.response, body: Array("guess".utf8)))?.errorCode?.code == 400)
    #expect(try test.contents().isEmpty)
  }

  @Test func aPeerThatProvesToHaveABlobNeedNotSendIt() throws {
    let first = try push("a", BlobAccessTests.reference(digest))
    let nonce = try #require(first?.body)
    #expect((16...255).contains(nonce.count))
    #expect(try answer(try BlobAccessTests.proof(of: BlobAccessTests.content, nonce))?.type == .response)
    // The proof is valid for the rest of the connection.
    #expect(try push("b", BlobAccessTests.reference(digest))?.type == .response)
    #expect(try test.collection.document(id: "b")?.blob(forKey: "b")?.content == BlobAccessTests.content)
  }

  @Test func noncesAreDifferent() throws {
    let nonces = try (0..<2).map { _ in
      let request = try push("a", BlobAccessTests.reference(digest))
      _ = try answer(BlobAccessTests.missing)
      _ = try answer(BlobAccessTests.missing)
      return request?.body
    }
    #expect(nonces[0] != nonces[1])
  }

  @Test func aChangeOfADocumentKeepsItsBlobs() throws {
    let document = MutableDocument(id: "a")
    document.setBlob(Blob(contentType: "text/plain", data: BlobAccessTests.content), forKey: "b")
    try test.collection.save(document: document)
    let list = try peer.ask(
      "proposeChanges", [("collection", "0"), ("conflictIncludesRev", "true")],
      body: #"[["a","1@AgICAgICAgICAgICAgICAg",""]]"#)
    let stored = list.map { String(decoding: $0.body, as: UTF8.self) }?.split(separator: "\"").first {
      $0.contains("@")
    }
    let changed = "2fffffffffffffff@AAAAAAAAAAAAAAAAAAAAAA"
    let properties = [
      ("collection", "0"), ("id", "a"), ("rev", changed), ("history", String(try #require(stored))),
    ]
    let response = try peer.ask("rev", properties, body: BlobAccessTests.reference(digest))
    // The time is in the future, which is checked after the blobs.
    #expect(response?.errorCode?.code == 503)
    #expect(!peer.requests.all.contains { $0.message.properties["Profile"] == "proveAttachment" })
  }

  @Test func bytesBeyondTheStatedLengthAreRefused() throws {
    let digest = "sha1-GeQA02MAEDBnecWgD+/rIfQcR20="
    #expect(try push("a", BlobAccessTests.reference(digest, length: 13))?.properties["Profile"] == "getAttachment")
    let content = Message(.response, body: Array("Fish and chips".utf8))
    #expect(try answer(content)?.errorCode?.code == 400)
    #expect(try push("a", BlobAccessTests.reference(digest, length: 14))?.properties["Profile"] == "getAttachment")
    #expect(try answer(content)?.type == .response)
  }

  /// Regression test: a peer could send a blob without end.
  @Test func aBlobThatDoesNotEndClosesTheConnection() throws {
    let digest = "sha1-GeQA02MAEDBnecWgD+/rIfQcR20="
    #expect(try push("a", BlobAccessTests.reference(digest, length: 14))?.properties["Profile"] == "getAttachment")
    let request = try #require(peer.requests.all.last)
    try peer.respond(to: request.number, Message(.response, body: [UInt8](repeating: 0, count: 17 << 20)))
    guard case .closed(code: 1009, _, isRemote: true)? = peer.closures.wait(until: { !$0.isEmpty }).first else {
      Issue.record("\(peer.closures.all)")
      return
    }
    #expect(try test.contents().isEmpty)
  }

  /// At most 16 blobs are sent at the same time; the other requests wait.
  @Test func manyRequestsForABlobAreAnswered() throws {
    let document = MutableDocument(id: "a")
    let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    document.setBlob(Blob(contentType: "image/png", data: content), forKey: "b")
    try test.collection.save(document: document)
    let digest = try #require(document.blob(forKey: "b")?.digest)
    try peer.send(Message(properties: ["Profile": "subChanges", "collection": "0"]))
    let requests = peer.requests.wait { $0.contains { $0.message.properties["Profile"] == "changes" } }
    let list = try #require(requests.first { $0.message.properties["Profile"] == "changes" })
    try peer.respond(to: list.number, body: "[[]]")
    peer.requests.wait { $0.contains { $0.message.properties["Profile"] == "rev" } }
    for _ in 0..<40 { try peer.send(Message(properties: ["Profile": "getAttachment", "digest": digest])) }
    let answers = peer.messages.wait { $0.filter { $0.body.count == content.count }.count == 40 }
    #expect(answers.filter { $0.body.count == content.count }.allSatisfy { $0.body == Array(content) })
  }

  /// A database of this library proves to have its blobs.
  @Test(arguments: [ReplicatorType.push, .pull])
  func documentsWithBlobsThatAreStoredAreReplicated(_ type: ReplicatorType) async throws {
    let other = try TemporaryDatabase()
    let document = MutableDocument(id: "a")
    document.setBlob(Blob(contentType: "text/plain", data: BlobAccessTests.content), forKey: "b")
    let (source, target) = type == .push ? (other, test) : (test, other)
    try source.collection.save(document: document)
    if type == .pull { _ = try BlobAccessTests.saveSecret(in: other) }
    #expect(try await run(configuration(other, test.endpoint, type)).error == nil)
    #expect(try target.collection.document(id: "a")?.blob(forKey: "b")?.content == BlobAccessTests.content)
  }

  /// Regression test: Sync Gateway, which does not respond with `blobs`, never requested blobs.
  @Test(arguments: [true, false]) func blobsAreAttachmentsForServersThatDoNotFindThem(findsBlobs: Bool) async throws {
    let document = MutableDocument(id: "a")
    document.setBlob(Blob(contentType: "text/plain", data: BlobAccessTests.content), forKey: "b")
    let source = try TemporaryDatabase()
    try source.collection.save(document: document)
    let revisions = Received<Message>()
    let endpoint = ScriptedEndpoint { _, _, _, request in
      switch request.properties["Profile"] {
      case "proposeChanges":
        return Message(.response, properties: findsBlobs ? ["blobs": "true"] : [:], body: Array("[]".utf8))
      case "rev":
        revisions.add(request)
        return Message(.response)
      default: return ScriptedEndpoint.standardResponse(to: request)
      }
    }
    #expect(try await run(configuration(source, endpoint, .push)).error == nil)
    let revision = try #require(revisions.all.first)
    let body = String(decoding: revision.body, as: UTF8.self)
    #expect(body.contains(#""_attachments":{"blob_/b":{"#) != findsBlobs, "\(body)")
    #expect(revision.properties["noconflicts"] == "true")
  }

  /// Servers that do not prove to have a blob, such as Sync Gateway, send it.
  @Test func aServerSendsABlobThatItDoesNotProve() async throws {
    let test = try TemporaryDatabase()
    let digest = try BlobAccessTests.saveSecret(in: test)
    let endpoint = ScriptedEndpoint { _, peer, number, request in
      switch request.properties["Profile"] {
      case "subChanges":
        try peer.respond(to: number)
        try peer.announce([(7, "a", BlobAccessTests.version)])
        try peer.sendRevision("a", BlobAccessTests.version, sequence: 7, BlobAccessTests.reference(digest))
        try peer.announce([])
        return nil
      case "proveAttachment": return .error(domain: "BLIP", code: 404)
      case "getAttachment": return Message(.response, body: Array(BlobAccessTests.content))
      default: return ScriptedEndpoint.standardResponse(to: request)
      }
    }
    let documents = Received<ReplicatedDocument>()
    #expect(try await run(configuration(test, endpoint, .pull), documents: documents).error == nil)
    #expect(documents.wait { !$0.isEmpty }.map { $0.error?.code } == [nil])
    #expect(endpoint.peers.all[0].requests.all.contains { $0.message.properties["Profile"] == "getAttachment" })
  }
}
