import Concordance
import Foundation
import Testing

/// Documents that a pattern index divides into parts.
@Suite struct LongDocumentTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    // Documents of 300 kB each: many lines, one line, and many strings.
    let lines = (0..<6000).map { "line \($0) of a long text that has many of them, \($0 * 7919 % 100_003)" }
    try test.collection.save(document: MutableDocument(id: "lines", data: ["text": lines.joined(separator: "\n")]))
    try test.collection.save(document: MutableDocument(id: "line", data: ["text": lines.joined(separator: "; ")]))
    try test.collection.save(document: MutableDocument(id: "strings", data: ["text": lines]))
    try test.collection.save(document: MutableDocument(id: "short", data: ["text": "line 17 of a short text"]))
    try test.collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["text"]))
  }

  private func ids(_ condition: String) throws -> [String] {
    try test.database.createQuery("SELECT META().id FROM _ WHERE \(condition) ORDER BY META().id").execute()
      .compactMap { $0.string(at: 0) }
  }

  @Test(arguments: ["line 0 of", "line 3456 of", "line 5999 of"])
  func matchesInEachPartAreFound(text: String) throws {
    #expect(try ids("text LIKE '%\(text)%'") == ["line", "lines"])
    #expect(try ids("REGEXP_CONTAINS(text, '\(text)')") == ["line", "lines"])
    #expect(try ids("ANY t IN text SATISFIES CONTAINS(t, '\(text)') END") == ["strings"])
  }

  @Test func matchMaySpanParts() throws {
    #expect(try ids("text LIKE '%line 3 of%line 5998 of%'") == ["line", "lines"])
    #expect(try ids("REGEXP_CONTAINS(text, '(?s)line 3 of.*line 5998 of')") == ["line", "lines"])
    #expect(try ids("REGEXP_CONTAINS(text, 'line 3 of.*line 5998 of')") == ["line"])
    #expect(try ids("REGEXP_CONTAINS(text, 'line 3 of[^#]*line 5998 of')") == ["line", "lines"])
    #expect(try ids("text LIKE '%line 3 of%nowhere to be found%'") == [])
  }

  @Test func indexIsCompleteAndUpdated() throws {
    #expect(try test.database.verify() == [])
    let document = try #require(try test.collection.document(id: "lines")?.toMutable())
    document.setString("short now", forKey: "text")
    try test.collection.save(document: document)
    #expect(try ids("CONTAINS(text, 'line 3456 of')") == ["line"])
    #expect(try test.database.verify() == [])
    try test.collection.purge(document: #require(try test.collection.document(id: "line")))
    #expect(try ids("CONTAINS(text, 'line 3456 of')") == [])
    #expect(try test.database.verify() == [])
  }
}
