import Concordance
@testable import ConcordanceNetwork
import Foundation
import Logging
import NIOCore
import Replication
import Testing

/// Records the events of a transport in order.
final class TransportEvents: ReplicationTransportHandler {
  enum Event: Sendable, Equatable {
    case open
    case frame([UInt8])
    case writable
    case closed(TransportClosure)
  }

  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func transportDidOpen() { continuation.yield(.open) }
  func transportDidReceive(_ frame: [UInt8]) { continuation.yield(.frame(frame)) }
  func transportIsWritable() { continuation.yield(.writable) }
  func transportDidClose(_ closure: TransportClosure) {
    continuation.yield(.closed(closure))
    continuation.finish()
  }

  /// Returns the next event; waits for it.
  func next() async throws -> Event {
    var iterator = stream.makeAsyncIterator()
    return try #require(await iterator.next())
  }

  func nextFrame() async throws -> [UInt8] {
    while true {
      if case .frame(let frame) = try await next() { return frame }
    }
  }

  func closure() async throws -> TransportClosure {
    while true {
      if case .closed(let closure) = try await next() { return closure }
    }
  }
}

/// A transport with its recorded events.
struct TestPeer: Sendable {
  let transport: any ReplicationTransport
  let events = TransportEvents()

  /// Starts a transport.
  init(_ transport: any ReplicationTransport) {
    self.transport = transport
    transport.start(events)
  }
}

/// A listener on the loopback address.
final class TestListener: Sendable {
  let listener: WebSocketListener
  let isSecure: Bool
  private let stream: AsyncStream<any ReplicationTransport>
  private let continuation: AsyncStream<any ReplicationTransport>.Continuation

  init(_ configure: (inout WebSocketListener.Settings) throws -> Void = { _ in }) throws {
    let (stream, continuation) = AsyncStream.makeStream(of: (any ReplicationTransport).self)
    (self.stream, self.continuation) = (stream, continuation)
    var settings = WebSocketListener.Settings(path: "/db/_blipsync")
    try configure(&settings)
    isSecure = settings.tls != nil
    listener = WebSocketListener(settings, logger: Logger(label: "test")) { continuation.yield($0) }
    try listener.start(on: SocketAddress(ipAddress: "127.0.0.1", port: 0))
  }

  deinit { listener.stop() }

  func url(path: String = "/db") throws -> URL {
    let port = try #require(listener.address?.port)
    return try #require(URL(string: "\(isSecure ? "wss" : "ws")://127.0.0.1:\(port)\(path)"))
  }

  /// Returns the next accepted transport.
  func accepted() async throws -> any ReplicationTransport {
    var iterator = stream.makeAsyncIterator()
    return try #require(await iterator.next())
  }

  /// Connects a client.
  func connect(
    _ options: EndpointConnectionOptions = EndpointConnectionOptions(), path: String = "/db"
  ) async throws -> any ReplicationTransport {
    try await URLEndpoint(url: url(path: path)).makeConnector().connect(options)
  }

  /// Returns both ends of a new connection.
  func connectedPeers(
    _ options: EndpointConnectionOptions = EndpointConnectionOptions()
  ) async throws -> (client: TestPeer, server: TestPeer) {
    let client = TestPeer(try await connect(options))
    return (client, TestPeer(try await accepted()))
  }
}

/// Checks that connecting fails with a code.
func expectConnectionError(
  _ code: Int, isTransient: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
  _ connect: () async throws -> any ReplicationTransport
) async {
  let error = await #expect(throws: ReplicationTransportError.self, sourceLocation: sourceLocation) {
    _ = try await connect()
  }
  #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
  #expect(error?.isTransient == isTransient, "\(error?.message ?? "")", sourceLocation: sourceLocation)
}
