import BLIP
import Foundation
import Replication
import TestSupport
import Testing

@testable import Concordance

/// Messages that Couchbase Lite 4 sends to a listener and that databases of this package do not send to each other.
@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct CouchbaseLitePeerTests {
  private let test: TemporaryDatabase
  private let peer: RawPeer

  init() throws { try self.init(TemporaryDatabase()) }

  private init(_ test: TemporaryDatabase) throws {
    self.test = test
    let (active, passive) = LoopbackTransport.pair()
    PassivePeer(transport: passive, collections: [test.collection]).start()
    peer = try RawPeer(active)
    peer.start()
    _ = try peer.ask("getCollections", body: #"{"checkpoint_ids":["cp"],"collections":["_default"]}"#)
  }

  private func propose(_ entry: String) throws -> String? {
    let answer = try peer.ask(
      "proposeChanges", [("collection", "0"), ("conflictIncludesRev", "true")], body: "[\(entry)]")
    return answer.map { String(decoding: $0.body, as: UTF8.self) }
  }

  private func push(_ id: String, _ revision: String, _ history: String, _ body: String) throws -> Message? {
    try peer.ask(
      "rev",
      [
        ("collection", "0"), ("id", id), ("rev", revision), ("sequence", "7"), ("history", history),
        ("noconflicts", "true"),
      ], body: body)
  }

  /// A database of version 3 that only pushes offers the protocol of version 4, too.
  @Test func revisionTreesArePushed() throws {
    #expect(try propose(#"["a","3-cccc",""]"#) == "[]")
    #expect(try push("a", "3-cccc", "2-bbbb,1-aaaa", #"{"n":3}"#)?.type == .response)
    #expect(try propose(#"["a","3-cccc","2-bbbb"]"#) == "[304]")
    #expect(try propose(#"["a","4-dddd","3-cccc"]"#) == "[]")
    #expect(try push("a", "4-dddd", "3-cccc,2-bbbb,1-aaaa", #"{"n":4}"#)?.type == .response)
    #expect(try test.contents() == ["a": #"{"n":4}"#])
    // A lower generation of another branch is a conflict, not an ancestor.
    #expect(try propose(#"["a","2-eeee",""]"#)?.contains("409") == true)
  }

  /// Regression test: the revision with the greater digest replaced the other one.
  @Test func revisionsOfTheSameGenerationConflict() throws {
    #expect(try push("a", "3-cccc", "2-bbbb,1-aaaa", #"{"n":1}"#)?.type == .response)
    #expect(try propose(#"["a","3-eeee","2-bbbb"]"#)?.contains("409") == true)
    #expect(try push("a", "3-eeee", "2-bbbb,1-aaaa", #"{"n":2}"#)?.errorCode?.code == 409)
    #expect(try test.contents() == ["a": #"{"n":1}"#])
  }

  /// Regression test: the generation was stored as a time in the future, and the clock of the database followed it.
  @Test func aRevisionIDWithATimeInTheFutureIsRefused() throws {
    let answer = try push("a", "4194303-ffffffffffffffff", "4194302-aaaa", #"{"n":1}"#)
    #expect(answer?.errorCode?.code == 400)
    try test.save("b", "{}")
    #expect(try test.contents() == ["b": "{}"])
    let time = try #require(try test.collection.document(id: "b")).timestamp
    #expect(Double(time) < Date(timeIntervalSinceNow: 60).timeIntervalSince1970 * 1_000_000_000)
  }

  /// Two clients of version 3 have pushed different changes of a document to different databases.
  @Test(arguments: [true, false]) func revisionsOfTheSameGenerationAreMerged(isLocalLater: Bool) async throws {
    let other = try TemporaryDatabase()
    let second = try CouchbaseLitePeerTests(other)
    #expect(try push("a", isLocalLater ? "3-eeee" : "3-cccc", "2-bbbb", #"{"n":1}"#)?.type == .response)
    #expect(try second.push("a", isLocalLater ? "3-cccc" : "3-eeee", "2-bbbb", #"{"n":2}"#)?.type == .response)
    let conflicts = Received<String>()
    let config = configuration(test, other.endpoint) { $0.conflictResolver = LocalWins(conflicts: conflicts) }
    #expect(try await run(config).error == nil)
    #expect(conflicts.all == ["a"])
    for database in [test, other] { #expect(try database.contents() == ["a": #"{"n":1}"#]) }
    #expect(try test.database.verify() == [] && other.database.verify() == [])
    let again = Received<ReplicatedDocument>()
    #expect(try await run(config, reset: true, documents: again).error == nil)
    #expect(again.all.isEmpty && conflicts.all.count == 1)
  }

  private struct LocalWins: ConflictResolverProtocol {
    let conflicts: Received<String>
    func resolve(conflict: Conflict) -> Document? {
      conflicts.add(conflict.documentID)
      return conflict.localDocument
    }
  }

  @Test func documentsWithOldRevisionsAreChangedByVersion4() throws {
    #expect(try push("a", "2-bbbb", "1-aaaa", #"{"n":2}"#)?.type == .response)
    let version = "18d2a00000000000@AQEBAQEBAQEBAQEBAQEBAQ"
    #expect(try propose(#"["a","\#(version)","2-bbbb"]"#) == "[]")
    #expect(try push("a", version, "2-bbbb,1-aaaa", #"{"n":3}"#)?.type == .response)
    #expect(try test.contents() == ["a": #"{"n":3}"#])
  }

  /// The list is accepted, because the history is not in it. The peer resolves the conflict after it has pulled the
  /// tombstone.
  @Test func aNewDocumentConflictsWithATombstone() throws {
    try test.save("a", #"{"n":1}"#)
    try test.delete("a")
    let version = "18d2a00000000000@AQEBAQEBAQEBAQEBAQEBAQ"
    #expect(try propose(#"["a","\#(version)",""]"#) == "[]")
    #expect(try push("a", version, "", #"{"n":2}"#)?.errorCode?.code == 409)
    #expect(try test.contents() == [:])
  }

  @Test func aChangeOfADeletedDocumentIsAConflict() throws {
    try test.save("a", #"{"n":1}"#)
    let known = try #require(try storedVersion("a"))
    try test.delete("a")
    let answer = try push("a", "7fffffffffff@AQEBAQEBAQEBAQEBAQEBAQ", known, #"{"n":2}"#)
    #expect(answer?.errorCode?.code == 409)
    #expect(try test.contents() == [:])
  }

  /// Returns the version of a stored document, which the answer to a conflicting proposal contains.
  private func storedVersion(_ id: String) throws -> String? {
    try propose(#"["\#(id)","1@AgICAgICAgICAgICAgICAg",""]"#)?.split(separator: "\"").first { $0.contains("@") }
      .map(String.init)
  }

  /// A first pull asks for documents that are not deleted. Deletions of documents that were sent before must follow.
  @Test func deletionsAfterTheBeginningOfAPullAreSent() throws {
    try test.save("a", #"{"n":1}"#)
    try test.save("b", #"{"n":1}"#)
    try test.delete("b")
    try peer.send(
      Message(
        properties: ["Profile": "subChanges", "collection": "0", "activeOnly": "true", "continuous": "true"]))
    let first = try changes(after: 0)
    #expect(first.contains(#""a""#) && !first.contains(#""b""#))
    try test.delete("a")
    let second = try changes(after: 1)
    #expect(second.contains(#""a""#) && second.contains(",1,"))
  }

  /// Regression test: a second change to a document was announced after later changes to others, while the first one
  /// was not acknowledged. The peer's checkpoint then passed a change that it did not know.
  @Test func changesAreAnnouncedInSequenceOrder() throws {
    try test.save("a", #"{"n":1}"#)
    try peer.send(Message(properties: ["Profile": "subChanges", "collection": "0", "continuous": "true"]))
    try answerList(0, body: "[[]]")
    peer.requests.wait { $0.contains { $0.message.properties["Profile"] == "rev" } }
    try test.save("a", #"{"n":2}"#)
    try test.save("b", #"{"n":1}"#)
    let lists = peer.requests.wait { requests in
      requests.contains { $0.message.properties["Profile"] == "changes" && body(of: $0.message).contains(#""b""#) }
    }
    let later = lists.filter { $0.message.properties["Profile"] == "changes" }.dropFirst().map { body(of: $0.message) }
    let ids = later.joined(separator: "").split(separator: "\"").filter { $0 == "a" || $0 == "b" }
    #expect(ids == ["a", "b"])
  }

  /// Regression test: the observation of the first subscription made the second one continuous.
  @Test func changesAfterTheEndOfASubscriptionAreNotAnnounced() throws {
    let subscription = [("collection", "0"), ("continuous", "true")]
    #expect(try ask("subChanges", subscription)?.type == .response)
    #expect(try ask("unsubChanges", [("collection", "0")])?.type == .response)
    #expect(try ask("subChanges", [("collection", "0")])?.type == .response)
    // A later observer of the same changes.
    let (active, passive) = LoopbackTransport.pair()
    PassivePeer(transport: passive, collections: [test.collection]).start()
    let observer = try RawPeer(active)
    observer.start()
    _ = try observer.ask("getCollections", body: #"{"checkpoint_ids":["other"],"collections":["_default"]}"#)
    try observer.send(Message(properties: ["Profile": "subChanges", "collection": "0", "continuous": "true"]))
    observer.requests.wait { !$0.isEmpty }
    try test.save("a", #"{"n":1}"#)
    observer.requests.wait { $0.contains { body(of: $0.message).contains(#""a""#) } }
    #expect(try ask("getCheckpoint", [("client", "cp")])?.errorCode?.code == 404)
    #expect(!peer.requests.all.contains { body(of: $0.message).contains(#""a""#) })
  }

  private func body(of message: Message) -> String { String(decoding: message.body, as: UTF8.self) }

  /// Sends a request, and waits for its response; requests of the database may arrive before it.
  private func ask(_ profile: String, _ properties: [(String, String)]) throws -> Message? {
    let count = peer.messages.all.filter { $0.type != .request }.count
    var message = Message(properties: ["Profile": profile])
    for (key, value) in properties { message.properties[key] = value }
    try peer.send(message)
    return peer.messages.wait { $0.filter { $0.type != .request }.count > count }.filter { $0.type != .request }[count]
  }

  /// Waits for a list of changes and answers it.
  private func answerList(_ index: Int, body: String) throws {
    let lists = peer.requests.wait { $0.filter { $0.message.body.count > 2 }.count > index }
    try peer.respond(to: lists.filter { $0.message.body.count > 2 }[index].number, body: body)
  }

  /// Returns the body of a list of changes after a number of others, and answers that none of them is wanted.
  private func changes(after count: Int) throws -> String {
    let lists = peer.requests.wait { $0.filter { $0.message.body.count > 2 }.count > count }
    let list = lists.filter { $0.message.body.count > 2 }[count]
    try peer.respond(to: list.number, body: "[]")
    return String(decoding: list.message.body, as: UTF8.self)
  }

  @Test func messagesOfConnectedClientsHaveNoHandler() throws {
    #expect(try peer.ask("getRev", [("id", "a")])?.errorCode?.code == 404)
    let filtered = try peer.ask("subChanges", [("collection", "0"), ("filter", "f")])
    #expect(filtered?.errorCode.map { "\($0.domain)/\($0.code)" } == "LiteCore/19")
  }
}
