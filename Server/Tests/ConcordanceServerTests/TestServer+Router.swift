@testable import ConcordanceServer
import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded

extension TestServer {
  /// Returns the response of the router to a request without a connection. Its body has not been produced yet.
  func response(
    _ method: HTTPRequest.Method, _ path: String, _ body: String, headers: HTTPFields = [:]
  ) async throws -> Response {
    try await TestServer.response(of: server.application(), to: TestServer.request(method, path, body, headers))
  }

  static func request(
    _ method: HTTPRequest.Method, _ path: String, _ body: String = "", _ headers: HTTPFields = [:]
  ) -> Request {
    Request(
      head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path, headerFields: headers),
      body: .init(buffer: ByteBuffer(string: body)))
  }

  private static func response<App: ApplicationProtocol>(
    of application: App, to request: Request
  ) async throws -> Response {
    let channel = NIOAsyncTestingChannel()
    // The server cancels the requests of closed connections.
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
    let source = ApplicationRequestContextSource(channel: channel, logger: application.logger)
    return try await application.responder.respond(to: request, context: App.Context(source: source))
  }
}
