@testable import ConcordanceServer
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

/// The time limit for clients that do not read.
@Suite struct WriteTimeLimitTests {
  private func channel(_ type: String) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(WriteTimeLimit(.seconds(10)))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let head = HTTPResponse(status: .ok, headerFields: [.contentType: type])
    try channel.writeOutbound(HTTPResponsePart.head(head))
    return channel
  }

  private func setWritable(_ isWritable: Bool, _ channel: EmbeddedChannel) {
    channel.isWritable = isWritable
    channel.pipeline.fireChannelWritabilityChanged()
  }

  @Test func aConnectionIsClosedIfItsClientDoesNotRead() throws {
    let channel = try channel("application/json")
    setWritable(false, channel)
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(2))
    #expect(!channel.isActive)
  }

  @Test func aSlowClientKeepsItsConnection() throws {
    let channel = try channel("application/json")
    for _ in 0..<5 {
      setWritable(false, channel)
      channel.embeddedEventLoop.advanceTime(by: .seconds(8))
      setWritable(true, channel)
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(100))
    #expect(channel.isActive)
    _ = try channel.finish()
  }

  @Test func eventStreamsHaveNoLimit() throws {
    let channel = try channel("text/event-stream")
    setWritable(false, channel)
    channel.embeddedEventLoop.advanceTime(by: .seconds(100))
    #expect(channel.isActive)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}
