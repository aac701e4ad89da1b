import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// A TLS connection, for which the client selects HTTP/2, or HTTP/1.1 and replication, with ALPN (RFC 7301).
///
/// Hummingbird's `HTTP2UpgradeChannel` does the same, but its channel for HTTP/1.1 cannot be replaced.
struct SecureChannel: ServerChildChannel {
  enum Connection: Sendable {
    case http1(ReplicationChannel.Value)
    case http2(HTTP2Channel.Value)
  }

  struct Value: ServerChildChannelValue {
    let channel: any Channel
    let negotiated: EventLoopFuture<Connection>
  }

  /// The time limit for the TLS handshake. The handlers that close idle connections are added after it.
  private static let timeout = TimeAmount.seconds(15)

  private let context: NIOSSLContext
  private let http1: ReplicationChannel
  private let http2: HTTP2Channel

  init(_ configuration: TLSConfiguration, http1: ReplicationChannel, http2: HTTP2Channel) throws {
    var configuration = configuration
    configuration.applicationProtocols = ["h2", "http/1.1"]
    context = try NIOSSLContext(configuration: configuration)
    self.http1 = http1
    self.http2 = http2
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let (http1, http2) = (http1, http2)
    return channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(NIOSSLServerHandler(context: context))
      let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Connection> { result in
        switch result {
        case .negotiated("h2"): http2.setup(channel: channel, logger: logger).map { .http2($0) }
        case .negotiated("http/1.1"), .fallback: http1.setup(channel: channel, logger: logger).map { .http1($0) }
        // TLS negotiates only protocols that this side offers.
        case .negotiated: channel.eventLoop.makeFailedFuture(ChannelError.inappropriateOperationForState)
        }
      }
      try pipeline.addHandler(negotiation)
      let deadline = channel.eventLoop.scheduleTask(in: SecureChannel.timeout) { channel.close(promise: nil) }
      let negotiated = negotiation.protocolNegotiationResult
      negotiated.whenComplete { _ in deadline.cancel() }
      return Value(channel: channel, negotiated: negotiated)
    }
  }

  func handle(value: Value, logger: Logger) async {
    do {
      switch try await value.negotiated.get() {
      case .http1(let connection): await http1.handle(value: connection, logger: logger)
      case .http2(let connection): await http2.handle(value: connection, logger: logger)
      }
    } catch {
      logger.debug("a TLS handshake failed: \(error)")
    }
  }
}
