import BLIP
import Replication
import Testing

@testable import Concordance

/// A peer of a replicator whose answers a test determines. It has one collection without documents, and accepts
/// everything that the test does not handle.
struct ScriptedEndpoint: Endpoint, EndpointConnector {
  /// Handles a request on the connection with a number, counted from 0.
  ///
  /// - Returns: the response; nil if the handler has responded or responds later.
  typealias Script = @Sendable (_ connection: Int, RawPeer, _ number: UInt64, Message) throws -> Message?

  let peers = Received<RawPeer>()
  private let script: Script

  init(_ script: @escaping Script) { self.script = script }

  var remoteID: String { "scripted" }
  func makeConnector() throws -> any EndpointConnector { self }

  func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport {
    let (active, passive) = LoopbackTransport.pair()
    let connection = peers.all.count
    let peer = try RawPeer(passive) { [script] peer, number, request in
      guard !request.flags.contains(.noReply), let response = try script(connection, peer, number, request) else {
        return
      }
      try peer.respond(to: number, response)
    }
    peers.add(peer)
    peer.startWithoutWaiting()
    return FaultyTransport(active, .none)
  }

  /// Returns the response of a peer that accepts everything.
  static func standardResponse(to request: Message) -> Message {
    switch request.properties["Profile"] {
    case "getCollections": Message(.response, body: Array("[{}]".utf8))
    case "proposeChanges": Message(.response, body: Array("[]".utf8))
    case "setCheckpoint": Message(.response, properties: ["rev": "1"])
    default: Message(.response)
    }
  }
}

extension RawPeer {
  /// Announces changes, each with its sequence, the id of the document and its version. An empty list announces that
  /// there are no more changes.
  func announce(_ changes: [(sequence: Int, id: String, version: String)]) throws {
    let entries = changes.map { #"[\#($0.sequence),"\#($0.id)","\#($0.version)"]"# }
    let body = Array("[\(entries.joined(separator: ","))]".utf8)
    try send(
      Message(
        flags: changes.isEmpty ? .noReply : [], properties: ["Profile": "changes", "collection": "0"], body: body))
  }

  /// Sends a revision that was announced.
  func sendRevision(_ id: String, _ version: String, sequence: Int, _ body: String) throws {
    try send(
      Message(
        properties: [
          "Profile": "rev", "collection": "0", "id": id, "rev": version, "sequence": String(sequence),
        ], body: Array(body.utf8)))
  }
}
