import DocumentStore
import Foundation
import GRDB

import Replication
import Testing

@testable import Concordance

@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct ReplicatorLifecycleTests {
  private let one: TemporaryDatabase
  private let two: TemporaryDatabase

  init() throws {
    one = try TemporaryDatabase()
    two = try TemporaryDatabase()
  }

  /// Regression test: the listeners had separate queues, so the end could be reported before the last documents.
  @Test(arguments: 0..<10) func theEndIsReportedAfterAllDocuments(_ attempt: Int) throws {
    try one.database.inBatch {
      for number in 0..<1500 { try one.save("d\(number)", "{}") }
    }
    let replicator = try Replicator(config: configuration(one, two.endpoint, .push))
    let (events, queue) = (Received<Int>(), DispatchQueue(label: "events"))
    replicator.addChangeListener(withQueue: queue) { if $0.status.activity == .stopped { events.add(-1) } }
    replicator.addDocumentReplicationListener(withQueue: queue) { events.add($0.documents.count) }
    replicator.start()
    let counts = events.wait { $0.contains(-1) }
    #expect(counts.last == -1 && counts.dropLast().reduce(0, +) == 1500)
  }

  @Test func continuousReplicationSendsLaterChangesInBothDirections() async throws {
    var config = configuration(one, two.endpoint)
    config.continuous = true
    let replicator = try Replicator(config: config)
    let activities = Received<Replicator.ActivityLevel>()
    replicator.addChangeListener(withQueue: DispatchQueue(label: "status")) { activities.add($0.status.activity) }
    let changed = Received<String>()
    for database in [one, two] {
      _ = database.collection.addChangeListener(queue: DispatchQueue(label: "changes")) { change in
        for id in change.documentIDs { changed.add("\(database.database.path ?? "") \(id)") }
      }
    }
    replicator.start()
    activities.wait { $0.contains(.idle) }
    try one.save("a", "{}")
    try two.save("b", "{}")
    changed.wait(for: "\(two.database.path ?? "") a", "\(one.database.path ?? "") b")
    for number in 0..<1000 { try one.save("d\(number % 10)", #"{"number":\#(number)}"#) }
    // Another `Database` object, as another process has it.
    try one.again().defaultCollection().save(document: MutableDocument(id: "c", data: [:]))
    changed.wait(for: "\(two.database.path ?? "") c", "\(two.database.path ?? "") d9")
    replicator.stop()
    activities.wait { $0.last == .stopped }
    #expect(try await run(configuration(one, two.endpoint)).error == nil)
    #expect(try one.contents() == two.contents())
  }

  @Test func closingADatabaseStopsItsReplicators() async throws {
    var config = configuration(one, two.endpoint)
    config.continuous = true
    let replicators = try (0..<10).map { _ in try Replicator(config: config) }
    let stopped = Received<Int>()
    for (number, replicator) in replicators.enumerated() {
      replicator.addChangeListener(withQueue: DispatchQueue(label: "status")) {
        if $0.status.activity == .stopped { stopped.add(number) }
      }
      replicator.start()
    }
    try one.database.close()
    #expect(replicators.allSatisfy { $0.status.activity == .stopped })
    stopped.wait { $0.count == 10 }
    try two.database.close()
  }

  @Test func closingThePeerEndsAReplication() async throws {
    var config = configuration(one, two.endpoint)
    config.continuous = true
    let replicator = try Replicator(config: config)
    let statuses = Received<Replicator.ActivityLevel>()
    replicator.addChangeListener(withQueue: DispatchQueue(label: "status")) { statuses.add($0.status.activity) }
    replicator.start()
    statuses.wait { $0.contains(.idle) }
    try two.database.close()
    statuses.wait { $0.last == .stopped }
    #expect(replicator.status.error?.code == CBLError.webSocketGoingAway)
  }

  @Test func transientErrorsAreRetriedWithIncreasingDelays() async throws {
    try one.save("a", "{}")
    let clock = ImmediateClock()
    let endpoint = FaultyEndpoint(two.database, [.cut(1), .cut(1), .cut(1)])
    #expect(try await run(configuration(one, endpoint), clock: clock).error == nil)
    #expect(try two.contents().keys.sorted() == ["a"])
    // Regression test: an open connection reset the delay, so a peer that drops every connection was tried without end.
    #expect(clock.delays.all == [2, 4, 8])
  }

  private struct RefusingEndpoint: Endpoint, EndpointConnector {
    let code: Int
    let attempts = Received<Int>()
    var remoteID: String { "refusing" }
    func makeConnector() throws -> any EndpointConnector { self }
    func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport {
      attempts.add(0)
      throw ReplicationTransportError(code: code, message: "refused")
    }
  }

  @Test func delaysAreDoubledUpToTheLimit() async throws {
    let clock = ImmediateClock()
    var config = configuration(one, RefusingEndpoint(code: CBLError.connectionRefused))
    config.maxAttempts = 6
    config.maxAttemptWaitTime = 10
    let status = try await run(config, clock: clock)
    #expect(status.error?.code == CBLError.connectionRefused)
    #expect(clock.delays.all == [2, 4, 8, 10, 10])
  }

  @Test func permanentErrorsAndASingleAttemptAreNotRetried() async throws {
    let clock = ImmediateClock()
    let permanent = RefusingEndpoint(code: CBLError.httpAuthRequired)
    #expect(try await run(configuration(one, permanent), clock: clock).error?.code == CBLError.httpAuthRequired)
    #expect(permanent.attempts.all.count == 1)
    let transient = RefusingEndpoint(code: CBLError.connectionRefused)
    var config = configuration(one, transient)
    config.maxAttempts = 1
    #expect(try await run(config, clock: clock).error?.code == CBLError.connectionRefused)
    #expect(transient.attempts.all.count == 1)
  }

  @Test func invalidConfigurationsAreErrors() throws {
    let target = two.endpoint
    expectError(CBLError.invalidParameter) {
      _ = try Replicator(config: ReplicatorConfiguration(collections: [], target: target))
    }
    let mixed = ReplicatorConfiguration(
      collections: .fromCollections([one.collection, two.collection]), target: target)
    expectError(CBLError.invalidParameter) { _ = try Replicator(config: mixed) }
    var negative = configuration(one, target)
    negative.heartbeat = -1
    expectError(CBLError.invalidParameter) { _ = try Replicator(config: negative) }
    for channels in [[], ["a,b"], [""]] {
      let config = configuration(one, target, .pull) { $0.channels = channels }
      expectError(CBLError.invalidParameter, "channels") { _ = try Replicator(config: config) }
    }
  }

  @Test func aReplicationOfNoDocumentIDsReplicatesNothing() async throws {
    try one.save("a", "{}")
    #expect(try await run(configuration(one, two.endpoint, .push) { $0.documentIDs = [] }).error == nil)
    #expect(try two.contents().isEmpty)
  }

  /// Regression test: the sequences of a replicator that had stopped did not end.
  @Test func sequencesOfAStoppedReplicatorEnd() async throws {
    try one.save("a", "{}")
    let replicator = try Replicator(config: configuration(one, two.endpoint, .push))
    let (documents, statuses) = (replicator.documentReplications(), replicator.statuses())
    replicator.start()
    var last: Replicator.ActivityLevel?
    for await status in statuses { last = status.activity }
    #expect(last == .stopped)
    var ids: [String] = []
    for await replication in documents { ids += replication.documents.map(\.id) }
    #expect(ids == ["a"])
    var activities: [Replicator.ActivityLevel] = []
    for await status in replicator.statuses() { activities.append(status.activity) }
    #expect(activities == [.stopped])
    for await _ in replicator.documentReplications() { Issue.record("nothing is replicated") }
  }

  private struct RecordingResolver: ConflictResolverProtocol {
    let conflicts: Received<String>
    func resolve(conflict: Conflict) -> Document? {
      conflicts.add(conflict.documentID)
      return conflict.localDocument
    }
  }

  @Test func copyOfAFileHasItsOwnIdentity() async throws {
    try one.save("a", "{}")
    let before = try DatabaseReplica(one.database).identity()
    var config = DatabaseConfiguration()
    config.directory = one.folder.url.path
    try ConcordanceDatabase.copy(fromPath: try #require(one.database.path), toDatabase: "copy", withConfig: config)
    let copy = try ConcordanceDatabase(name: "copy", config: config)
    let after = try DatabaseReplica(copy).identity()
    #expect(before.publicID != after.publicID && before.privateID != after.privateID)
    // The versions from before the copy have the same author in both files, so they are not conflicts.
    let collection = try copy.defaultCollection()
    let same = Received<ReplicatedDocument>()
    #expect(try await run(configuration(one, DatabaseEndpoint(database: copy)), documents: same).error == nil)
    #expect(same.all.isEmpty)
    try collection.save(document: MutableDocument(id: "a", json: #"{"in":"copy"}"#))
    let conflicts = Received<String>()
    let changedCopy = configuration(one, DatabaseEndpoint(database: copy)) {
      $0.conflictResolver = RecordingResolver(conflicts: conflicts)
    }
    #expect(try await run(changedCopy).error == nil)
    // The change in the copy includes the version from before the copy.
    #expect(conflicts.all.isEmpty)
    #expect(try one.contents()["a"] == #"{"in":"copy"}"#)
    #expect(try copy.verify() == [])
    try copy.close()
    #expect(
      try DatabaseReplica(ConcordanceDatabase(name: "copy", config: config)).identity().publicID == after.publicID)
  }

  @Test func lostCheckpointOfThePeerStartsFromTheBeginning() async throws {
    for number in 0..<20 { try one.save("d\(number)", "{}") }
    let config = configuration(one, two.endpoint)
    try await run(config)
    // The peer is restored from an older copy: it has neither the documents nor the checkpoint.
    for number in 0..<20 { try two.collection.purge(id: "d\(number)") }
    try two.database.engine.store.write { try $0.db.execute(sql: "DELETE FROM concordance_checkpoint") }
    #expect(try await run(config).error == nil)
    #expect(try two.contents() == one.contents())
    #expect(try two.contents().count == 20)
  }
}
