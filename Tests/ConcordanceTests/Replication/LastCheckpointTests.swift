import BLIP
import Dispatch
import Foundation
import GRDB
import Replication
import Testing

@testable import Concordance

/// The end of a replication that is not continuous.
@Suite(.timeLimit(.minutes(10)), .filesOnly("replication is not available on PostgreSQL")) struct LastCheckpointTests {
  /// Regression test: the last checkpoint was not stored if an earlier one was being stored at that moment. A document
  /// that is saved at the end belongs to the next run.
  @Test func theLastCheckpointIsStoredAfterAnEarlierOne() async throws {
    let test = try TemporaryDatabase()
    for id in ["a", "b"] { try test.save(id, "{}") }
    let clock = ManualClock()
    let endpoint = ScriptedEndpoint { connection, peer, number, request in
      let bodies = peer.requests.all.map(\.message).filter { $0.properties["Profile"] == "setCheckpoint" }
      switch (request.properties["Profile"], request.properties["id"]) {
      case ("rev", "b"):
        clock.pass()
        return nil
      case ("setCheckpoint", _) where connection == 0 && bodies.count == 1:
        let last = try #require(peer.requests.all.last { $0.message.properties["id"] == "b" })
        try peer.respond(to: last.number)
        // The response to this message is sent after the response to the revision has been processed.
        try peer.send(Message(properties: ["Profile": "unknown"]))
        return nil
      default: return ScriptedEndpoint.standardResponse(to: request)
      }
    }
    let replicator = try Replicator(config: configuration(test, endpoint, .push), clock: clock)
    let statuses = replicator.statuses()
    replicator.start()
    let peer = try #require(endpoint.peers.wait { !$0.isEmpty }.first)
    peer.messages.wait { $0.contains { $0.type == .error } }
    try test.save("c", "{}")
    let saves = peer.requests.all.filter { $0.message.properties["Profile"] == "setCheckpoint" }
    #expect(saves.count == 1 && peer.closures.all.isEmpty)
    try peer.respond(to: try #require(saves.first).number, Message(.response, properties: ["rev": "1"]))
    for await _ in statuses {}
    #expect(replicator.status.error == nil)
    let last = try #require(peer.requests.all.last { $0.message.properties["Profile"] == "setCheckpoint" })
    #expect(last.message.properties["rev"] == "1")
    #expect(Checkpoint(json: last.message.body)?.completed.completedThrough == 2)
    #expect(try replicator.pendingDocumentIds(collection: test.collection) == ["c"])
  }
}
