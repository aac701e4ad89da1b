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
