import ConcordanceNetwork
@testable import ConcordanceServer
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOEmbedded
import NIOSSL
import Testing

@Suite struct SecureChannelTests {
  /// An idle connection would otherwise count towards the limit of connections forever.
  @Test func aHandshakeHasATimeLimit() throws {
    let logger = Logger(label: "test")
    let replication = ReplicationService(logger: logger) { _ in .failure(.unknownPath) }
    let http1 = ReplicationChannel(http: HTTP1Channel(responder: { _, _, _ in }), replication: replication)
    let http2 = HTTP2Channel(responder: { _, _, _ in })
    let secure = try SecureChannel(TLSConfiguration.makeClientConfiguration(), http1: http1, http2: http2)
    let channel = EmbeddedChannel()
    let value = try secure.setup(channel: channel, logger: logger).wait()
    value.negotiated.whenComplete { _ in }
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    channel.embeddedEventLoop.advanceTime(by: .seconds(14))
    #expect(channel.isActive)
    // The client does not answer the closure alert either.
    channel.embeddedEventLoop.advanceTime(by: .seconds(16))
    #expect(!channel.isActive)
  }
}
