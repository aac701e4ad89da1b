@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

/// Options that would have no effect are errors.
@Suite struct IgnoredOptionTests {
  @Test(arguments: [
    ("\(TestServer.notes)/search?q=tea&fields=", "fields"), ("\(TestServer.notes)/search?q=tea&fields=,", "fields"),
    ("\(TestServer.notes)/search?q=tea&facets=", "facets"), ("\(TestServer.notes)/grep?pattern=tea&files=", "files"),
    ("/databases/test/query?q=SELECT+1&format=csv&explain=true", "format"),
    ("\(TestServer.notes)/changes?timeout=3", "timeout"),
    ("\(TestServer.notes)/changes?feed=events&timeout=3", "timeout"),
    ("\(TestServer.notes)/changes?feed=events&limit=3", "limit"),
  ])
  func anOptionWithoutEffectIsNamed(path: String, parameter: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, path)
      #expect(answer.status == 400 && answer["code"] == .string("invalid_parameter"), "\(answer.text)")
      #expect(answer["parameter"] == .string(parameter), "\(answer.text)")
    }
  }

  @Test(arguments: [
    ("\(TestServer.notes)/search", #"{"q":"tea","like":"tea"}"#, "q"),
    ("\(TestServer.notes)/search", #"{"q":"tea","fields":[]}"#, "fields"),
    ("\(TestServer.notes)/search", #"{"q":"tea","facets":[]}"#, "facets"),
    ("\(TestServer.notes)/grep", #"{"pattern":"tea","files":[]}"#, "files"),
    ("/databases/test/query", #"{"query":"SELECT 1","format":"json","explain":true}"#, "format"),
    ("/databases/test/query", #"{"query":"SELECT 1","q":"SELECT 1"}"#, "q"), ("/databases/test/query", "{}", "q"),
  ])
  func aKeyWithoutEffectIsNamed(path: String, body: String, parameter: String) async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.post, path, body)
      #expect(answer.status == 400 && answer["code"] == .string("invalid_parameter"), "\(answer.text)")
      #expect(answer["parameter"] == .string(parameter), "\(answer.text)")
    }
  }

  @Test func theQueryInABodyHasTheNameOfTheParameter() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let body = #"{"q":"SELECT price FROM notes WHERE price > $p","parameters":{"p":3}}"#
      #expect(try await send(.post, "/databases/test/query", body)["rows", "0", "price"] == .int64(4))
    }
  }
}
