import BLIP
import Replication
import Testing

@testable import Concordance

@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct PeerCollectionsTests {
  private let test: TemporaryDatabase

  init() throws { test = try TemporaryDatabase() }

  @Test func aListenerListsTheCollectionsThatThePeerMayAccess() async throws {
    let items = try test.database.createCollection(name: "items", scope: "shop")
    _ = try test.database.createCollection(name: "secret")
    let (active, passive) = LoopbackTransport.pair()
    PassivePeer(transport: passive, collections: [test.collection, items]).start()
    // Frames, as over a network.
    let names = try await PeerCollections.names(over: FaultyTransport(active, .none))
    #expect(names == ["_default._default", "shop.items"])
  }

  @Test func otherPeersListNoCollections() async throws {
    let (active, passive) = LoopbackTransport.pair()
    let peer = try RawPeer(passive) { peer, number, _ in
      try peer.respond(to: number, .error(domain: "BLIP", code: 404, "there is no handler"))
    }
    peer.startWithoutWaiting()
    #expect(try await PeerCollections.names(over: FaultyTransport(active, .none)) == nil)
  }

  @Test func aLostConnectionIsReported() async throws {
    let (active, passive) = LoopbackTransport.pair()
    let peer = try RawPeer(passive) { _, _, _ in passive.close(code: 1011, reason: "a fault") }
    peer.startWithoutWaiting()
    let error = ReplicationTransportError(code: 11_011, message: "the peer closed the connection (1011, a fault)")
    await #expect(throws: error) {
      try await PeerCollections.names(over: FaultyTransport(active, .none))
    }
  }
}
