import BLIP
import DocumentStore
import Foundation
import GRDB
import Replication
import TestSupport
import Testing

@testable import Concordance

@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct HostileReplicationPeerTests {
  private let test: TemporaryDatabase

  init() throws { test = try TemporaryDatabase() }

  private func connect(isReadOnly: Bool = false) throws -> (RawPeer, Received<PassivePeer.Status>) {
    let (active, passive) = LoopbackTransport.pair()
    let statuses = Received<PassivePeer.Status>()
    PassivePeer(transport: passive, collections: [test.collection], isReadOnly: isReadOnly) { statuses.add($0) }.start()
    let peer = try RawPeer(active)
    peer.start()
    return (peer, statuses)
  }

  private func open(_ peer: RawPeer, _ collections: String = #""_default""#) throws -> Message? {
    try peer.ask("getCollections", body: #"{"checkpoint_ids":["cp"],"collections":[\#(collections)]}"#)
  }

  private let version = "18d2a00000000000@AAAAAAAAAAAAAAAAAAAAAA"

  @Test func randomFramesCloseTheConnection() throws {
    for seed in 1...50 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (peer, statuses) = try connect()
      if seed % 2 == 0 { _ = try open(peer) }
      for _ in 0..<20 {
        peer.sendRaw((0..<(random.next() % 60)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      }
      statuses.wait { $0.last?.isClosed == true }
      #expect(statuses.all.last?.error != nil, "seed \(seed)")
    }
    #expect(try test.contents().isEmpty)
    #expect(try test.database.verify() == [])
  }

  @Test(arguments: [
    #"{"checkpoint_ids":[],"collections":[]}"#, #"{"checkpoint_ids":["a"],"collections":["x","y"]}"#,
    #"{"checkpoint_ids":["a","b"],"collections":["x","x"]}"#, "[]", "nonsense",
    #"{"checkpoint_ids":["a","b"],"collections":["a","_default.a"]}"#,
    #"{"checkpoint_ids":["a","b"],"collections":["_default","_default._default"]}"#,
    #"{"checkpoint_ids":[1],"collections":["x"]}"#,
  ])
  func invalidListsOfCollectionsAreRefused(_ body: String) throws {
    let (peer, _) = try connect()
    let answer = try peer.ask("getCollections", body: body)
    #expect(answer?.errorCode?.code == 400)
  }

  @Test func otherCollectionsAndUnofferedBlobsCannotBeRead() throws {
    let secret = try test.database.createCollection(name: "secret")
    let document = MutableDocument(id: "s")
    document.setBlob(Blob(contentType: "text/plain", data: Data("secret".utf8)), forKey: "blob")
    try secret.save(document: document)
    let digest = try #require(document.blob(forKey: "blob")?.digest)
    let (peer, _) = try connect()
    let answer = try open(peer, #""secret""#)
    #expect(answer.map { String(decoding: $0.body, as: UTF8.self) } == "[null]")
    #expect(try peer.ask("getAttachment", [("digest", digest)])?.errorCode?.code == 404)
    #expect(try peer.ask("proveAttachment", [("digest", digest)], body: "0123456789abcdef")?.errorCode?.code == 404)
    #expect(try peer.ask("subChanges", [("collection", "0")])?.errorCode?.code == 400)
    #expect(try peer.ask("subChanges", [("collection", "7")])?.errorCode?.code == 400)
  }

  @Test(arguments: [
    ("a", "nonsense", "{}"), ("a", "0@AAAAAAAAAAAAAAAAAAAAAA", "{}"), ("a", "18d2a00000000000@*", "{}"),
    ("", "18d2a00000000000@AAAAAAAAAAAAAAAAAAAAAA", "{}"),
    ("_reserved", "18d2a00000000000@AAAAAAAAAAAAAAAAAAAAAA", "{}"),
    ("a", "18d2a00000000000@AAAAAAAAAAAAAAAAAAAAAA", "[1]"), ("a", "18d2a00000000000@AAAAAAAAAAAAAAAAAAAAAA", "{"),
    ("a", "3fffffffffffffff@AAAAAAAAAAAAAAAAAAAAAA", "{}"), ("a", "ffffffffffffffff@AAAAAAAAAAAAAAAAAAAAAA", "{}"),
  ])
  func invalidRevisionsAreRefused(_ id: String, _ version: String, _ body: String) throws {
    let (peer, _) = try connect()
    _ = try open(peer)
    let answer = try peer.ask("rev", [("collection", "0"), ("id", id), ("rev", version)], body: body)
    #expect(answer?.errorCode != nil)
    #expect(try test.contents().isEmpty)
    // The connection remains usable.
    let good = try peer.ask("rev", [("collection", "0"), ("id", "good"), ("rev", self.version)], body: #"{"a":1}"#)
    #expect(good?.type == .response)
    #expect(try test.contents() == ["good": #"{"a":1}"#])
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "18446744073709551615"])
  func statusesOfAnySizeAreAccepted(_ status: String) throws {
    try test.save("a", "{}")
    let (peer, statuses) = try connect()
    _ = try open(peer)
    try peer.send(Message(properties: ["Profile": "subChanges", "collection": "0"]))
    peer.requests.wait { requests in requests.contains { $0.message.properties["Profile"] == "changes" } }
    let request = try #require(peer.requests.all.first { $0.message.properties["Profile"] == "changes" })
    try peer.respond(to: request.number, body: "[\(status)]")
    // The status is an error of the document, or closes the connection.
    peer.close()
    statuses.wait { $0.last?.isClosed == true }
  }

  @Test func revisionsOfCheckpointsOfAnySizeAreAccepted() throws {
    let reader = try test.again(readOnly: true)
    let (active, passive) = LoopbackTransport.pair()
    PassivePeer(transport: passive, collections: [try reader.defaultCollection()]).start()
    let peer = try RawPeer(active)
    peer.start()
    let answer = try peer.ask("setCheckpoint", [("client", "x"), ("rev", "9223372036854775807-cc")], body: "{}")
    #expect(answer?.errorCode?.code == 409)
  }

  /// The requests that wait when the connection is closed fail in a loop, not in nested calls.
  @Test func manyMissingBlobsDoNotExhaustTheStack() throws {
    let (peer, statuses) = try connect()
    _ = try open(peer)
    let blobs = (0..<50_000 as Range<UInt64>).map { (number: UInt64) -> String in
      let digest = Data(withUnsafeBytes(of: number) { Array($0) } + [UInt8](repeating: 0, count: 12))
      return #"{"@type":"blob","digest":"sha1-\#(digest.base64EncodedString())","length":1}"#
    }
    var request = Message(
      properties: ["Profile": "rev", "collection": "0", "id": "a", "rev": version],
      body: Array(#"{"b":[\#(blobs.joined(separator: ","))]}"#.utf8))
    request.flags.insert(.noReply)
    try peer.send(request)
    peer.messages.wait { messages in messages.contains { $0.properties["Profile"] == "getAttachment" } }
    peer.close()
    statuses.wait { $0.last?.isClosed == true }
    #expect(try test.contents().isEmpty)
  }

  /// Regression test: a malformed body subscribed to all documents.
  @Test(arguments: ["nonsense", "[]", #"{"docIDs":"a"}"#, #"{"docIDs":["a",1]}"#, #"{"docIDs":null}"#])
  func malformedSubscriptionsAreRefused(_ body: String) throws {
    try test.save("a", "{}")
    let (peer, _) = try connect()
    _ = try open(peer)
    let answer = try peer.ask("subChanges", [("collection", "0")], body: body)
    #expect(answer?.errorCode.map { "\($0.domain)/\($0.code)" } == "BLIP/400")
    #expect(try peer.ask("subChanges", [("collection", "0")], body: #"{"docIDs":["b"]}"#)?.type == .response)
  }

  @Test func hugeListsAreRefusedBeforeTheyAreParsed() throws {
    let (peer, statuses) = try connect()
    _ = try open(peer)
    var request = Message(properties: ["Profile": "changes", "collection": "0"], body: Array("[".utf8))
    request.body += [UInt8](repeating: UInt8(ascii: "1"), count: 5 << 20)
    try peer.send(request)
    statuses.wait { $0.last?.isClosed == true }
    #expect(statuses.all.last?.error?.message.contains("more than 4194304") == true)
  }

  @Test func conflictsAndPushesToReadOnlyPeersAreRefused() throws {
    try test.save("a", #"{"mine":true}"#)
    let (peer, _) = try connect()
    _ = try open(peer)
    let conflict = try peer.ask("rev", [("collection", "0"), ("id", "a"), ("rev", version)], body: "{}")
    #expect(conflict?.errorCode?.code == 409)
    let (reader, _) = try connect(isReadOnly: true)
    _ = try open(reader)
    let refused = try reader.ask("rev", [("collection", "0"), ("id", "b"), ("rev", version)], body: "{}")
    #expect(refused?.errorCode?.code == 403)
    #expect(try test.contents() == ["a": #"{"mine":true}"#])
  }

  @Test func revisionsWithoutTheirBlobsAreRefused() throws {
    let (peer, _) = try connect()
    _ = try open(peer)
    let body = #"{"b":{"@type":"blob","digest":"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=","length":0}}"#
    let request = try peer.ask("rev", [("collection", "0"), ("id", "a"), ("rev", version)], body: body)
    #expect(request?.properties["Profile"] == "getAttachment")
    #expect(try test.contents().isEmpty)
  }

  @Test func checkpointsHaveRevisions() throws {
    let (peer, _) = try connect()
    #expect(try peer.ask("getCheckpoint", [("client", "x")])?.errorCode?.code == 404)
    #expect(try peer.ask("getCheckpoint")?.errorCode?.code == 400)
    let first = try peer.ask("setCheckpoint", [("client", "x")], body: #"{"local":1}"#)
    let revision = try #require(first?.properties["rev"])
    #expect(revision.hasSuffix("-cc"))
    #expect(try peer.ask("setCheckpoint", [("client", "x")], body: #"{"local":2}"#)?.errorCode?.code == 409)
    let second = try peer.ask("setCheckpoint", [("client", "x"), ("rev", revision)], body: #"{"local":2}"#)
    let next = try #require(second?.properties["rev"])
    #expect(next != revision)
    let stored = try peer.ask("getCheckpoint", [("client", "x")])
    #expect(stored?.properties["rev"] == next)
    #expect(stored.map { String(decoding: $0.body, as: UTF8.self) } == #"{"local":2}"#)
  }

  /// Regression test: a peer could store any number of checkpoints of 1 MB, also on a read-only connection.
  @Test func aPeerStoresOneCheckpointForEachCollection() throws {
    let (peer, _) = try connect(isReadOnly: true)
    _ = try open(peer)
    let first = try peer.ask("setCheckpoint", [("client", "cp")], body: "{}")
    let again = try peer.ask("setCheckpoint", [("client", "cp"), ("rev", first?.properties["rev"] ?? "")], body: "{}")
    #expect(first?.type == .response && again?.type == .response)
    #expect(try peer.ask("setCheckpoint", [("client", "other")], body: "{}")?.errorCode?.code == 403)
  }

  @Test func unknownMessagesAreAnsweredWithAnError() throws {
    let (peer, _) = try connect()
    _ = try open(peer)
    #expect(try peer.ask("putRev", [("collection", "0")])?.errorCode?.code == 404)
    #expect(try peer.ask("subChanges", [("collection", "0"), ("filter", "f")])?.errorCode?.domain == "LiteCore")
  }
}
