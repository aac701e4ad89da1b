import DocumentStore
import Foundation
import GRDB
import Replication
import Testing

@testable import Concordance

private struct Resolver: ConflictResolverProtocol {
  let body: @Sendable (Conflict) -> Document?
  func resolve(conflict: Conflict) -> Document? { body(conflict) }
}

@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct ReplicationConflictTests {
  private let one: TemporaryDatabase
  private let two: TemporaryDatabase

  /// Both databases have changed the document `d`, the second one later.
  init() throws {
    one = try TemporaryDatabase()
    two = try TemporaryDatabase()
  }

  private func makeConflict() async throws {
    try one.save("d", #"{"base":true}"#)
    try await run(configuration(one, two.endpoint))
    try one.save("d", #"{"in":"one"}"#)
    try two.save("d", #"{"in":"two"}"#)
  }

  private func resolve(_ body: (@Sendable (Conflict) -> Document?)?) async throws -> Replicator.Status {
    try await run(configuration(one, two.endpoint) { $0.conflictResolver = body.map { Resolver(body: $0) } })
  }

  private func expectBoth(_ json: String?, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try one.contents()["d"] == json, sourceLocation: sourceLocation)
    #expect(try two.contents()["d"] == json, sourceLocation: sourceLocation)
    #expect(try one.database.verify() == [], sourceLocation: sourceLocation)
  }

  private func expectNothingIsSent(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let documents = Received<ReplicatedDocument>()
    for config in [configuration(one, two.endpoint), configuration(two, one.endpoint)] {
      #expect(try await run(config, documents: documents).error == nil, sourceLocation: sourceLocation)
    }
    #expect(documents.all.isEmpty, "\(documents.all)", sourceLocation: sourceLocation)
  }

  @Test func laterRevisionWinsByDefault() async throws {
    try await makeConflict()
    #expect(try await resolve(nil).error == nil)
    try expectBoth(#"{"in":"two"}"#)
    try await expectNothingIsSent()
  }

  /// Regression test: the conflict was reported only at the end of a one-shot replication.
  @Test func aContinuousPushReportsConflicts() async throws {
    try await makeConflict()
    var config = configuration(one, two.endpoint, .push)
    config.continuous = true
    let replicator = try Replicator(config: config)
    let documents = Received<ReplicatedDocument>()
    replicator.addDocumentReplicationListener(withQueue: DispatchQueue(label: "documents")) { event in
      event.documents.forEach { documents.add($0) }
    }
    let statuses = replicator.statuses()
    replicator.start()
    documents.wait { !$0.isEmpty }
    replicator.stop()
    for await _ in statuses {}
    #expect(documents.all.map(\.id) == ["d"])
    #expect(documents.all.map { $0.error?.code } == [CBLError.httpConflict])
    #expect(try replicator.pendingDocumentIds(collection: one.collection) == ["d"])
  }

  @Test func laterLocalRevisionIsPushed() async throws {
    try await makeConflict()
    try one.save("d", #"{"in":"one","again":true}"#)
    #expect(try await resolve(nil).error == nil)
    try expectBoth(#"{"in":"one","again":true}"#)
    try await expectNothingIsSent()
  }

  @Test func deletionWinsByDefault() async throws {
    try await makeConflict()
    try one.delete("d")
    #expect(try await resolve(nil).error == nil)
    try expectBoth(nil)
    try await expectNothingIsSent()
  }

  @Test func remoteDeletionWinsByDefault() async throws {
    try await makeConflict()
    try two.delete("d")
    try one.save("d", #"{"later":true}"#)
    #expect(try await resolve(nil).error == nil)
    try expectBoth(nil)
    try await expectNothingIsSent()
  }

  @Test func resolverChoosesAVersion() async throws {
    try await makeConflict()
    #expect(try await resolve { $0.localDocument }.error == nil)
    try expectBoth(#"{"in":"one"}"#)
    try await expectNothingIsSent()
  }

  @Test func mergeIsSavedAndPushed() async throws {
    try await makeConflict()
    let status = try await resolve { conflict in
      guard let mine = conflict.localDocument, let theirs = conflict.remoteDocument else { return nil }
      return mine.toMutable().setString(theirs.string(forKey: "in"), forKey: "theirs")
    }
    #expect(status.error == nil)
    try expectBoth(#"{"in":"one","theirs":"two"}"#)
    try await expectNothingIsSent()
    // A change after the merge is not a conflict.
    try two.save("d", #"{"after":true}"#)
    try await run(configuration(one, two.endpoint) { $0.conflictResolver = Resolver { _ in nil } })
    try expectBoth(#"{"after":true}"#)
  }

  @Test func resolverThatReturnsNilDeletes() async throws {
    try await makeConflict()
    #expect(try await resolve { _ in nil }.error == nil)
    try expectBoth(nil)
    try await expectNothingIsSent()
  }

  @Test func documentWithAnotherIDIsSavedWithTheRightOne() async throws {
    try await makeConflict()
    _ = try await resolve { _ in MutableDocument(id: "x", data: ["merged": true]) }
    try expectBoth(#"{"merged":true}"#)
    #expect(try one.contents()["x"] == nil)
  }

  @Test func documentOfAnotherCollectionIsAnErrorAndIsResolvedLater() async throws {
    try await makeConflict()
    let other = two.collection
    let events = Received<ReplicatedDocument>()
    let config = configuration(one, two.endpoint) {
      $0.conflictResolver = Resolver { _ in (try? other.document(id: "d")) ?? nil }
    }
    try await run(config, documents: events)
    events.wait { $0.contains { $0.id == "d" && $0.error?.code == CBLError.invalidParameter } }
    #expect(try one.contents()["d"] == #"{"in":"one"}"#)
    #expect(try await resolve(nil).error == nil)
    try expectBoth(#"{"in":"two"}"#)
  }

  @Test func resolverIsCalledAgainIfTheDocumentChanges() async throws {
    try await makeConflict()
    let calls = Received<String>()
    let collection = one.collection
    _ = try await resolve { conflict in
      calls.add(conflict.localDocument?.toJSON() ?? "")
      if calls.all.count == 1 {
        try? collection.save(document: MutableDocument(id: "d", data: ["edited": true]))
      }
      return conflict.localDocument
    }
    #expect(calls.all == [#"{"in":"one"}"#, #"{"edited":true}"#])
    try expectBoth(#"{"edited":true}"#)
  }

  @Test func purgeDuringResolutionEndsIt() async throws {
    try await makeConflict()
    let collection = one.collection
    let status = try await resolve { conflict in
      try? collection.purge(id: "d")
      return conflict.remoteDocument
    }
    #expect(status.error == nil)
    #expect(try one.contents()["d"] == nil)
  }

  @Test func pushOfAConflictIsReportedAndRemainsPending() async throws {
    try await makeConflict()
    let events = Received<ReplicatedDocument>()
    let config = configuration(one, two.endpoint, .push)
    try await run(config, documents: events)
    events.wait { $0.contains { $0.error?.code == CBLError.httpConflict } }
    #expect(try two.contents()["d"] == #"{"in":"two"}"#)
    #expect(try Replicator(config: config).pendingDocumentIds(collection: one.collection) == ["d"])
  }

  @Test func clockTwoMinutesAheadIsRefusedAndRetried() async throws {
    try two.save("d", "{}")
    let hour: Int64 = 3_600_000_000_000
    try two.database.engine.store.write { transaction in
      try transaction.db.execute(sql: "UPDATE \"_default._default\" SET revision = revision + \(hour)")
      try transaction.db.execute(
        sql: "UPDATE concordance_meta SET value = value + \(hour) WHERE key = 'last_revision'")
    }
    let events = Received<ReplicatedDocument>()
    let config = configuration(one, two.endpoint)
    try await run(config, clock: ImmediateClock(), documents: events)
    events.wait { $0.contains { $0.error?.message.contains("two minutes") == true } }
    #expect(try one.contents().isEmpty)
    try two.database.engine.store.write { transaction in
      try transaction.db.execute(sql: "UPDATE \"_default._default\" SET revision = revision - \(hour)")
    }
    try await run(config)
    #expect(try one.contents()["d"] == "{}")
  }
}
