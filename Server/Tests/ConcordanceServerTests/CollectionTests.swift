@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

@Suite struct CollectionTests {
  @Test func aCollectionIsCreatedListedAndDeleted() async throws {
    let path = "/databases/test/collections"
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.put, "\(path)/blog.posts").status == 204)
      #expect(try await send(.get, path).text.contains("blog.posts"))
      #expect(try await send(.delete, "\(path)/blog.posts").status == 204)
      #expect(try await send(.delete, "\(path)/blog.posts").status == 404)
    }
  }

  @Test(arguments: ["full-text", "value", "pattern"])
  func anIndexIsCreatedListedAndDeleted(kind: String) async throws {
    let path = "\(TestServer.notes)/indexes"
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.put, "\(path)/new", #"{"kind":"\#(kind)","expressions":["text"]}"#).status == 204)
      #expect(try await send(.get, path).text.contains(#""name":"new","kind":"\#(kind)""#))
      #expect(try await send(.delete, "\(path)/new").status == 204)
      #expect(try await send(.delete, "\(path)/new").status == 404)
    }
  }

  @Test func theDefinitionOfAnIndexIsListed() async throws {
    let path = "\(TestServer.notes)/indexes"
    let definition =
      #"{"kind":"full-text","expressions":["text"],"language":"en","accents":"keep","code":true,"#
      + #""stopWords":"language","where":"price > 1"}"#
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      #expect(try await send(.put, "\(path)/a", definition).status == 204)
      #expect(try await send(.put, "\(path)/b", #"{"kind":"value","expressions":["price"]}"#).status == 204)
      let answer = try await send(.get, path)
      #expect(answer["indexes", "0", "expressions", "0"] == .string("text"), "\(answer.text)")
      #expect(answer["indexes", "0", "fields"] == answer["indexes", "0", "expressions"])
      for (key, value) in [("language", "en"), ("accents", "keep"), ("stopWords", "language")] {
        #expect(answer["indexes", "0", key] == .string(value), "\(answer.text)")
      }
      #expect(answer["indexes", "0", "code"] == .boolean(true) && answer["indexes", "0", "where"] != nil)
      #expect(answer["indexes", "1", "expressions", "0"] == .string("price"), "\(answer.text)")
      #expect(answer["indexes", "1", "language"] == nil && answer["indexes", "1", "where"] == nil)
    }
  }

  @Test func everyEndpointIsInTheOpenAPIDocument() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let document = try await send(.get, "/openapi.json")
      for endpoint in ConcordanceServer.endpoints {
        let operation = document["paths", endpoint.path, endpoint.method.rawValue.lowercased(), "operationId"]
        #expect(operation == .string(endpoint.operation))
      }
    }
  }

  @Test func metricsCountRequests() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.get, "/health")
      let text = try await send(.get, "/metrics").text
      #expect(text.contains(#"concord_http_requests_total{operation="health",status="200"} 1"#))
    }
  }
}
