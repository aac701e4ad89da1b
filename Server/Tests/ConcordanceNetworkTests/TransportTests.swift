import BLIP
import Concordance
@testable import ConcordanceNetwork
import Foundation
import Replication
import Testing

@Suite(.timeLimit(.minutes(10))) struct TransportTests {
  /// The sizes at which the form of a frame's length changes, and the greatest frame of Couchbase Lite.
  @Test func framesArriveUnchangedInBothDirections() async throws {
    let listener = try TestListener()
    let (client, server) = try await listener.connectedPeers()
    let frames = [0, 1, 125, 126, 16_395, 65_535, 65_536].map { size in (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    }
    for frame in frames { _ = client.transport.send(frame) }
    for frame in frames { #expect(try await server.events.nextFrame() == frame) }
    for frame in frames { _ = server.transport.send(frame) }
    for frame in frames { #expect(try await client.events.nextFrame() == frame) }
  }

  @Test func theFirstEventIsOpen() async throws {
    let listener = try TestListener()
    let (client, server) = try await listener.connectedPeers()
    #expect(try await client.events.next() == .open)
    #expect(try await server.events.next() == .open)
  }

  @Test func framesBeforeTheStartAreKept() async throws {
    let listener = try TestListener()
    let client = TestPeer(try await listener.connect())
    let transport = try await listener.accepted()
    for number in 0..<20 { _ = client.transport.send([UInt8(number)]) }
    client.transport.close(code: 1000, reason: "")
    let server = TestPeer(transport)
    for number in 0..<20 { #expect(try await server.events.nextFrame() == [UInt8(number)]) }
    #expect(try await server.events.closure() == .closed(code: 1000, reason: "", isRemote: true))
  }

  @Test func closeCodesReachBothSides() async throws {
    let listener = try TestListener()
    for code in [1000, 1001, 1002, 4001, 4002] {
      let (client, server) = try await listener.connectedPeers()
      server.transport.close(code: code, reason: "a reason")
      server.transport.close(code: 1011, reason: "ignored")
      #expect(try await client.events.closure() == .closed(code: code, reason: "a reason", isRemote: true))
      #expect(try await server.events.closure() == .closed(code: code, reason: "a reason", isRemote: false))
      #expect(!server.transport.send([1]))
    }
  }

  /// A close frame has at most 125 bytes, of which the code takes two.
  @Test func longReasonsAreShortenedAtACharacter() async throws {
    let listener = try TestListener()
    let (client, server) = try await listener.connectedPeers()
    server.transport.close(code: 4002, reason: String(repeating: "é", count: 100))
    let expected = String(repeating: "é", count: 61)
    #expect(try await client.events.closure() == .closed(code: 4002, reason: expected, isRemote: true))
  }

  @Test func aFrameAboveTheLimitClosesTheConnection() async throws {
    let listener = try TestListener()
    let (client, server) = try await listener.connectedPeers()
    _ = client.transport.send([UInt8](repeating: 1, count: 65_537))
    guard case .closed(code: 1009, _, isRemote: false) = try await server.events.closure() else {
      Issue.record("not closed with 1009")
      return
    }
    guard case .closed(code: 1009, _, isRemote: true) = try await client.events.closure() else {
      Issue.record("not closed with 1009")
      return
    }
  }

  /// The transport holds at most a few hundred kilobytes, so a sender that respects the result of `send` must wait
  /// often.
  @Test func aSenderWaitsForASlowReceiver() async throws {
    let listener = try TestListener { $0.connections.maximumUnprocessed = 100_000 }
    let (client, server) = try await listener.connectedPeers()
    let frame = [UInt8](repeating: 7, count: 50_000)
    let sender = Task {
      var waitCount = 0
      for _ in 0..<400 where !client.transport.send(frame) {
        while try await client.events.next() != .writable {}
        waitCount += 1
      }
      return waitCount
    }
    for _ in 0..<400 {
      #expect(try await server.events.nextFrame().count == frame.count)
      server.transport.didProcess(byteCount: frame.count)
    }
    #expect(try await sender.value > 10)
  }

  @Test(arguments: [false, true]) func messagesOfBLIPAreExchanged(isSecure: Bool) async throws {
    let identity = try TLSIdentity.createIdentity()
    let listener = try TestListener { if isSecure { $0.tls = try ListenerTLS(identity) } }
    var options = EndpointConnectionOptions()
    options.pinnedServerCertificate = identity.certs.first
    let (client, server) = try await listener.connectedPeers(options)
    let echo = Task { try await answerWithBodies(server) }
    let connection = try BLIPConnection()
    let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    var answers: [[UInt8]] = []
    for flags in [MessageFlags(), .compressed, .urgent] {
      try connection.send(Message(flags: flags, properties: ["Profile": "echo"], body: body))
    }
    while answers.count < 3 {
      while let frame = try connection.nextFrame() { _ = client.transport.send(frame) }
      let frame = try await client.events.nextFrame()
      for case .response(_, let message) in try connection.receive(frame) { answers.append(message.body) }
      client.transport.didProcess(byteCount: frame.count)
    }
    #expect(answers == [body, body, body])
    client.transport.close(code: 1000, reason: "")
    try await echo.value
  }
}

/// Answers requests with their bodies until the connection is closed.
private func answerWithBodies(_ peer: TestPeer) async throws {
  let connection = try BLIPConnection()
  while true {
    switch try await peer.events.next() {
    case .closed: return
    case .frame(let frame):
      for case .request(let number, let message) in try connection.receive(frame) {
        try connection.respond(to: number, Message(.response, flags: message.flags, body: message.body))
      }
      peer.transport.didProcess(byteCount: frame.count)
      while let frame = try connection.nextFrame() { _ = peer.transport.send(frame) }
    default: break
    }
  }
}
