@testable import ConcordanceServer
import HTTPTypes
import JSONText
import Testing

/// Grep requests with a body, and lines that are cut.
@Suite struct GrepBodyTests {
  private let notes = TestServer.notes

  @Test func idsInABodyMayContainCommas() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(notes)/documents/a%2Cb", #"{"text":"needle"}"#)
      _ = try await send(.put, "\(notes)/documents/b", #"{"text":"needle"}"#)
      let answer = try await send(.post, "\(notes)/grep", #"{"pattern":"need","files":["a,b"],"maxCount":5}"#)
      let found = answer.lines.filter { $0["type"] == .string("begin") }.map { $0["data", "path", "text"] }
      #expect(found == [.string("a,b")], "\(answer.text)")
    }
  }

  @Test func aBodyHasTheOptionsOfTheQueryString() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      func types(_ answer: Answer) -> [JSONValue?] { answer.lines.map { $0["type"] } }
      let get = try await send(.get, "\(notes)/grep?pattern=TEA&case=insensitive&word=true&limit=1&order=id")
      let post = try await send(
        .post, "\(notes)/grep", #"{"pattern":"TEA","case":"insensitive","word":true,"limit":1,"order":"id"}"#)
      #expect(types(get) == types(post) && types(get).contains(.string("match")), "\(post.text)")
      for (body, parameter) in [
        ("{}", "pattern"), (#"{"pattern":"a","before":101}"#, "before"), (#"{"pattern":"a","fils":["a"]}"#, "fils"),
        (#"{"pattern":"a","maxColumns":0}"#, "maxColumns"),
      ] {
        let refused = try await send(.post, "\(notes)/grep", body)
        #expect(refused.status == 400 && refused["parameter"] == .string(parameter), "\(refused.text)")
      }
    }
  }

  @Test func linesAreCutBetweenCharacters() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(notes)/documents/long", "{\"text\":\"ab\u{E9} tea tea\\nshort\"}")
      let path = "\(notes)/grep?pattern=tea&files=long"
      let cut = try await send(.get, "\(path)&maxColumns=3").lines[1]
      #expect(cut["data", "lines", "text"] == .string("ab") && cut["data", "lines_truncated"] == .boolean(true))
      #expect(cut["data", "submatches", "0"] == nil && cut["data", "submatches_truncated"] == .boolean(true))
      let part = try await send(.get, "\(path)&maxColumns=9").lines[1]
      #expect(part["data", "submatches", "0", "match", "text"] == .string("tea"), "\(part.text)")
      #expect(part["data", "submatches", "1"] == nil && part["data", "lines_truncated"] == .boolean(true))
      // The line break does not count.
      let whole = try await send(.get, "\(path)&maxColumns=12").lines[1]
      #expect(whole["data", "lines_truncated"] == nil && whole["data", "submatches", "1"] != nil, "\(whole.text)")
    }
  }
}
