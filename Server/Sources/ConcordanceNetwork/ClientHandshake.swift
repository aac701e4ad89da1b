import Concordance
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS
import Replication

/// Sends the handshake request and reports responses that reject it.
final class ClientHandshake: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let head: HTTPRequestHead
  private let options: EndpointConnectionOptions
  private let attempt: ConnectionAttempt

  init(_ head: HTTPRequestHead, _ options: EndpointConnectionOptions, _ attempt: ConnectionAttempt) {
    self.head = head
    self.options = options
    self.attempt = attempt
  }

  func channelActive(context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let attempt = attempt
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenFailure { attempt.fail($0) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let response) = unwrapInboundIn(data) else { return }
    if response.status == .ok || response.status == .switchingProtocols {
      attempt.fail(NetworkError.noProtocol(attempt.peer))
    } else {
      attempt.fail(NetworkError.rejected(response.status, attempt.peer))
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event,
      let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self),
      let bytes = try? handler.peerCertificate?.toDERBytes()
    {
      options.didReceive(.serverCertificate(Data(bytes)))
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The server responded with status 101, but its Sec-WebSocket-Accept header is wrong.
    if error as? NIOHTTPClientUpgradeError == .upgraderDeniedUpgrade {
      attempt.fail(NetworkError.noProtocol(attempt.peer))
    }
    attempt.fail(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    // A server that requires TLS does this with a request that is not encrypted.
    let advice = attempt.peer.hasPrefix("ws://") ? "; if it requires TLS, use wss:// in the URL" : ""
    attempt.fail(
      ReplicationTransportError(
        code: 11_006, message: "\(attempt.peer) closed the connection during the handshake\(advice)"))
    context.fireChannelInactive()
  }
}
