import Logging
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The reason why a server refuses to open a WebSocket.
package enum HandshakeRefusal: Error, Sendable {
  case unknownPath
  case noProtocol([String])
  case malformed(String)
  /// - Parameter challenges: the methods of authentication, as values of `WWW-Authenticate`.
  case unauthorized(String, challenges: [String])
  case forbidden(String)
  case unavailable(String)
  case unsupported(String)
  /// The request does not ask for an upgrade to a WebSocket.
  case noUpgrade

  static let noPassword = HandshakeRefusal.unauthorized(
    "A user name and a password are required.", challenges: [BasicCredentials.challenge])

  var status: HTTPResponseStatus {
    switch self {
    case .unknownPath: .notFound
    case .noProtocol, .malformed: .badRequest
    case .unauthorized: .unauthorized
    case .forbidden: .forbidden
    case .unavailable: .serviceUnavailable
    case .unsupported: .notImplemented
    case .noUpgrade: .upgradeRequired
    }
  }

  var message: String {
    switch self {
    case .unknownPath: "There is no such database."
    case .noProtocol(let names): "The WebSocket subprotocol must be \(names.joined(separator: " or "))."
    case .malformed(let message), .unauthorized(let message, _), .forbidden(let message), .unavailable(let message),
      .unsupported(let message):
      message
    case .noUpgrade: "This address only accepts replication over WebSockets."
    }
  }
}

/// The last handler in the pipeline until the handshake is complete. It sends the responses to refused requests.
final class HandshakeResponder: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// Whether a request is being checked. Nothing more is read until the check is complete, so that a client cannot
  /// exhaust memory in the meantime.
  var isDeciding = false
  var refusal = HandshakeRefusal.noUpgrade
  /// Handles the connection after the handshake; nil until the request has been accepted.
  var acceptance: WebSocketAcceptor.Acceptance?
  private(set) var isInPipeline = false
  private var hasResponded = false
  private let logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  func handlerAdded(context: ChannelHandlerContext) { isInPipeline = true }

  func handlerRemoved(context: ChannelHandlerContext) { isInPipeline = false }

  func read(context: ChannelHandlerContext) { if !isDeciding { context.read() } }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head = unwrapInboundIn(data), !hasResponded else { return }
    hasResponded = true
    let body = context.channel.allocator.buffer(string: refusal.message + "\n")
    var headers = HTTPHeaders([
      ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", "\(body.readableBytes)"),
      ("Connection", "close"), ("Server", "Concordance"),
    ])
    if case .unauthorized(_, let challenges) = refusal {
      for challenge in challenges { headers.add(name: "WWW-Authenticate", value: challenge) }
    }
    if case .noUpgrade = refusal { headers.add(name: "Upgrade", value: "websocket") }
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers))),
      promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed {
      return context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The upgrade handler reports a refusal as an error and then passes the request to this handler.
    if error is NIOWebSocketUpgradeError { return }
    logger.debug("a connection failed: \(error)")
    context.close(promise: nil)
  }
}
