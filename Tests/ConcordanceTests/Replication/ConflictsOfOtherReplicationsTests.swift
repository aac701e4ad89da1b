import DocumentStore
import Foundation
import GRDB
import Testing
import VersionVectors

@testable import Concordance

private struct Resolver: ConflictResolverProtocol {
  let body: @Sendable (Conflict) -> Document?
  func resolve(conflict: Conflict) -> Document? { body(conflict) }
}

/// Documents with several conflicts, or with conflicts that another replication has left.
@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct ConflictsOfOtherReplicationsTests {
  private let one: TemporaryDatabase
  private let two: TemporaryDatabase

  init() throws {
    one = try TemporaryDatabase()
    two = try TemporaryDatabase()
  }

  /// Stores a conflict with the document `d`, as a replication does that ends before it is resolved.
  private func storeConflict(remote: String) throws {
    let record = one.collection.record
    let author = try #require(SourceID([UInt8](repeating: 7, count: 16)))
    try one.database.engine.store.write { transaction in
      let document = try #require(try DocumentReader(record, transaction.db).document(id: "d"))
      let earlier = VersionVectors.Version(time: UInt64(document.revision) - 1, author: author)
      let version = try #require(earlier)
      try transaction.storeConflict(
        StoredConflict(
          rowID: document.rowID, remote: remote, vector: VersionVector(version), body: Array(#"{"in":"else"}"#.utf8)),
        in: record)
    }
  }

  /// Regression test: the document was not sent, and the error named a conflict with a revision of this peer.
  @Test func aConflictWithAnotherPeerDoesNotDelayADocument() async throws {
    try one.save("d", #"{"in":"one"}"#)
    try storeConflict(remote: "another")
    let events = Received<ReplicatedDocument>()
    try await run(configuration(one, two.endpoint, .push), documents: events)
    #expect(try two.contents() == ["d": #"{"in":"one"}"#])
    #expect(events.wait { !$0.isEmpty }.map { $0.error?.code } == [nil])
  }

  /// Regression test: the result was not sent before the next replication.
  @Test func aResultIsSentAlthoughAnotherConflictCannotBeResolved() async throws {
    try one.save("d", #"{"base":true}"#)
    try await run(configuration(one, two.endpoint))
    try one.save("d", #"{"in":"one"}"#)
    try two.save("d", #"{"in":"two"}"#)
    // Conflicts are resolved in the order of the replications' ids, which begin with "cp-".
    try storeConflict(remote: "zz")
    let other = two.collection
    let config = configuration(one, two.endpoint) {
      $0.conflictResolver = Resolver { conflict in
        guard conflict.remoteDocument?.string(forKey: "in") == "else" else { return conflict.localDocument }
        // A document of another collection is an error.
        return (try? other.document(id: "d")) ?? nil
      }
    }
    #expect(try await run(config).error == nil)
    #expect(try two.contents() == ["d": #"{"in":"one"}"#])
    #expect(try one.database.verify() == [])
  }

  /// Another replication removes the conflict while the change waits for it, and stores no result.
  @Test func aChangeIsSentAfterItsConflictHasDisappeared() async throws {
    try one.save("d", #"{"n":1}"#)
    try await run(configuration(one, two.endpoint))
    let remote = try one.database.engine.store.read { db in
      try String.fetchOne(db, sql: "SELECT id FROM concordance_checkpoint WHERE is_peer = 0")
    }
    try one.save("d", #"{"n":2}"#)
    try storeConflict(remote: try #require(remote))
    let read = Received<String>()
    let config = configuration(one, two.endpoint) { [one] collection in
      collection.pushFilter = { document, _ in
        read.add(document.id)
        return true
      }
      collection.conflictResolver = Resolver { conflict in
        // The sender has read the change and its conflict.
        read.wait(for: "d")
        do {
          try one.database.engine.store.write { try $0.db.execute(sql: "DELETE FROM concordance_conflict") }
        } catch {
          Issue.record(error)
        }
        return conflict.localDocument
      }
    }
    #expect(try await run(config).error == nil)
    #expect(try two.contents() == ["d": #"{"n":2}"#])
  }

  /// Regression test: the generation of a revision id, which an earlier release has stored, became a time in the
  /// future.
  @Test func aWinnerWithATimeInTheFutureGetsANewVersion() async throws {
    try one.save("d", #"{"in":"one"}"#)
    try storeConflict(remote: "another")
    let future = VersionVector(try VersionVectors.Version(revisionID: "4194303-ff"))
    try one.database.engine.store.write {
      try $0.db.execute(sql: "UPDATE concordance_conflict SET vector = ?", arguments: [Data(future.bytes)])
    }
    let config = configuration(one, two.endpoint) { $0.conflictResolver = Resolver { $0.remoteDocument } }
    #expect(try await run(config).error == nil)
    #expect(try one.contents() == ["d": #"{"in":"else"}"#])
    #expect(try two.contents() == ["d": #"{"in":"else"}"#])
    try one.save("later", "{}")
    for id in ["d", "later"] {
      let time = try #require(try one.collection.document(id: id)).timestamp
      #expect(Double(time) < Date(timeIntervalSinceNow: 60).timeIntervalSince1970 * 1_000_000_000)
    }
  }
}
