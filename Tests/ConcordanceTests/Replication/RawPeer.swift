import BLIP
import Foundation
import Replication
import TestSupport
import Testing

@testable import Concordance

typealias Message = BLIP.Message

/// A peer whose messages a test writes itself. Used on one thread at a time.
///
/// `@unchecked Sendable`: `lock` protects the connection; the other variables are constants.
final class RawPeer: ReplicationTransportHandler, @unchecked Sendable {
  private let transport: LoopbackTransport
  private let connection: BLIPConnection
  private let lock = NSLock()
  let messages = Received<Message>()
  /// The requests of the other peer with their numbers.
  let requests = Received<(number: UInt64, message: Message)>()
  let closures = Received<TransportClosure>()

  typealias RequestHandler = @Sendable (RawPeer, _ number: UInt64, Message) throws -> Void
  private let onRequest: RequestHandler

  /// - Parameter onRequest: called with each request of the other peer.
  init(_ transport: LoopbackTransport, onRequest: @escaping RequestHandler = { _, _, _ in }) throws {
    self.transport = transport
    self.onRequest = onRequest
    connection = try BLIPConnection()
  }

  /// Opens the connection. Frames that are sent before are lost.
  func start() {
    startWithoutWaiting()
    opened.wait { !$0.isEmpty }
  }

  /// Opens the connection once the other peer has been started.
  func startWithoutWaiting() { transport.start(self) }

  private let opened = Received<Int>()
  func transportDidOpen() { opened.add(1) }
  func transportIsWritable() {}
  func transportDidClose(_ closure: TransportClosure) { closures.add(closure) }

  func transportDidReceive(_ frame: [UInt8]) {
    let received = lock.withLock {
      var received: [(number: UInt64, message: Message)] = []
      for event in (try? connection.receive(frame)) ?? [] {
        switch event {
        case .request(let number, let message):
          // First, because a test that waits for the message may respond to it immediately.
          requests.add((number, message))
          messages.add(message)
          received.append((number, message))
        case .response(_, let message): messages.add(message)
        default: break
        }
      }
      // An acknowledgement may allow the rest of a large message to be sent.
      try? sendFrames()
      return received
    }
    for (number, message) in received {
      do { try onRequest(self, number, message) } catch { Issue.record(error) }
    }
    transport.didProcess(byteCount: frame.count)
  }

  func send(_ message: Message) throws {
    try transmit { try $0.send(message) }
  }

  /// Answers a request of the other peer.
  func respond(to number: UInt64, body: String = "") throws {
    try respond(to: number, Message(.response, body: Array(body.utf8)))
  }

  /// Answers a request of the other peer.
  func respond(to number: UInt64, _ message: Message) throws { try transmit { try $0.respond(to: number, message) } }

  private func transmit(_ action: (BLIPConnection) throws -> Void) throws {
    try lock.withLock {
      try action(connection)
      try sendFrames()
    }
  }

  /// Called under `lock`, which keeps the frames in order. The other peer processes them on its own queue.
  private func sendFrames() throws {
    while let frame = try connection.nextFrame() { _ = transport.send(frame) }
  }

  func close() { transport.close(code: 1000, reason: "") }

  func sendRaw(_ frame: [UInt8]) { _ = transport.send(frame) }

  /// Sends a request and returns the next message.
  func ask(_ profile: String, _ properties: [(String, String)] = [], body: String = "") throws -> Message? {
    let count = messages.all.count
    var message = Message(properties: ["Profile": profile], body: Array(body.utf8))
    for (key, value) in properties { message.properties[key] = value }
    try send(message)
    return messages.wait { $0.count > count }.dropFirst(count).first
  }
}
