@testable import ConcordanceServer
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

/// The answer to `Expect: 100-continue`.
@Suite struct ContinueTests {
  private let head = HTTPRequestPart.head(
    HTTPRequest(
      method: .put, scheme: "http", authority: "a", path: "/",
      headerFields: [.expect: "100-continue", .contentLength: "1"]))

  private func readBody(_ channel: EmbeddedChannel) {
    channel.pipeline.triggerUserOutboundEvent(ContinueHandler.BodyIsRead(), promise: nil)
  }

  private func statuses(_ channel: EmbeddedChannel) throws -> [Int] {
    var statuses: [Int] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
      if case .head(let head) = part { statuses.append(head.status.code) }
    }
    return statuses
  }

  @Test func aBodyIsRequestedWhenItIsRead() throws {
    let channel = EmbeddedChannel(handler: ContinueHandler())
    try channel.writeInbound(head)
    #expect(try statuses(channel).isEmpty)
    readBody(channel)
    #expect(try statuses(channel) == [100])
    readBody(channel)
    #expect(try statuses(channel).isEmpty)
    _ = try channel.finish()
  }

  @Test func theResponseInProgressIsNotInterrupted() throws {
    let channel = EmbeddedChannel(handler: ContinueHandler())
    try channel.writeInbound(head)
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    readBody(channel)
    try channel.writeInbound(head)
    readBody(channel)
    #expect(try statuses(channel) == [200])
    for _ in 0..<2 { try channel.writeOutbound(HTTPResponsePart.end(nil)) }
    try channel.writeInbound(head)
    readBody(channel)
    #expect(try statuses(channel) == [100])
    _ = try channel.finish()
  }
}
