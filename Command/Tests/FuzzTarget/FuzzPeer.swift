import BLIP
import Concordance
import Foundation
import Replication

/// A peer that sends the messages and frames of a fuzzer to a database, and answers its requests with given bytes.
///
/// `@unchecked Sendable`: every variable is used only under `condition`.
final class FuzzPeer: ReplicationTransportHandler, @unchecked Sendable {
  private let transport: LoopbackTransport
  private let connection: BLIPConnection
  private let answers: [[UInt8]]
  private let condition = NSCondition()
  private var answerCount = 0
  private var isOpen = false
  private var isClosed = false
  private var isPeerClosed = false
  private var responseCount = 0
  /// The bodies and properties that the database has sent.
  private var received: [UInt8] = []

  /// The time in which the database must process all messages.
  private static let limit = 20.0

  private init(_ transport: LoopbackTransport, answers: [[UInt8]]) throws {
    self.transport = transport
    self.answers = answers
    connection = try BLIPConnection()
  }

  /// Sends messages to the default collection of a database.
  ///
  /// The request has `messages`, each an object with `frame` (hexadecimal) or with `profile`, `properties` and `body`;
  /// `answers`, the bodies of responses (hexadecimal); and `readOnly`.
  static func run(_ request: FuzzRequest, on collection: Concordance.Collection, _ answer: inout FuzzAnswer) throws {
    let (active, passive) = LoopbackTransport.pair()
    let peer = try FuzzPeer(active, answers: request.strings("answers").map(bytes))
    let served = PassivePeer(
      transport: passive, collections: [collection], isReadOnly: request.bool("readOnly")
    ) { status in
      if status.isClosed { peer.change { $0.isPeerClosed = true } }
    }
    served.start()
    active.start(peer)
    var isDone = peer.wait { $0.isOpen }
    for message in request.objects("messages") { try peer.send(message) }
    // The requests are processed in order, so the response to the last one shows that all were read.
    let before = peer.condition.withLock { peer.responseCount }
    let expected = try peer.send(["profile": "getCheckpoint", "properties": ["client": "end"]]) ? before + 1 : before
    isDone = isDone && peer.wait { $0.responseCount >= expected || $0.isClosed }
    served.close()
    isDone = isDone && peer.wait { $0.isClosed && $0.isPeerClosed }
    answer.add("hangs", !isDone)
    answer.add("received", String(decoding: peer.condition.withLock { peer.received }, as: UTF8.self))
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
    }
  }

  private func change(_ body: (FuzzPeer) -> Void) {
    condition.withLock {
      body(self)
      condition.broadcast()
    }
  }

  private func wait(until isReached: (FuzzPeer) -> Bool) -> Bool {
    condition.withLock {
      let limit = Date(timeIntervalSinceNow: FuzzPeer.limit)
      while !isReached(self) {
        guard condition.wait(until: limit) else { return false }
      }
      return true
    }
  }

  /// Sends a message or a frame.
  ///
  /// - Returns: whether a response is expected.
  @discardableResult
  private func send(_ message: [String: Any]) throws -> Bool {
    if let frame = message["frame"] as? String {
      _ = transport.send(FuzzPeer.bytes(frame))
      return false
    }
    let frames: [[UInt8]] = try condition.withLock {
      guard !isClosed else { return [] }
      var properties: MessageProperties = ["Profile": message["profile"] as? String ?? ""]
      for (key, value) in message["properties"] as? [String: String] ?? [:] { properties.append(key, value) }
      try connection.send(BLIP.Message(properties: properties, body: Array((message["body"] as? String ?? "").utf8)))
      return try pendingFrames()
    }
    for frame in frames { _ = transport.send(frame) }
    return !frames.isEmpty
  }

  private func pendingFrames() throws -> [[UInt8]] {
    var frames: [[UInt8]] = []
    while let frame = try connection.nextFrame() { frames.append(frame) }
    return frames
  }

  func transportDidOpen() { change { $0.isOpen = true } }

  func transportIsWritable() {}

  func transportDidClose(_ closure: TransportClosure) { change { $0.isClosed = true } }

  func transportDidReceive(_ frame: [UInt8]) {
    let frames: [[UInt8]] = condition.withLock {
      // The database sends valid frames, but after frames of the fuzzer it may answer requests that were never sent.
      for event in (try? connection.receive(frame)) ?? [] { handle(event) }
      condition.broadcast()
      return (try? pendingFrames()) ?? []
    }
    for frame in frames { _ = transport.send(frame) }
    transport.didProcess(byteCount: frame.count)
  }

  private func handle(_ event: BLIPConnection.Event) {
    switch event {
    case .request(let number, let message):
      record(message)
      let body = answers.isEmpty ? [] : answers[answerCount % answers.count]
      answerCount += 1
      // A request without a response cannot be answered.
      try? connection.respond(to: number, BLIP.Message(.response, body: body))
    case .response(_, let message):
      record(message)
      responseCount += 1
    default: break
    }
  }

  private func record(_ message: BLIP.Message) {
    received += message.properties.pairs.flatMap { Array("\($0.key)=\($0.value) ".utf8) } + message.body
  }
}
