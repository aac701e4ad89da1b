import ConcordanceNetwork
@testable import ConcordanceServer
import HummingbirdCore
import NIOCore
import NIOEmbedded
import Testing

/// The first line of a connection.
@Suite struct FirstLineTests {
  private final class Lines { var all: [String] = [] }

  private func channel(_ lines: Lines) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    let use = channel.eventLoop.makePromise(of: HTTP1Channel.Value?.self)
    try channel.pipeline.syncOperations.addHandler(
      FirstLineHandler(use) { line in
        lines.all.append(line)
        return channel.eventLoop.makeSucceededFuture(nil)
      })
    use.futureResult.whenComplete { _ in }
    channel.pipeline.fireChannelActive()
    return channel
  }

  @Test func allBytesArePassedOnAfterTheLine() throws {
    let lines = Lines()
    let channel = try channel(lines)
    let text = "GET /db/_blipsync HTTP/1.1\r\nHost: a\r\n\r\n"
    for byte in text.utf8 { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
    try channel.writeInbound(ByteBuffer(string: "more"))
    #expect(lines.all == ["GET /db/_blipsync HTTP/1.1"])
    var received = ""
    while let bytes = try channel.readInbound(as: ByteBuffer.self) { received += String(buffer: bytes) }
    #expect(received == text + "more")
    _ = try channel.finish()
  }

  /// Other requests need not be complete.
  @Test(arguments: ["P", "GEX", "\u{16}\u{3}", "GET x"]) func otherBeginningsDecideImmediately(text: String) throws {
    let lines = Lines()
    let channel = try channel(lines)
    try channel.writeInbound(ByteBuffer(string: text))
    #expect(lines.all == [text])
    _ = try channel.finish()
  }

  @Test func longLinesAreHTTP() throws {
    let lines = Lines()
    let channel = try channel(lines)
    try channel.writeInbound(ByteBuffer(string: "GET /" + String(repeating: "x", count: 4000)))
    #expect(lines.all.isEmpty)
    try channel.writeInbound(ByteBuffer(string: String(repeating: "x", count: 5000)))
    #expect(lines.all.count == 1)
    _ = try channel.finish()
  }

  @Test func aConnectionWithoutALineIsClosed() throws {
    for event in [ChannelShouldQuiesceEvent() as any Sendable, ChannelEvent.inputClosed] {
      let channel = try channel(Lines())
      try channel.writeInbound(ByteBuffer(string: "GET /"))
      channel.pipeline.fireUserInboundEventTriggered(event)
      #expect(!channel.isActive)
    }
    let channel = try channel(Lines())
    channel.embeddedEventLoop.advanceTime(by: .seconds(61))
    #expect(!channel.isActive)
  }

  @Test(arguments: [
    ("GET /db/_blipsync HTTP/1.1", true), ("GET /a/db/_blipsync?x=1 HTTP/1.1", true), ("GET /_blipsync HTTP/1.1", true),
    ("POST /db/_blipsync HTTP/1.1", false), ("GET /db HTTP/1.1", false), ("GET /db/_blipsync/x HTTP/1.1", false),
    ("GET /db/_blipsync", false), ("", false),
  ]) func theLineAsksForReplication(line: String, isReplication: Bool) {
    #expect(ReplicationService.isRequested(by: line) == isReplication)
  }
}
