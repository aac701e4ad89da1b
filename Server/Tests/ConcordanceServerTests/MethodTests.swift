@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

@Suite struct MethodTests {
  @Test(arguments: [
    "/", "\(TestServer.notes)/documents/tea", "\(TestServer.notes)/documents", "/health",
    "/databases/test/query?q=SELECT+1",
  ])
  func headHasTheHeadersOfGetWithoutABody(path: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let (get, head) = (try await send(.get, path), try await send(.head, path))
      #expect(head.status == 200 && head.text.isEmpty)
      #expect(head.headers[.contentType] == get.headers[.contentType])
      #expect(head.headers[.eTag] == get.headers[.eTag])
      // A streamed body has no known length.
      #expect(head.headers[.contentLength] == get.headers[.contentLength])
      // The connection is still usable.
      #expect(try await send(.get, path).status == 200)
    }
  }

  @Test(arguments: ["/", "/openapi.json", "/databases/test/query?q=SELECT+1", "/nope"])
  func headHasTheHeadersOfACompressedBody(path: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let headers: HTTPFields = [.acceptEncoding: "gzip"]
      let (get, head) = (
        try await send(.get, path, headers: headers), try await send(.head, path, headers: headers)
      )
      #expect(head.status == get.status && head.text.isEmpty)
      for name in [HTTPField.Name.vary, .contentEncoding, .eTag, .contentLength, .contentType] {
        #expect(head.headers[name] == get.headers[name], "\(name)")
      }
      #expect(path == "/nope" || head.headers[.contentEncoding] == "gzip")
    }
  }

  @Test func headOfAMissingDocumentIs404() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.head, "\(TestServer.notes)/documents/none").status == 404)
    }
  }

  @Test(arguments: [
    ("/health", HTTPRequest.Method.post, "GET, HEAD", "this path does not support POST, only GET"),
    ("\(TestServer.notes)/bulk", .get, "POST", "this path does not support GET, only POST"),
    (
      "\(TestServer.notes)/indexes/a", .post, "PUT, DELETE", "this path does not support POST, only PUT and DELETE"
    ),
  ])
  func otherMethodsAreNotAllowed(path: String, method: HTTPRequest.Method, allow: String, detail: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(method, path)
      #expect(answer.status == 405)
      #expect(answer.headers[.allow] == allow)
      #expect(answer["detail"] == .string(detail))
    }
  }

  @Test func unknownPathsAreNamed() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/nope?x=1")
      #expect(answer.status == 404)
      #expect(answer["detail"] == .string("there is nothing at /nope; /openapi.json lists the paths"))
    }
  }
}
