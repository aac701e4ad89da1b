@testable import ConcordanceServer
import HTTPTypes
import Hummingbird
import NIOEmbedded
import Testing

@Suite struct ErrorMiddlewareTests {
  private struct Failure: Error {}

  private func response(_ error: any Error, _ messages: LogMessages) async throws -> Response {
    let logger = messages.makeLogger()
    let context = ServerContext(
      source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger))
    return try await ErrorMiddleware(logger: logger).handle(TestServer.request(.get, "/x"), context: context) { _, _ in
      throw error
    }
  }

  @Test func internalErrorsAreLogged() async throws {
    let messages = LogMessages()
    #expect(try await response(Failure(), messages).status == .internalServerError)
    #expect(messages.errors == ["request failed"])
  }

  @Test func errorsOfClientsAreNotLogged() async throws {
    let messages = LogMessages()
    #expect(try await response(HTTPError(.badRequest), messages).status == .badRequest)
    #expect(messages.errors.isEmpty)
  }
}
