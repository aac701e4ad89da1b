@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

@Suite struct QueryTests {
  @Test func rowsHaveThreeFormats() async throws {
    let query = #"{"query":"SELECT META().id, price FROM notes WHERE price > $p ORDER BY price","parameters":{"p":1}"#
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      func text(_ format: String) async throws -> String {
        try await send(.post, "/databases/test/query", query + #","format":"\#(format)"}"#).text
      }
      #expect(try await text("csv") == "id,price\r\na/b.md,1.5\r\ntea,3\r\ncoffee,4\r\n")
      #expect(try await text("ndjson").hasSuffix("{\"id\":\"coffee\",\"price\":4}\n"))
      #expect(try await send(.post, "/databases/test/query", query + "}")["rows", "1", "id"] == .string("tea"))
    }
  }

  @Test func aRowOfNDJSONIsOneLine() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(TestServer.notes)/documents/lines", "{\"a\":\n{\r\n\"b\":1}}")
      let query = "SELECT+n.a+FROM+notes+AS+n+WHERE+n.a+IS+VALUED&format=ndjson"
      let answer = try await send(.get, "/databases/test/query?q=\(query)")
      #expect(answer.lines.map { $0["a", "b"] } == [.int64(1)], "\(answer.text)")
    }
  }

  @Test func jsonWithoutLineBreaksHasTheSameTokens() {
    let text = JSONLine.bytes(of: "{\n\"a\\nb\":\r\n[1]\t}".utf8)
    #expect(String(decoding: text, as: UTF8.self) == "{ \"a\\nb\":  [1]\t}")
  }

  @Test func anErrorHasItsPosition() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/databases/test/query?q=SELECT+FORM+notes+x+y")
      #expect(answer.status == 400)
      #expect(answer["position", "start"] != nil, "\(answer.text)")
    }
  }

  @Test func anUnsetParameterIsRefused() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/databases/test/query?q=SELECT+*+FROM+notes+WHERE+price+%3D+%24p")
      #expect(answer.status == 400)
      #expect(answer["code"] == .string("unset_parameter"))
    }
  }

  @Test func thePlanIsReturnedInsteadOfTheRows() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "/databases/test/query?q=SELECT+*+FROM+notes&explain=true")
      #expect(answer["steps", "0"] != nil, "\(answer.text)")
    }
  }
}
