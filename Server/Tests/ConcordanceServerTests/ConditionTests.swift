@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

/// Conditional requests for blobs and for missing documents.
@Suite struct ConditionTests {
  private let documents = "\(TestServer.notes)/documents"

  @Test func aMissingDocumentHasNoETag() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      for tag in ["\"1\"", "*"] {
        #expect(try await send(.patch, "\(documents)/none", "{}", headers: [.ifMatch: tag]).status == 412)
        #expect(try await send(.delete, "\(documents)/none", headers: [.ifMatch: tag]).status == 412)
        #expect(try await send(.put, "\(documents)/none/blobs/b", "x", headers: [.ifMatch: tag]).status == 412)
      }
      #expect(try await send(.delete, "\(documents)/none").status == 404)
      #expect(try await send(.patch, "\(documents)/none", "{}").status == 404)
    }
  }

  @Test func aBlobIsStoredOnlyIfItIsAbsent() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let blob = "\(documents)/tea/blobs/picture"
      #expect(try await send(.put, blob, "1", headers: [.ifMatch: "*"]).status == 412)
      #expect(try await send(.put, blob, "1", headers: [.ifNoneMatch: "*"]).status == 201)
      #expect(try await send(.put, blob, "2", headers: [.ifNoneMatch: "*"]).status == 412)
      #expect(try await send(.put, "\(documents)/tea/blobs/other", "1", headers: [.ifNoneMatch: "*"]).status == 201)
      #expect(try await send(.get, blob).text == "1")
    }
  }

  @Test func theETagOfABlobOrItsDocumentIsMatched() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let blob = "\(documents)/tea/blobs/picture"
      let first = try #require(try await send(.put, blob, "1").headers[.eTag])
      #expect(try await send(.put, blob, "1", headers: [.ifNoneMatch: first]).status == 412)
      let second = try #require(try await send(.put, blob, "2", headers: [.ifMatch: first]).headers[.eTag])
      #expect(try await send(.put, blob, "3", headers: [.ifMatch: first]).status == 412)
      #expect(try await send(.get, blob).headers[.eTag] == second)
      let document = try #require(try await send(.get, "\(documents)/tea").headers[.eTag])
      #expect(try await send(.put, blob, "3", headers: [.ifMatch: document]).status == 200)
      #expect(try await send(.put, blob, "4", headers: [.ifMatch: document]).status == 412)
    }
  }

  @Test func aTypeWithParametersIsShown() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let blob = "\(documents)/tea/blobs/text"
      for (type, disposition) in [
        ("text/plain; charset=utf-8", "inline"), ("Image/PNG", "inline"), ("text/plain;x=,text/html", "attachment"),
        ("text/html; charset=utf-8", "attachment"),
      ] {
        _ = try await send(.put, blob, "x", headers: [.contentType: type])
        #expect(try await send(.get, blob).headers[.contentDisposition] == disposition, "\(type)")
      }
    }
  }
}
