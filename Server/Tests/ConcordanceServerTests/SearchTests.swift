import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

@Suite struct SearchTests {
  private let notes = TestServer.notes

  @Test func aSearchReturnsHitsWithSnippetsAndDocuments() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?q=green+tea")
      #expect(answer.status == 200)
      #expect(answer["hits", "0", "id"] == .string("tea"))
      #expect(answer["hits", "0", "snippets", "0", "matches", "0", "start"] == .int64(0))
      #expect(answer["hits", "0", "document", "price"] == .int64(3))
      #expect(answer["totalHits"] == .int64(1))
    }
  }

  @Test func aBodyHasFilterFacetsAndParameters() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(
        .post, "\(notes)/search",
        #"{"q":"*","filter":"price > $least","parameters":{"least":2},"facets":["kind"],"sort":"price DESC"}"#)
      #expect(answer["hits", "0", "id"] == .string("coffee"))
      #expect(answer["facets", "0", "values", "0", "count"] == .int64(2))
    }
  }

  @Test func anErrorInAFilterHasItsPosition() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?q=tea&filter=price+%3E%3E+2")
      #expect(answer.status == 400)
      #expect(answer.headers[.contentType] == "application/problem+json")
      #expect(answer["code"] == .string("invalid_query"))
      #expect(answer["position", "start"] != nil, "\(answer.text)")
    }
  }

  @Test(arguments: ["limit=-1", "limit=x", "limit=1001", "limt=3", "q=a&q=b", "relax=yes", "q=%ff"])
  func anInvalidParameterIsRefused(query: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/search?\(query)")
      #expect(answer.status == 400)
      #expect(answer["code"] == .string("invalid_parameter"))
    }
  }

  @Test func suggestionsCompleteAWord() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/suggest?q=ste")
      #expect(answer["suggestions", "0", "text"] == .string("steeping"))
    }
  }

  @Test func anUnknownCollectionIsNotFound() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.get, "/databases/test/collections/none/search?q=a").status == 404)
      #expect(try await send(.get, "/databases/none/collections/notes/search?q=a").status == 404)
      #expect(try await send(.get, "/nothing").headers[.contentType] == "application/problem+json")
    }
  }
}
