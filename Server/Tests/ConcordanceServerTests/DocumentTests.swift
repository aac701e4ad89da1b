import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

@Suite struct DocumentTests {
  private let documents = "\(TestServer.notes)/documents"

  @Test func aDocumentIsReadByItsPercentEncodedID() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(documents)/a%2Fb.md")
      #expect(answer.status == 200)
      #expect(answer.text.contains("1.50"))
      #expect(answer.headers[.xContentTypeOptions] == "nosniff")
      #expect(answer.headers[.contentType] == "application/json")
    }
  }

  @Test func anUnchangedDocumentIsNotSentAgain() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let tag = try #require(try await send(.get, "\(documents)/tea").headers[.eTag])
      let answer = try await send(.get, "\(documents)/tea", headers: [.ifNoneMatch: tag])
      #expect(answer.status == 304)
      #expect(answer.text.isEmpty)
    }
  }

  @Test func aPutCreatesAndReplaces() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.put, "\(documents)/new", #"{"a":1}"#).status == 201)
      #expect(try await send(.put, "\(documents)/new", #"{"b":2}"#).status == 200)
      #expect(try await send(.get, "\(documents)/new").text == #"{"b":2}"#)
    }
  }

  @Test func theIDInTheBodyIsNotAProperty() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.put, "\(documents)/new", #"{"_id":"new","a":1}"#).status == 201)
      #expect(try await send(.patch, "\(documents)/new", #"{"_id":"new","b":2}"#).status == 200)
      #expect(try await send(.get, "\(documents)/new").text == #"{"a":1,"b":2}"#)
      let other = try await send(.put, "\(documents)/new", #"{"_id":"other"}"#)
      #expect(other.status == 400)
      #expect(other["parameter"] == .string("_id"))
      #expect(try await send(.patch, "\(documents)/new", #"{"_id":null}"#).status == 400)
    }
  }

  @Test func aPostUsesTheIDInTheBody() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.post, documents, #"{"_id":"new","a":1}"#)
      #expect(answer.status == 201)
      #expect(answer["id"] == .string("new"))
      #expect(try await send(.get, "\(documents)/new").text == #"{"a":1}"#)
      #expect(try await send(.post, documents, #"{"_id":"new"}"#).status == 409)
      #expect(try await send(.post, documents, #"{"_id":1}"#).status == 400)
    }
  }

  @Test func theLastOfEqualKeysOfAPatchCounts() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let patch = #"{"price":null,"price":5,"o":{"x":1},"o":{"y":{"a":1},"y":{"b":2}}}"#
      #expect(try await send(.patch, "\(documents)/tea", patch).status == 200)
      let answer = try await send(.get, "\(documents)/tea")
      #expect(answer["price"] == .int64(5))
      #expect(answer["o"] == .object([JSONMember("y", .object([JSONMember("b", .int64(2))]))]))
    }
  }

  @Test(arguments: [
    ("{\"a\":1 \"b\":2}", "the body is not valid JSON: "), ("[1]", "the body is an array; send an object"),
    ("", "the body is not valid JSON: the text is empty"),
  ])
  func malformedBodiesAreDescribedOnce(body: String, message: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      for (method, path) in [
        (HTTPRequest.Method.put, "\(documents)/x"), (.patch, "\(documents)/tea"), (.post, documents),
      ] {
        let answer = try await send(method, path, body)
        #expect(answer.status == 400)
        guard case .string(let detail)? = answer["detail"] else { return #expect(Bool(false), "\(answer.text)") }
        #expect(detail.hasPrefix(message) && detail.ranges(of: "JSON").count <= 1, "\(detail)")
        if body.hasPrefix("{") { #expect(answer["position", "start"] != nil, "\(answer.text)") }
      }
    }
  }

  @Test func anOldETagIsAConflict() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let tag = try #require(try await send(.get, "\(documents)/tea").headers[.eTag])
      #expect(try await send(.put, "\(documents)/tea", #"{"a":1}"#, headers: [.ifMatch: tag]).status == 200)
      #expect(try await send(.put, "\(documents)/tea", #"{"a":2}"#, headers: [.ifMatch: tag]).status == 412)
      #expect(try await send(.delete, "\(documents)/tea", headers: [.ifMatch: tag]).status == 412)
      #expect(try await send(.get, "\(documents)/tea").text == #"{"a":1}"#)
    }
  }

  @Test func aDocumentIsCreatedOnlyIfItIsAbsent() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.put, "\(documents)/tea", "{}", headers: [.ifNoneMatch: "*"]).status == 412)
      #expect(try await send(.put, "\(documents)/new", "{}", headers: [.ifNoneMatch: "*"]).status == 201)
    }
  }

  @Test func aMergePatchRemovesNullsAndKeepsOtherText() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(documents)/p", #"{"n":1.50,"a":{"b":1,"c":2},"x":3}"#)
      let answer = try await send(.patch, "\(documents)/p", #"{"a":{"b":null,"d":4},"x":null,"y":[null]}"#)
      #expect(answer.status == 200)
      #expect(try await send(.get, "\(documents)/p").text == #"{"n":1.50,"a":{"c":2,"d":4},"y":[null]}"#)
    }
  }

  @Test func aDeletedDocumentIsNotFound() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.delete, "\(documents)/tea").status == 204)
      #expect(try await send(.get, "\(documents)/tea").status == 404)
      #expect(try await send(.delete, "\(documents)/tea").status == 404)
    }
  }

  @Test func invalidJSONHasItsPosition() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.put, "\(documents)/bad", #"{"a":}"#)
      #expect(answer.status == 400)
      #expect(answer["code"] == .string("invalid_json"))
      #expect(answer["position", "start"] != nil, "\(answer.text)")
    }
  }

  @Test func anInvalidIDIsRefused() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.put, "\(documents)/_x", "{}").status == 400)
    }
  }
}
