import BLIP
import DocumentStore
import Foundation
import GRDB
import Replication
import Testing

@testable import Concordance

/// Failures that a replicator waits out: databases that another process is writing to, and documents that a peer
/// refuses for the time being.
@Suite(.timeLimit(.minutes(10)), .filesOnly("replication is not available on PostgreSQL"))
struct TransientFailureTests {
  /// Holds the write lock of a file, as another process does.
  private final class WriteLock: Sendable {
    private let connection: DatabaseQueue

    init(_ database: TemporaryDatabase) throws {
      var configuration = GRDB.Configuration()
      configuration.allowsUnsafeTransactions = true
      connection = try DatabaseQueue(path: try #require(database.database.path), configuration: configuration)
      try connection.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    func release() throws { try connection.inDatabase { if $0.isInsideTransaction { try $0.execute(sql: "COMMIT") } } }
  }

  /// Regression test: the replicator stopped with error 10, or with 11011 if the other database was busy.
  @Test(arguments: [ReplicatorType.push, .pull], [true, false])
  func aBusyDatabaseIsRetried(_ type: ReplicatorType, isActiveBusy: Bool) async throws {
    let one = try TemporaryDatabase(busyTimeout: isActiveBusy ? 0.05 : 5)
    let two = try TemporaryDatabase(busyTimeout: isActiveBusy ? 5 : 0.05)
    for database in [one, two] { try database.save("of \(database.database.path ?? "")", "{}") }
    let lock = try WriteLock(isActiveBusy ? one : two)
    let clock = ImmediateClock { _ in
      do { try lock.release() } catch { Issue.record(error) }
    }
    let status = try await run(configuration(one, two.endpoint, type), clock: clock)
    #expect(status.error == nil)
    #expect(clock.delays.all == [2])
    #expect(try (type == .push ? two : one).contents().count == 2)
  }

  @Test func aDatabaseThatRemainsBusyEndsAOneShotReplication() async throws {
    let (one, two) = (try TemporaryDatabase(busyTimeout: 0.01), try TemporaryDatabase())
    try two.save("a", "{}")
    let lock = try WriteLock(one)
    let clock = ImmediateClock()
    var config = configuration(one, two.endpoint, .pull)
    config.maxAttempts = 4
    #expect(try await run(config, clock: clock).error?.code == CBLError.busy)
    // The connection was open each time, but this does not show that the database is available.
    #expect(clock.delays.all == [2, 4, 8])
    try lock.release()
  }

  // MARK: Conflicts

  /// A resolver that locks the database before its result is stored.
  private struct LockingResolver: ConflictResolverProtocol {
    let database: TemporaryDatabase
    let locks: Received<WriteLock>

    func resolve(conflict: Conflict) -> Document? {
      if locks.all.isEmpty {
        do { locks.add(try WriteLock(database)) } catch { Issue.record(error) }
      }
      return conflict.localDocument
    }
  }

  /// Saves different versions of a document and returns two databases, the first with a short timeout.
  private func conflictingDatabases() throws -> (TemporaryDatabase, TemporaryDatabase) {
    let (one, two) = (try TemporaryDatabase(busyTimeout: 0.05), try TemporaryDatabase())
    try one.save("a", #"{"n":1}"#)
    try two.save("a", #"{"n":2}"#)
    return (one, two)
  }

  @Test func aConflictIsResolvedAgainIfTheDatabaseIsBusy() async throws {
    let (one, two) = try conflictingDatabases()
    let locks = Received<WriteLock>()
    let clock = ImmediateClock { _ in
      do { try locks.all.first?.release() } catch { Issue.record(error) }
    }
    let documents = Received<ReplicatedDocument>()
    let config = configuration(one, two.endpoint) {
      $0.conflictResolver = LockingResolver(database: one, locks: locks)
    }
    #expect(try await run(config, clock: clock, documents: documents).error == nil)
    #expect(clock.delays.all == [2])
    #expect(documents.wait { !$0.isEmpty }.allSatisfy { $0.error == nil })
    for database in [one, two] { #expect(try database.contents() == ["a": #"{"n":1}"#]) }
  }

  @Test func aReplicatorThatWaitsToResolveAConflictCanBeStopped() throws {
    let (one, two) = try conflictingDatabases()
    let (locks, clock) = (Received<WriteLock>(), ManualClock())
    let config = configuration(one, two.endpoint) {
      $0.conflictResolver = LockingResolver(database: one, locks: locks)
    }
    let replicator = try Replicator(config: config, clock: clock)
    let activities = Received<Replicator.ActivityLevel>()
    replicator.addChangeListener(withQueue: DispatchQueue(label: "status")) { activities.add($0.status.activity) }
    replicator.start()
    clock.scheduled.wait { $0.contains { $0.seconds == 2 } }
    replicator.stop()
    activities.wait { $0.last == .stopped }
    try locks.all.first?.release()
  }

  // MARK: Documents

  private static let unavailable = Message.error(domain: "HTTP", code: 503, "send it again")

  /// An endpoint that refuses the first revisions with status 503.
  private func refusing(_ count: Int) -> ScriptedEndpoint {
    let refused = Received<Int>()
    return ScriptedEndpoint { connection, _, _, request in
      guard request.properties["Profile"] == "rev", refused.all.count < count else {
        return ScriptedEndpoint.standardResponse(to: request)
      }
      refused.add(connection)
      return TransientFailureTests.unavailable
    }
  }

  /// Regression test: the document was sent again only after the replicator had been restarted.
  @Test func aRefusedDocumentIsSentAgain() async throws {
    let test = try TemporaryDatabase()
    try test.save("a", "{}")
    let (endpoint, clock) = (refusing(2), ImmediateClock())
    let config = configuration(test, endpoint, .push)
    let documents = Received<ReplicatedDocument>()
    #expect(try await run(config, clock: clock, documents: documents).error == nil)
    let events = documents.wait { $0.count >= 3 }
    #expect(events.map { $0.error?.code } == [CBLError.httpServiceUnavailable, CBLError.httpServiceUnavailable, nil])
    #expect(clock.delays.all == [2, 4])
    #expect(try Replicator(config: config).pendingDocumentIds(collection: test.collection).isEmpty)
  }

  @Test func aDocumentThatIsAlwaysRefusedRemainsPending() async throws {
    let test = try TemporaryDatabase()
    try test.save("a", "{}")
    let (endpoint, clock) = (refusing(.max), ImmediateClock())
    let config = configuration(test, endpoint, .push)
    #expect(try await run(config, clock: clock).error == nil)
    #expect(clock.delays.all == [2, 4, 8])
    #expect(try Replicator(config: config).pendingDocumentIds(collection: test.collection) == ["a"])
  }

  @Test func maxAttemptsOfOneDisablesRetries() async throws {
    let test = try TemporaryDatabase()
    try test.save("a", "{}")
    let (endpoint, clock) = (refusing(.max), ImmediateClock())
    var config = configuration(test, endpoint, .push)
    config.maxAttempts = 1
    #expect(try await run(config, clock: clock).error == nil)
    #expect(clock.delays.all.isEmpty)
  }

  @Test func aContinuousReplicationSendsARefusedDocumentAgain() async throws {
    let test = try TemporaryDatabase()
    try test.save("a", "{}")
    let (endpoint, clock) = (refusing(3), ImmediateClock())
    var config = configuration(test, endpoint, .push)
    config.continuous = true
    let replicator = try Replicator(config: config, clock: clock)
    let (documents, activities) = replicator.recordedEvents()
    replicator.start()
    #expect(documents.wait { $0.contains(0) } == [10503, 10503, 10503, 0])
    #expect(clock.delays.all == [2, 4, 8])
    replicator.stop()
    activities.wait { $0.last == .stopped }
  }

  /// Regression test: the checkpoint passed a document that the peer could not send for the time being.
  @Test func aDocumentThatThePeerCannotSendIsRequestedAgain() async throws {
    let test = try TemporaryDatabase()
    let endpoint = ScriptedEndpoint { connection, peer, number, request in
      guard request.properties["Profile"] == "subChanges" else {
        return ScriptedEndpoint.standardResponse(to: request)
      }
      try peer.respond(to: number)
      let version = "18d2a00000000000@AQEBAQEBAQEBAQEBAQEBAQ"
      try peer.announce([(7, "a", version)])
      if connection == 0 {
        try peer.send(
          Message(
            flags: .noReply,
            properties: [
              "Profile": "norev", "collection": "0", "id": "a", "rev": version, "sequence": "7", "error": "503",
            ]))
      } else {
        try peer.sendRevision("a", version, sequence: 7, "{}")
      }
      try peer.announce([])
      return nil
    }
    let clock = ImmediateClock()
    let documents = Received<ReplicatedDocument>()
    #expect(try await run(configuration(test, endpoint, .pull), clock: clock, documents: documents).error == nil)
    #expect(clock.delays.all == [2])
    #expect(documents.wait { $0.count >= 2 }.map { $0.error?.code } == [CBLError.httpServiceUnavailable, nil])
    #expect(try test.contents().keys.sorted() == ["a"])
  }

  /// Regression test: the replicator waited without end.
  @Test func aPeerThatDoesNotRespondIsDisconnected() async throws {
    let test = try TemporaryDatabase()
    let endpoint = ScriptedEndpoint { _, _, _, _ in nil }
    #expect(try await runUntilTimeout(configuration(test, endpoint)).error?.code == CBLError.timeout)
  }

  /// Regression test: the replicator waited without end for a peer that stopped responding.
  @Test(arguments: ["proposeChanges", "rev"])
  func aPeerThatStopsRespondingIsDisconnected(_ profile: String) async throws {
    let test = try TemporaryDatabase()
    try test.save("a", "{}")
    let endpoint = ScriptedEndpoint { _, peer, _, request in
      let isSilent = peer.requests.all.contains { $0.message.properties["Profile"] == profile }
      return isSilent ? nil : ScriptedEndpoint.standardResponse(to: request)
    }
    let clock = ManualClock()
    var config = configuration(test, endpoint, .push)
    config.maxAttempts = 1
    let replicator = try Replicator(config: config, clock: clock)
    let statuses = replicator.statuses()
    replicator.start()
    let peer = try #require(endpoint.peers.wait { !$0.isEmpty }.first)
    peer.requests.wait { $0.contains { $0.message.properties["Profile"] == profile } }
    // No request was unanswered when the first 120 s began.
    clock.pass()
    clock.scheduled.wait { $0.filter { $0.seconds == 120 }.count == 2 }
    clock.pass()
    for await _ in statuses {}
    #expect(replicator.status.error?.code == CBLError.timeout)
  }

  /// Regression test: a document whose blob could not be received was requested again only after a restart.
  @Test func aReceivedDocumentIsRequestedAgain() async throws {
    let test = try TemporaryDatabase()
    let digest = "sha1-GeQA02MAEDBnecWgD+/rIfQcR20="
    let endpoint = ScriptedEndpoint { connection, peer, number, request in
      switch request.properties["Profile"] {
      case "subChanges":
        try peer.respond(to: number)
        let version = "18d2a00000000000@AQEBAQEBAQEBAQEBAQEBAQ"
        try peer.announce([(7, "a", version)])
        let body = #"{"menu":{"@type":"blob","digest":"\#(digest)","length":14}}"#
        try peer.sendRevision("a", version, sequence: 7, body)
        try peer.announce([])
        return nil
      case "getAttachment":
        return connection == 0
          ? TransientFailureTests.unavailable : Message(.response, body: Array("Fish and chips".utf8))
      default: return ScriptedEndpoint.standardResponse(to: request)
      }
    }
    let clock = ImmediateClock()
    #expect(try await run(configuration(test, endpoint, .pull), clock: clock).error == nil)
    #expect(clock.delays.all == [2])
    #expect(try test.collection.document(id: "a")?.blob(forKey: "menu")?.content == Data("Fish and chips".utf8))
  }
}
