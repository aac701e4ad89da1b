import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Adds a problem document to the response to bytes that are not an HTTP request. Hummingbird sends such a response
/// without a body, and closes the connection.
final class ParserErrorHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The maximum size in KiB of the request line and the headers, which is the default of Hummingbird's decoder.
  private static let maximumSize = 80

  /// The problem to send; nil if the parser has found no error, or after the problem was sent.
  private var problem: Problem?

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? HTTPParserError { problem = ParserErrorHandler.problem(error) }
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard let problem, case .head(let head) = unwrapOutboundIn(data), ParserErrorHandler.isEmptyError(head) else {
      return context.write(data, promise: promise)
    }
    self.problem = nil
    let body = ByteBuffer(bytes: problem.json)
    var headers = head.headerFields
    headers[.contentType] = "application/problem+json"
    headers[.contentLength] = String(body.readableBytes)
    headers[.xContentTypeOptions] = "nosniff"
    context.write(
      wrapOutboundOut(.head(HTTPResponse(status: problem.status, headerFields: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(body)), promise: promise)
  }

  /// Returns whether a response is Hummingbird's to malformed bytes. Responses to earlier requests may follow the
  /// error.
  private static func isEmptyError(_ head: HTTPResponse) -> Bool {
    head.status == .badRequest && head.headerFields[.contentLength] == "0" && head.headerFields[.connection] == "close"
  }

  private static func problem(_ error: HTTPParserError) -> Problem {
    // The parser does not report whether the request line or a header exceeds its limit.
    guard case .headerOverflow = error else {
      return Problem(.badRequest, "malformed_request", "the request is not valid HTTP: \(error.debugDescription)")
    }
    return Problem(
      .requestHeaderFieldsTooLarge, "headers_too_large",
      "the path and the headers have more than \(maximumSize) KiB, or there are more than 1000 headers; send long "
        + "queries in the body of a POST request")
  }
}

@available(*, unavailable)
extension ParserErrorHandler: Sendable {}
