@testable import ConcordanceServer
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

/// Connections and their requests.
@Suite struct FramingTests {
  private struct UnexpectedPart: Error {}

  private func head(
    _ method: HTTPMethod, _ uri: String, _ headers: [(String, String)] = []
  ) -> HTTPServerRequestPart {
    .head(HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: HTTPHeaders(headers)))
  }

  /// Returns the headers of a request as the server receives it.
  private func received(_ channel: EmbeddedChannel) throws -> HTTPHeaders {
    guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self) else {
      throw UnexpectedPart()
    }
    return head.headers
  }

  private func respond(_ channel: EmbeddedChannel) throws -> HTTPHeaders {
    try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
    try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    guard case .head(let head)? = try channel.readOutbound(as: HTTPServerResponsePart.self) else {
      throw UnexpectedPart()
    }
    return head.headers
  }

  @Test(
    arguments: [
      (.GET, "connection", "Close", true), (.GET, "connection", "TE, close", true), (.GET, "upgrade", "h2c", true),
      (.CONNECT, "accept", "*/*", true), (.GET, "connection", "keep-alive", false),
      (.POST, "transfer-encoding", "", true), (.POST, "transfer-encoding", "identity", true),
      (.POST, "transfer-encoding", "Chunked", false),
    ] as [(HTTPMethod, String, String, Bool)])
  func theResponseToTheLastRequestClosesTheConnection(
    method: HTTPMethod, name: String, value: String, isLast: Bool
  ) throws {
    let channel = EmbeddedChannel(handler: FramingHandler())
    try channel.writeInbound(head(method, "/", [(name, value)]))
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
    #expect(try (received(channel)["connection"] == ["close"]) == isLast)
    #expect(try respond(channel)["connection"] == (isLast ? ["close"] : []))
    _ = try channel.finish()
  }

  @Test func theTargetNamesTheHost() throws {
    let channel = EmbeddedChannel(handler: FramingHandler())
    for (target, host) in [("http://evil.example:80/a?b", "evil.example:80"), ("/a?b=http://c", "localhost")] {
      try channel.writeInbound(head(.GET, target, [("host", "localhost")]))
      #expect(try received(channel)["host"] == [host])
    }
    // A request without a host remains one.
    try channel.writeInbound(head(.GET, "http://evil.example/"))
    #expect(try !received(channel).contains(name: "host"))
    _ = try channel.finish()
  }

  /// Returns whether the connection is open 30 seconds after the response to a request.
  private func isOpen(endBefore: Bool, endAfter: Bool) throws -> Bool {
    let channel = EmbeddedChannel(handler: FramingHandler())
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.writeInbound(head(.PUT, "/"))
    if endBefore { try channel.writeInbound(HTTPServerRequestPart.end(nil)) }
    _ = try respond(channel)
    if endAfter { try channel.writeInbound(HTTPServerRequestPart.end(nil)) }
    channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    return channel.isActive
  }

  @Test func theRestOfABodyMustArriveSoon() throws {
    #expect(try isOpen(endBefore: true, endAfter: false))
    #expect(try isOpen(endBefore: false, endAfter: true))
    #expect(try !isOpen(endBefore: false, endAfter: false))
  }
}
