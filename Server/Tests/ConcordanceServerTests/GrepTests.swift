import Concordance
@testable import ConcordanceServer
import Foundation
import HTTPTypes
import JSONText
import Testing

@Suite struct GrepTests {
  private let notes = TestServer.notes

  @Test func grepStreamsTheMessagesOfRipgrep() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/grep?pattern=tea&word=true")
      #expect(answer.headers[.contentType] == "application/x-ndjson")
      #expect(answer.lines.map { $0["type"] } == ["begin", "match", "end", "summary"].map { .string($0) })
      #expect(answer.lines[0]["data", "path", "text"] == .string("tea"))
      #expect(answer.lines[1]["data", "submatches", "0", "start"] == .int64(6))
      #expect(answer.lines[1]["data", "line_number"] == .int64(1))
      #expect(answer.lines[3]["data", "stats", "matched_lines"] == .int64(1))
    }
  }

  @Test func aMessageHasALimitedNumberOfSubmatches() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(notes)/documents/lines", #"{"text":"\#(String(repeating: "a", count: 5000))"}"#)
      let answer = try await send(.get, "\(notes)/grep?pattern=a&files=lines")
      #expect(
        answer.lines[1]["data", "submatches", "999"] != nil && answer.lines[1]["data", "submatches", "1000"] == nil)
      #expect(answer.lines[1]["data", "submatches_truncated"] == .boolean(true))
      #expect(answer.lines[2]["data", "stats", "matches"] == .int64(5000))
      let short = try await send(.get, "\(notes)/grep?pattern=aaaaa&files=lines")
      #expect(short.lines[1]["data", "submatches", "999"] != nil)
      #expect(short.lines[1]["data", "submatches_truncated"] == nil)
    }
  }

  @Test func statisticsCountLines() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(notes)/documents/lines", #"{"text":"one\ntwo\nthree\n"}"#)
      let inverted = try await send(.get, "\(notes)/grep?pattern=two&invert=true&files=lines")
      let statistics = try #require(inverted.lines.dropLast().last)
      #expect(statistics["data", "stats", "searches_with_match"] == .int64(1))
      #expect(statistics["data", "stats", "matched_lines"] == .int64(2))
      #expect(statistics["data", "stats", "matches"] == .int64(0))
      let multiline = try await send(.get, "\(notes)/grep?pattern=one%5Cntwo&multiline=true&files=lines")
      #expect(multiline.lines.map { $0["type"] } == ["begin", "match", "end", "summary"].map { .string($0) })
      #expect(multiline.lines[2]["data", "stats", "matched_lines"] == .int64(2))
      #expect(multiline.lines[2]["data", "stats", "matches"] == .int64(1))
      #expect(multiline.lines[3]["data", "stats", "matched_lines"] == .int64(2))
    }
  }

  @Test func aDocumentThatTakesTooMuchWorkDoesNotEndTheSearch() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let text = String(repeating: "a", count: 2000)
      _ = try await send(.put, "\(notes)/documents/costly", #"{"text":"\#(text)"}"#)
      _ = try await send(.put, "\(notes)/documents/plain", #"{"text":"abAb"}"#)
      let pattern = "%5E((%5Ba-z%5D)%2B.)%2B%5BA-Z%5D(%5Ba-z%5D)%2B%24"
      let answer = try await send(.get, "\(notes)/grep?pattern=\(pattern)&order=id&files=costly,plain")
      #expect(answer.lines.map { $0["type"] } == ["error", "begin", "match", "end", "summary"].map { .string($0) })
      #expect(answer.lines[0]["data", "code"] == .string("pattern_too_costly"))
    }
  }

  @Test func theMessagesForADocumentHaveALimitedSize() async throws {
    let server = try TestServer()
    let notes = try #require(try server.database.collection(name: "notes"))
    let text = String(repeating: "needle\\n", count: 100)
    try notes.save(document: MutableDocument(id: "long", json: #"{"text":"\#(text)"}"#))
    func messages(_ size: Int) throws -> [Answer.Line] {
      var lines: [Answer.Line] = []
      try notes.searchLines(PatternSearchRequest("needle")) { document in
        try GrepMessages.messages(of: document, size: size)
      } deliver: { found in
        let text = String(decoding: found.bytes, as: UTF8.self)
        lines += text.split(separator: "\n").map { Answer.Line(text: String($0)) }
        return true
      }
      return lines
    }
    let limited = try messages(1000)
    let count = limited.count { $0["type"] == .string("match") }
    #expect((2..<20).contains(count))
    #expect(limited.dropFirst(count + 1).map { $0["type"] } == ["error", "end"].map { .string($0) })
    #expect(limited.dropLast().last?["data", "code"] == .string("too_many_lines"))
    #expect(limited.last?["data", "stats", "matched_lines"] == .int64(Int64(count)))
    let all = try messages(1 << 20)
    #expect(all.count == 102 && !all.contains { $0["type"] == .string("error") })
    try await server.database.async.close()
    try FileManager.default.removeItem(at: server.folder)
  }

  @Test func linesAroundAMatchAreContext() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      _ = try await send(.put, "\(notes)/documents/lines", #"{"text":"one\ntwo\nthree\n"}"#)
      let answer = try await send(.get, "\(notes)/grep?pattern=two&before=1&after=1")
      #expect(
        answer.lines.dropFirst().prefix(3).map { $0["type"] } == ["context", "match", "context"].map { .string($0) })
    }
  }

  @Test func aMalformedPatternHasItsOwnStatus() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/grep?pattern=(")
      #expect(answer.status == 400)
      #expect(answer["code"] == .string("invalid_query"))
    }
  }

  @Test func theLimitIsANumberOfDocuments() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/grep?pattern=e&limit=1")
      #expect(answer.lines.count { $0["type"] == .string("begin") } == 1)
    }
  }

  @Test func filesAreIDsOrPrefixesOfIDs() async throws {
    try await TestServer().run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(notes)/grep?pattern=.&files=a,tea")
      let found = answer.lines.filter { $0["type"] == .string("begin") }.map { $0["data", "path", "text"] }
      #expect(Set(found) == [.string("a/b.md"), .string("tea")])
    }
  }

  @Test func manyDocumentsPassThroughTheBoundedPipe() async throws {
    var options = ServerOptions()
    options.limits.queryTimeout = .seconds(300)
    let server = try TestServer(options)
    let notes = try #require(try server.database.collection(name: "notes"))
    let text = String(repeating: "needle in hay\\n", count: 100)
    try server.database.inBatch {
      for number in 0..<300 {
        try notes.save(document: MutableDocument(id: "d\(number)", json: #"{"text":"\#(text)"}"#))
      }
    }
    try await server.run { (send: TestConnection) async throws -> Void in
      let answer = try await send(.get, "\(TestServer.notes)/grep?pattern=needle")
      #expect(answer.lines.last?["data", "stats", "matched_lines"] == .int64(30_000))
      #expect(answer.lines.count { $0["type"] == .string("match") } == 30_000)
    }
  }
}
