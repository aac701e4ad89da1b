@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

/// The bodies of requests that change documents.
@Suite struct PatchTests {
  private let documents = "\(TestServer.notes)/documents"
  /// Canonically equivalent texts.
  private let composed = "\u{E9}"
  private let decomposed = "e\u{301}"

  @Test func aPatchDistinguishesEquivalentKeys() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let both = "{\"\(composed)\":1,\"\(decomposed)\":2}"
      for (patch, result) in [
        ("{\"\(decomposed)\":null}", "{\"\(composed)\":1}"), ("{\"\(composed)\":null}", "{\"\(decomposed)\":2}"),
        ("{\"\(composed)\":3,\"\(decomposed)\":4}", "{\"\(composed)\":3,\"\(decomposed)\":4}"),
      ] {
        _ = try await send(.put, "\(documents)/a", both)
        #expect(try await send(.patch, "\(documents)/a", patch).status == 200)
        #expect(try await Array(send(.get, "\(documents)/a").text.utf8) == Array(result.utf8))
        _ = try await send(.put, "\(documents)/a", "{\"o\":\(both)}")
        #expect(try await send(.patch, "\(documents)/a", "{\"o\":\(patch)}").status == 200)
        #expect(try await Array(send(.get, "\(documents)/a").text.utf8) == Array("{\"o\":\(result)}".utf8))
      }
    }
  }

  @Test func anEquivalentIDIsAnotherID() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let path = "\(documents)/%C3%A9"
      #expect(try await send(.put, path, "{\"_id\":\"\(decomposed)\"}")["parameter"] == .string("_id"))
      #expect(try await send(.put, path, "{\"_id\":\"\(composed)\"}").status == 201)
      #expect(try await send(.patch, path, "{\"_id\":\"\(decomposed)\"}")["parameter"] == .string("_id"))
    }
  }

  @Test func parametersOfQueriesKeepEquivalentKeys() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let object = "{\"\(composed)\":1,\"\(decomposed)\":2}"
      let answer = try await send(
        .post, "/databases/test/query", "{\"query\":\"SELECT $o AS o\",\"parameters\":{\"o\":\(object)}}")
      guard case .object(let members)? = answer["rows", "0", "o"] else {
        return #expect(Bool(false), "\(answer.text)")
      }
      #expect(members.count == 2, "\(answer.text)")
    }
  }

  @Test func deletedIsNotAProperty() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let body = #"{"_deleted":true}"#
      let requests: [(HTTPRequest.Method, String)] = [
        (.put, "\(documents)/tea"), (.patch, "\(documents)/tea"), (.post, documents),
      ]
      for (method, path) in requests {
        let answer = try await send(method, path, body)
        #expect(answer.status == 400 && answer["parameter"] == .string("_deleted"), "\(answer.text)")
      }
      #expect(try await send(.patch, "\(documents)/tea", #"{"_deleted":null}"#).status == 200)
      // Only at the top level.
      #expect(try await send(.put, "\(documents)/tea", #"{"a":{"_deleted":true}}"#).status == 200)
    }
  }

  @Test func otherPatchTypesAreUnsupported() async throws {
    let name = try #require(HTTPField.Name("Accept-Patch"))
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      for type in ["application/json-patch+json", "text/html"] {
        let answer = try await send(.patch, "\(documents)/tea", "{}", headers: [.contentType: type])
        #expect(answer.status == 415 && answer["code"] == .string("unsupported_media_type"), "\(answer.text)")
        #expect(answer.headers[name] == "application/merge-patch+json")
      }
      for type in [
        "application/merge-patch+json", "application/json; charset=utf-8", "Application/JSON",
        "application/x-www-form-urlencoded", "text/plain;charset=UTF-8",
      ] {
        #expect(try await send(.patch, "\(documents)/tea", "{}", headers: [.contentType: type]).status == 200)
      }
    }
  }
}
