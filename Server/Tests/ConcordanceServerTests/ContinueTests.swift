@testable import ConcordanceServer
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

/// The answer to `Expect: 100-continue`.
@Suite struct ContinueTests {
  private func head(_ length: Int) -> HTTPRequestPart {
    .head(
      HTTPRequest(
        method: .put, scheme: "http", authority: "a", path: "/",
        headerFields: [.expect: "100-continue", .contentLength: "\(length)"]))
  }

  private func statuses(_ channel: EmbeddedChannel) throws -> [Int] {
    var statuses: [Int] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
      if case .head(let head) = part { statuses.append(head.status.code) }
    }
    return statuses
  }

  @Test func aBodyThatIsNotTooLargeIsRequested() throws {
    let channel = EmbeddedChannel(handler: ContinueHandler(limit: 100))
    try channel.writeInbound(head(100))
    #expect(try statuses(channel) == [100])
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    try channel.writeInbound(head(101))
    #expect(try statuses(channel).isEmpty)
    _ = try channel.finish()
  }

  @Test func theResponseInProgressIsNotInterrupted() throws {
    let channel = EmbeddedChannel(handler: ContinueHandler(limit: 100))
    try channel.writeInbound(head(1))
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    try channel.writeInbound(head(1))
    #expect(try statuses(channel) == [100, 200])
    for _ in 0..<2 { try channel.writeOutbound(HTTPResponsePart.end(nil)) }
    try channel.writeInbound(head(1))
    #expect(try statuses(channel) == [100])
    _ = try channel.finish()
  }
}
