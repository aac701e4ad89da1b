import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue` (RFC 9110, section 10.1.1). curl sends this header with bodies of more than 1 MB, and
/// waits up to a second for the answer before it sends the body.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The maximum size of a body in bytes. The response to a larger one is an error, which curl receives without sending
  /// the body.
  private let limit: Int
  /// The number of requests whose responses have not ended. A client may send requests before it receives responses.
  private var requestCount = 0

  init(limit: Int) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      // The answer would be a part of the response in progress. Without it, the client sends the body a little later.
      if requestCount == 0, expectsAnswer(head) {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
      }
      requestCount += 1
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { requestCount -= 1 }
    context.write(data, promise: promise)
  }

  private func expectsAnswer(_ head: HTTPRequest) -> Bool {
    head.headerFields[.expect]?.lowercased() == "100-continue"
      && head.headerFields[.contentLength].flatMap { Int($0) } ?? 0 <= limit
  }
}

@available(*, unavailable)
extension ContinueHandler: Sendable {}
