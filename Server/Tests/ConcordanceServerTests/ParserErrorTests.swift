@testable import ConcordanceServer
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

/// The response to bytes that are not an HTTP request.
@Suite struct ParserErrorTests {
  /// What Hummingbird sends after an error of the parser.
  private let empty = HTTPResponse(status: .badRequest, headerFields: [.connection: "close", .contentLength: "0"])

  private func response(_ channel: EmbeddedChannel) throws -> (head: HTTPResponse?, body: String) {
    var (head, body) = (HTTPResponse?.none, "")
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
      switch part {
      case .head(let first): head = first
      case .body(let bytes): body += String(buffer: bytes)
      case .end: break
      }
    }
    return (head, body)
  }

  @Test(arguments: [
    (HTTPParserError.headerOverflow, 431, "headers_too_large"), (.invalidMethod, 400, "malformed_request"),
  ])
  func theErrorIsAProblem(error: HTTPParserError, status: Int, code: String) throws {
    let channel = EmbeddedChannel(handler: ParserErrorHandler())
    channel.pipeline.fireErrorCaught(error)
    #expect(throws: HTTPParserError.self) { try channel.throwIfErrorCaught() }
    // A response to an earlier request follows unchanged.
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    #expect(try response(channel).head?.status == .ok)
    try channel.writeOutbound(HTTPResponsePart.head(empty))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    let (head, body) = try response(channel)
    #expect(head?.status.code == status && head?.headerFields[.connection] == "close")
    #expect(head?.headerFields[.contentType] == "application/problem+json")
    #expect(head?.headerFields[.contentLength] == "\(body.utf8.count)")
    #expect(body.contains("\"code\":\"\(code)\""), "\(body)")
    _ = try channel.finish()
  }

  @Test func otherResponsesAreUnchanged() throws {
    let channel = EmbeddedChannel(handler: ParserErrorHandler())
    try channel.writeOutbound(HTTPResponsePart.head(empty))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    let (head, body) = try response(channel)
    #expect(head == empty && body.isEmpty)
    _ = try channel.finish()
  }
}
