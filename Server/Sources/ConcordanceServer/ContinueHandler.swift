import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue` (RFC 9110, section 10.1.1). curl sends this header with bodies of more than 1 MB, and
/// waits up to a second for the answer before it sends the body.
final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart

  /// The maximum size of a body in bytes. The response to a larger one is an error, which curl receives without sending
  /// the body.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data), head.headerFields[.expect]?.lowercased() == "100-continue",
      head.headerFields[.contentLength].flatMap({ Int($0) }) ?? 0 <= limit
    {
      context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
    context.fireChannelRead(data)
  }
}
