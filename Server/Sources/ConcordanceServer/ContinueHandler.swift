import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue` (RFC 9110, section 10.1.1) when the server begins to read the body. A request that is
/// refused, for example without a token or because its body is too large, receives the error without sending the body.
/// curl sends this header with bodies of more than 1 MB, and waits up to a second for the answer before it sends the
/// body.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// An outbound event: the server reads the body of the current request.
  struct BodyIsRead: Sendable {}

  /// Whether the client of the current request waits for the answer.
  private var isExpected = false
  /// The number of requests whose responses have not ended. A client may send requests before it receives responses.
  private var requestCount = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      // The answer would be a part of the response in progress. Without it, the client sends the body a little later.
      if requestCount == 0 { isExpected = head.headerFields[.expect]?.lowercased() == "100-continue" }
      requestCount += 1
    }
    context.fireChannelRead(data)
  }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard event is BodyIsRead else { return context.triggerUserOutboundEvent(event, promise: promise) }
    if isExpected {
      isExpected = false
      context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
    promise?.succeed(())
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    isExpected = false
    if case .end = unwrapOutboundIn(data) { requestCount -= 1 }
    context.write(data, promise: promise)
  }
}

@available(*, unavailable)
extension ContinueHandler: Sendable {}
