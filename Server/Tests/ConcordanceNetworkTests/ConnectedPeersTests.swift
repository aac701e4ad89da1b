import Concordance
@testable import ConcordanceNetwork
import Foundation
import Logging
import Replication
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConnectedPeersTests {
  /// Regression test: a connection whose handshake was complete when the listener stopped was served afterwards.
  @Test func aConnectionThatIsBeingAcceptedIsClosedByStop() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try Database(path: folder.appendingPathComponent("a.concord").path)
    let collections = [try database.defaultCollection()]
    let peers = ConnectedPeers(logger: Logger(label: "test"))
    let admission = peers.admit()
    peers.closeAll()

    let (client, transport) = LoopbackTransport.pair()
    let events = TransportEvents()
    client.start(events)
    peers.accept(transport, collections, isReadOnly: false, admission)
    let closure = try await events.closure()
    #expect(closure == .closed(code: 4001, reason: "the listener was stopped", isRemote: true))
    #expect(peers.status.connectionCount == 0)

    // After a restart, connections are served again.
    let (second, accepted) = LoopbackTransport.pair()
    let openEvents = TransportEvents()
    second.start(openEvents)
    peers.accept(accepted, collections, isReadOnly: false, peers.admit())
    #expect(try await openEvents.next() == .open)
    #expect(peers.status.connectionCount == 1)
    peers.closeAll()
    await peers.waitUntilEmpty()
    try await database.async.close()
  }
}
