@testable import ConcordanceNetwork
import NIOCore
import NIOEmbedded
import NIOSSL
import NIOWebSocket
import Replication
import Testing

/// Tests with a channel in memory, whose clock is moved by the test.
@Suite struct WebSocketHandlerTests {
  private final class Receiver: ReplicationTransportHandler, @unchecked Sendable {
    // Used on the thread of the test only.
    var frames: [[UInt8]] = []
    var closures: [TransportClosure] = []
    func transportDidOpen() {}
    func transportDidReceive(_ frame: [UInt8]) { frames.append(frame) }
    func transportIsWritable() {}
    func transportDidClose(_ closure: TransportClosure) { closures.append(closure) }
  }

  /// Counts the requests for data that reach the socket.
  private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = WebSocketFrame
    var count = 0
    func read(context: ChannelHandlerContext) { count += 1 }
  }

  private let channel = EmbeddedChannel()
  private let reads = ReadCounter()
  private let receiver = Receiver()
  private let transport: WebSocketTransport

  init() throws { try self.init(isClient: true) }

  private init(isClient: Bool, pingInterval: TimeAmount = .seconds(300)) throws {
    var timing = WebSocketTiming()
    timing.pingInterval = pingInterval
    let handler = WebSocketHandler(isClient: isClient, timing: timing, maximumUnprocessed: 1000)
    try channel.pipeline.syncOperations.addHandler(reads)
    try channel.pipeline.syncOperations.addHandlers(handler.makeHandlers())
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    transport = WebSocketTransport(channel, handler)
    transport.start(receiver)
    channel.embeddedEventLoop.run()
  }

  /// The next frame that was written. Its data is not masked yet.
  private func written() throws -> WebSocketFrame? { try channel.readOutbound(as: WebSocketFrame.self) }

  private func receive(
    _ opcode: WebSocketOpcode, _ bytes: [UInt8] = [], maskKey: WebSocketMaskingKey? = nil, fin: Bool = true
  ) throws {
    var data = ByteBuffer(bytes: bytes)
    if let maskKey { data.webSocketMask(maskKey) }
    try channel.writeInbound(WebSocketFrame(fin: fin, opcode: opcode, maskKey: maskKey, data: data))
  }

  @Test func aMissingPongClosesTheConnection() throws {
    channel.embeddedEventLoop.advanceTime(by: .seconds(299))
    #expect(try written() == nil)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(try written()?.opcode == .ping)
    channel.embeddedEventLoop.advanceTime(by: .seconds(19))
    #expect(receiver.closures.isEmpty)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    guard case .failed(let error)? = receiver.closures.first else {
      Issue.record("\(receiver.closures)")
      return
    }
    #expect(error.isTransient)
    #expect(!channel.isActive)
  }

  @Test func pongsKeepTheConnectionOpen() throws {
    for _ in 0..<3 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(300))
      #expect(try written()?.opcode == .ping)
      try receive(.pong)
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(299))
    #expect(receiver.closures.isEmpty)
  }

  /// A ping is sent while the pong of an earlier one is awaited. The pong cancels the only time limit.
  @Test func aDelayedPongKeepsTheConnectionOpen() throws {
    let test = try WebSocketHandlerTests(isClient: true, pingInterval: .seconds(10))
    test.channel.embeddedEventLoop.advanceTime(by: .seconds(25))
    try test.receive(.pong)
    test.channel.embeddedEventLoop.advanceTime(by: .seconds(19))
    #expect(test.receiver.closures.isEmpty)
    test.channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    #expect(test.receiver.closures.count == 1)
  }

  /// A killed peer sends no TLS closure alert.
  @Test func aTLSConnectionWithoutAClosureAlertIsLost() throws {
    channel.pipeline.fireErrorCaught(NIOSSLError.uncleanShutdown)
    #expect(receiver.closures == [.closed(code: 1006, reason: "the connection was lost", isRemote: true)])
    #expect(!channel.isActive)
    #expect(NetworkError.transportError(NIOSSLError.uncleanShutdown).isTransient)
  }

  @Test func pingsAreAnswered() throws {
    try receive(.ping, [1, 2])
    let pong = try #require(try written())
    #expect(pong.opcode == .pong)
    #expect(Array(buffer: pong.data) == [1, 2])
  }

  /// Regression test: a ping that arrived while the channel was not writable was never answered, so the peer closed the
  /// connection.
  @Test func theLatestPingIsAnsweredWhenTheChannelIsWritable() throws {
    channel.isWritable = false
    try receive(.ping, [1])
    try receive(.ping, [2])
    #expect(try written() == nil)
    channel.isWritable = true
    channel.pipeline.fireChannelWritabilityChanged()
    let pong = try #require(try written())
    #expect(pong.opcode == .pong)
    #expect(Array(buffer: pong.data) == [2])
    channel.pipeline.fireChannelWritabilityChanged()
    #expect(try written() == nil)
  }

  /// A peer that is sending much may answer a ping late.
  @Test func anyFrameAfterAPingKeepsTheConnectionOpen() throws {
    channel.embeddedEventLoop.advanceTime(by: .seconds(300))
    #expect(try written()?.opcode == .ping)
    channel.embeddedEventLoop.advanceTime(by: .seconds(19))
    try receive(.binary, [1])
    channel.embeddedEventLoop.advanceTime(by: .seconds(100))
    #expect(receiver.closures.isEmpty)
  }

  @Test func textIsIgnored() throws {
    try receive(.text, [65])
    try receive(.binary, [1])
    #expect(receiver.frames == [[1]])
    #expect(receiver.closures.isEmpty)
  }

  @Test func readingPausesUntilBytesAreProcessed() throws {
    channel.read()
    let before = reads.count
    try receive(.binary, [UInt8](repeating: 0, count: 1001))
    channel.read()
    channel.embeddedEventLoop.run()
    #expect(reads.count == before)
    transport.didProcess(byteCount: 400)
    channel.embeddedEventLoop.run()
    #expect(reads.count == before)
    transport.didProcess(byteCount: 601)
    channel.embeddedEventLoop.run()
    #expect(reads.count == before + 1)
  }

  @Test func theCloseFrameFollowsTheFrames() throws {
    #expect(transport.send([1]))
    transport.close(code: 1000, reason: "done")
    #expect(!transport.send([2]))
    channel.embeddedEventLoop.run()
    #expect(try written().map { Array(buffer: $0.data) } == [1])
    let close = try #require(try written())
    #expect(close.opcode == .connectionClose)
    #expect(Array(buffer: close.data) == [0x03, 0xE8] + Array("done".utf8))
    #expect(receiver.closures.isEmpty)
    try receive(.connectionClose, [0x03, 0xE8])
    #expect(receiver.closures == [.closed(code: 1000, reason: "done", isRemote: false)])
    #expect(!channel.isActive)
  }

  @Test func aPeerThatDoesNotAnswerACloseIsDisconnected() throws {
    transport.close(code: 4001, reason: "")
    channel.embeddedEventLoop.run()
    channel.embeddedEventLoop.advanceTime(by: .seconds(5))
    #expect(receiver.closures == [.closed(code: 4001, reason: "", isRemote: false)])
    #expect(!channel.isActive)
  }

  @Test func aCloseFrameWithoutACodeIsAnswered() throws {
    try receive(.connectionClose)
    #expect(try written().map { Array(buffer: $0.data) } == [0x03, 0xE8])
    #expect(receiver.closures == [.closed(code: 1005, reason: "", isRemote: true)])
  }

  @Test func aLostConnectionIsReportedOnce() throws {
    _ = try channel.finish()
    #expect(receiver.closures == [.closed(code: 1006, reason: "the connection was lost", isRemote: true)])
    transport.close(code: 1000, reason: "")
    channel.embeddedEventLoop.run()
    #expect(receiver.closures.count == 1)
  }

  /// RFC 6455, section 5.1.
  @Test func framesOfClientsMustBeMasked() throws {
    let server = try WebSocketHandlerTests(isClient: false)
    try server.receive(.binary, [1], maskKey: [1, 2, 3, 4])
    #expect(server.receiver.frames == [[1]])
    try server.receive(.binary, [1])
    guard case .closed(code: 1002, _, isRemote: false)? = server.receiver.closures.first else {
      Issue.record("\(server.receiver.closures)")
      return
    }
  }

  /// Regression test: a server took joined fragments for a frame that is not masked.
  @Test(arguments: [true, false]) func fragmentsAreJoined(isClient: Bool) throws {
    let test = try WebSocketHandlerTests(isClient: isClient)
    try test.receive(.binary, [1, 2], maskKey: isClient ? nil : [1, 2, 3, 4], fin: false)
    try test.receive(.continuation, [3], maskKey: isClient ? nil : [5, 6, 7, 8])
    #expect(test.receiver.frames == [[1, 2, 3]])
    #expect(test.receiver.closures.isEmpty)
  }

  @Test func fragmentsOfClientsMustBeMasked() throws {
    let server = try WebSocketHandlerTests(isClient: false)
    try server.receive(.binary, [1], maskKey: [1, 2, 3, 4], fin: false)
    try server.receive(.continuation, [2])
    guard case .closed(code: 1002, let reason, isRemote: false)? = server.receiver.closures.first else {
      Issue.record("\(server.receiver.closures)")
      return
    }
    #expect(reason == "a frame from a client is not masked")
    #expect(server.receiver.frames.isEmpty)
  }

  @Test func framesWithUnknownExtensionsAreRefused() throws {
    try channel.writeInbound(
      WebSocketFrame(fin: true, rsv1: true, opcode: .binary, data: ByteBuffer(bytes: [1])))
    guard case .closed(code: 1002, _, isRemote: false)? = receiver.closures.first else {
      Issue.record("\(receiver.closures)")
      return
    }
    #expect(receiver.frames.isEmpty)
  }
}
