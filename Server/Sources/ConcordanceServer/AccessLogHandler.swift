import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Adds the requests of a connection, or of a stream of an HTTP/2 connection, to an ``AccessLog``: each when its
/// response has been written, or when the connection ends before.
///
/// It must be the handler next to the one that encodes the parts of responses, so that it sees the bytes that are sent.
final class AccessLogHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let log: AccessLog
  /// The requests whose responses have not ended, with their start. A client may send requests before it receives
  /// responses.
  private var requests = CircularBuffer<(logged: LoggedRequest, start: ContinuousClock.Instant)>()

  init(_ log: AccessLog) { self.log = log }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      requests.append((LoggedRequest(head, client: context.channel.remoteAddress?.ipAddress), .now))
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if !requests.isEmpty {
      let first = requests.startIndex
      switch unwrapOutboundIn(data) {
      // The answer to `Expect` is not the response.
      case .head(let head): if head.status.code >= 200 { requests[first].logged.status = head.status.code }
      case .body(let buffer): requests[first].logged.byteCount += buffer.readableBytes
      case .end: logFirst(isComplete: true)
      }
    }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    logRest()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { logRest() }

  private func logRest() {
    while !requests.isEmpty { logFirst(isComplete: false) }
  }

  private func logFirst(isComplete: Bool) {
    var (logged, start) = requests.removeFirst()
    logged.isComplete = isComplete
    logged.duration = start.duration(to: .now)
    log.add(logged)
  }
}

@available(*, unavailable)
extension AccessLogHandler: Sendable {}
