@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

/// Paths with empty components, and the ids that clients remove from paths.
@Suite struct PathTests {
  private let notes = TestServer.notes

  /// Clients send `…/documents/..` as `…/`.
  @Test func aPathWithAnEmptyComponentIsNotFound() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let requests: [(HTTPRequest.Method, String)] = [
        (.delete, "\(notes)/"), (.put, "\(notes)/"), (.put, "/databases/test/collections//documents"),
        (.get, "\(notes)/documents/"), (.post, "\(notes)/documents/"), (.patch, "\(notes)/documents//tea"),
        (.put, "\(notes)/documents/tea/"), (.delete, "\(notes)/indexes/search/"), (.get, "/health/"),
        // The path without the `/` does not have the method.
        (.delete, "\(notes)/documents/"), (.patch, "\(notes)/documents/"), (.post, "/health/"),
      ]
      for (method, path) in requests {
        let answer = try await send(method, path, method == .get || method == .delete ? nil : "{}")
        #expect(answer.status == 404 && answer["code"] == .string("not_found"), "\(method) \(path): \(answer.text)")
      }
      #expect(try await send(.head, "\(notes)/documents/").status == 404)
      #expect(try await send(.get, "\(notes)/documents").lines.count == 3)
      #expect(try await !send(.get, "/databases/test/collections").text.contains("documents\""))
      #expect(try await send(.get, "/").status == 200)
      #expect(try await send(.get, "/page/app.js").status == 200)
    }
  }

  @Test(arguments: [".", ".."]) func dotSegmentsAreNoIDs(id: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let put = try await send(.put, "\(notes)/documents/\(id.replacing(".", with: "%2E"))", "{}")
      #expect(put.status == 400 && put["code"] == .string("invalid_document_id"), "\(put.text)")
      let post = try await send(.post, "\(notes)/documents", #"{"_id":"\#(id)"}"#)
      #expect(post.status == 400 && post["code"] == .string("invalid_document_id"), "\(post.text)")
      let definition = #"{"kind":"value","expressions":["price"]}"#
      let index = try await send(.put, "\(notes)/indexes/\(id.replacing(".", with: "%2E"))", definition)
      #expect(index.status == 400 && index["parameter"] == .string("index"), "\(index.text)")
      #expect(try await send(.post, "\(notes)/bulk", #"{"_id":"\#(id)"}"#)["status"] == .int64(201))
    }
  }
}
