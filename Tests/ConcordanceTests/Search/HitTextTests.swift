import Concordance
import Foundation
import TestSupport
import Testing

/// The titles and matches of hits, which are computed on demand if the search creates no snippets.
@Suite struct HitTextTests {
  private let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    var random = SeededGenerator(seed: 11)
    func words(_ count: Int) -> String {
      (0..<count).map { _ in ["sea", "harbour", "harbours", "Été", "x_y", "7"].randomElement(using: &random) ?? "sea" }
        .joined(separator: " ")
    }
    try test.database.inBatch {
      for number in 0..<60 {
        let title = number % 3 == 0 ? #""title": "\#(words(2))", "# : number % 3 == 1 ? #""title": "", "# : ""
        let text = "\(words(3))\\n\(words(4))"
        try test.save("d\(number)", #"{\#(title)"name": "n\#(number)", "text": "\#(text)", "tags": ["\#(words(2))"]}"#)
      }
    }
    try test.collection.createIndex(
      withName: "search", config: FullTextIndexConfiguration(["title", "text", "tags"], language: "en"))
  }

  private func hits(_ query: String, snippetCount: Int) throws -> [SearchHit] {
    var request = SearchRequest(query)
    request.limit = 100
    request.snippetCount = snippetCount
    return try test.collection.search(request).hits
  }

  @Test(arguments: ["sea", "harbour", "\"sea harbour\"", "été x_y", "har* -7", "text:sea", "-sea"])
  func titlesAndMatchesAreTheSameWithoutSnippets(query: String) throws {
    let (plain, highlighted) = (try hits(query, snippetCount: 0), try hits(query, snippetCount: 1))
    #expect(plain.map(\.id) == highlighted.map(\.id) && !plain.isEmpty)
    #expect(plain.map(\.title) == highlighted.map(\.title))
    #expect(plain.map(\.matches) == highlighted.map(\.matches))
    #expect(query.hasPrefix("-") || plain.allSatisfy { !$0.matches.isEmpty })
    #expect(plain.allSatisfy { $0.snippets.isEmpty })
  }

  /// They describe the document as it was when the search ran, also on other threads and after the database is closed.
  @Test func aHitKeepsItsText() throws {
    let before = try hits("sea", snippetCount: 1)
    let plain = try hits("sea", snippetCount: 0)
    for hit in plain { try test.save(hit.id, #"{"title": "changed"}"#) }
    try test.database.close()
    nonisolated(unsafe) var found: [[SearchMatch]] = Array(repeating: [], count: 8)
    found.withUnsafeMutableBufferPointer { results in
      nonisolated(unsafe) let results = results
      DispatchQueue.concurrentPerform(iterations: 8) { results[$0] = plain.flatMap(\.matches) }
    }
    #expect(found.allSatisfy { $0 == before.flatMap(\.matches) })
    #expect(plain.map(\.title) == before.map(\.title))
  }
}
