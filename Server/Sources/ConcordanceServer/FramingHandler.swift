import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Frames the responses to HTTP/1.0 clients and to HEAD requests. SwiftNIO's encoder does not see the requests, and would
/// frame a body of unknown length as chunks.
///
/// - An HTTP/1.0 client receives the body without chunked encoding; it ends when the connection is closed (RFC 9112,
///   section 6.3).
/// - The response to HEAD ends after its headers, which are those of GET.
final class FramingHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private struct Request {
    let isOld: Bool
    let isHead: Bool
  }

  /// The requests whose responses have not ended. A client may send requests before it receives responses.
  private var requests = CircularBuffer<Request>()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    let isOld = head.version.major < 1 || head.version.major == 1 && head.version.minor < 1
    requests.append(Request(isOld: isOld, isHead: head.method == .HEAD))
    if isOld {
      // The server closes the connection after the response to a request with this header.
      head.headers.replaceOrAdd(name: "connection", value: "close")
      head.headers.remove(name: "expect")
      // Only HTTP/1.1 requires a host (RFC 9112, section 3.2).
      if !head.headers.contains(name: "host") { head.headers.add(name: "host", value: "") }
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where requests.first?.isOld == true:
      head.version = .http1_0
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      guard requests.popFirst()?.isHead == true else { return context.write(data, promise: promise) }
      // The encoder would write the end of a chunked body. An empty part writes nothing.
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: promise)
    default: context.write(data, promise: promise)
    }
  }

  /// Adds the handler to HTTP/1 connections, before the handler that converts requests to types without a version.
  final class Installer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Never

    func handlerAdded(context: ChannelHandlerContext) {
      let pipeline = context.pipeline.syncOperations
      // A stream of an HTTP/2 connection has another converter.
      guard let converter = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
      do {
        try pipeline.addHandler(FramingHandler(), position: .before(converter))
      } catch {
        context.fireErrorCaught(error)
      }
    }
  }
}

@available(*, unavailable)
extension FramingHandler: Sendable {}
