import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Frames the responses on HTTP/1 connections. SwiftNIO's encoder does not see the requests, and would frame a body of
/// unknown length as chunks.
///
/// - An HTTP/1.0 client receives the body without chunked encoding; it ends when the connection is closed (RFC 9112,
///   section 6.3).
/// - The response to HEAD ends after its headers, which are those of GET.
/// - The connection is closed after a response to a request that asks for it, with `Connection: close` in the response,
///   and after a request with `Upgrade` or the method CONNECT, because SwiftNIO's decoder reads no requests after it.
/// - The connection is closed after a request whose body has an unknown length.
/// - The connection is closed if the client takes more than 30 seconds to send the rest of a body after the response.
/// - The host of a target in absolute form replaces that of the `Host` line (RFC 9112, section 3.2.2).
final class FramingHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private struct Request {
    let isOld: Bool
    let isHead: Bool
    /// Whether the connection is closed after the response.
    let isLast: Bool
    /// Whether the whole body was received.
    var isComplete = false
  }

  /// The time for the rest of a body whose request was answered before its end. The rest is read, because many clients
  /// read the response after they have sent the body.
  private static let timeForRest = TimeAmount.seconds(30)

  /// The requests whose responses have not ended. A client may send requests before it receives responses.
  private var requests = CircularBuffer<Request>()
  /// Closes the connection if the rest of a body does not arrive.
  private var alarm: Scheduled<Void>?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): context.fireChannelRead(wrapInboundOut(.head(adding(head))))
    case .body: context.fireChannelRead(data)
    case .end:
      // A request that is not in the list was answered before its end.
      if var request = requests.popLast() {
        request.isComplete = true
        requests.append(request)
      }
      alarm?.cancel()
      alarm = nil
      context.fireChannelRead(data)
    }
  }

  /// Adds a request to the list. Returns its head as the server processes it.
  private func adding(_ received: HTTPRequestHead) -> HTTPRequestHead {
    var head = received
    let isOld = head.version.major < 1 || head.version.major == 1 && head.version.minor < 1
    let isLast =
      isOld || head.method == .CONNECT || head.headers.contains(name: "upgrade")
      || FramingHandler.hasUnknownLength(head)
      || head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
    requests.append(Request(isOld: isOld, isHead: head.method == .HEAD, isLast: isLast))
    // The server closes the connection after the response to a request with exactly this header.
    if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
    if isOld {
      head.headers.remove(name: "expect")
      // Only HTTP/1.1 requires a host (RFC 9112, section 3.2).
      if !head.headers.contains(name: "host") { head.headers.add(name: "host", value: "") }
    }
    // A request with several hosts, or without one, is refused later.
    if let host = FramingHandler.host(ofTarget: head.uri), head.headers["host"].count == 1 {
      head.headers.replaceOrAdd(name: "host", value: host)
    }
    return head
  }

  /// Whether the end of the body is unknown, because the request has a transfer coding other than `chunked`. The bytes after
  /// the head could be the body or the next request (RFC 9112, section 6.3).
  private static func hasUnknownLength(_ head: HTTPRequestHead) -> Bool {
    head.headers["transfer-encoding"].contains { !RequestBody.isSupported(transferCoding: $0) }
  }

  /// Returns the host and port of a request's target in absolute form; nil if it has another form.
  private static func host(ofTarget target: String) -> String? {
    guard !target.hasPrefix("/"), let separator = target.firstRange(of: "://") else { return nil }
    return String(target[separator.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head):
      // The answer to `Expect` is not the response.
      guard let request = requests.first, request.isLast, head.status.code >= 200 else {
        return context.write(data, promise: promise)
      }
      if request.isOld { head.version = .http1_0 }
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body: context.write(data, promise: promise)
    case .end:
      let request = requests.popFirst()
      if let request, !request.isComplete { closeLater(context) }
      guard request?.isHead == true else { return context.write(data, promise: promise) }
      // The encoder would write the end of a chunked body. An empty part writes nothing.
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: promise)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    alarm?.cancel()
    alarm = nil
  }

  private func closeLater(_ context: ChannelHandlerContext) {
    let channel = context.channel
    alarm?.cancel()
    alarm = context.eventLoop.scheduleTask(in: FramingHandler.timeForRest) { channel.close(promise: nil) }
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
