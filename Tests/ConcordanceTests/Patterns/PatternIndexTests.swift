import Concordance
import Foundation
import Testing

/// Creating, updating, verifying and exporting pattern indexes, and queries that use them.
@Suite struct PatternIndexTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    let files = test
    try files.database.inBatch {
      for number in 0..<300 {
        try files.save(
          "d\(number)",
          #"{"n": \#(number), "text": "word\#(number) spin_lock_\#(number % 7)\nÉcole", "tags": [{"t": "tag\#(number % 50)x"}]}"#
        )
      }
      try files.save("none", #"{"n": -1}"#)
      try files.save("number", #"{"n": -2, "text": 12345}"#)
    }
  }

  private func ids(_ text: String, _ parameters: Parameters? = nil) throws -> [String] {
    let query = try test.database.createQuery(text)
    query.parameters = parameters
    return try query.execute().compactMap { $0.string(at: 0) }
  }

  private func makeIndex(_ expressions: [String] = ["text", "tags[].t"]) throws {
    try test.collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(expressions))
  }

  private static let conditions: [String] = [
    "text LIKE '%word17%'", "text LIKE '%WORD17%'", "(text LIKE '%WORD17%') COLLATE NOCASE",
    "(text LIKE '%ecole%') COLLATE (UNICODE NOCASE NODIAC)",
    "text ILIKE '%WORD17%'", "text ILIKE '%éCOLE'", "text NOT ILIKE '%SPIN_LOCK_3%'", "text ILIKE $like",
    "(text COLLATE NOCASE) ILIKE '%WORD17%'",
    "text LIKE 'word2%'", "NOT text LIKE '%spin_lock_3%'", "REGEXP_CONTAINS(text, 'word(17|23)\\b')",
    "REGEXP_LIKE(text, '(?is)WORD1.*école')", "REGEXP_CONTAINS(text, '[0-9]{3}')",
    "NOT REGEXP_CONTAINS(text, 'lock_[0-5]')", "CONTAINS(text, 'lock_4')",
    "text LIKE '%word17%' OR n = 5", "text LIKE '%word17%' OR REGEXP_CONTAINS(text, 'word88')",
    "text LIKE '%word1%' AND REGEXP_CONTAINS(text, 'lock_2')",
    "REGEXP_CONTAINS(text, 'WORD1[78]', 'i')", "REGEXP_LIKE(text, 'WORD1 .* école', $flags)",
    "REGEXP_CONTAINS(text, 'word 17', 'x')", "REGEXP_CONTAINS(text, '^É', 'm')",
    "ANY t IN tags SATISFIES t.t LIKE '%tag17x%' END",
    "ANY AND EVERY t IN tags SATISFIES REGEXP_CONTAINS(t.t, 'g3.x') END",
    "EVERY t IN tags SATISFIES t.t LIKE '%tag17x%' END",
    "tags[0].t LIKE '%ag44%'", "text LIKE $like", "REGEXP_CONTAINS(text, $regex)", "text LIKE ''", "text LIKE '%'",
  ]

  @Test(arguments: conditions)
  func queriesReturnTheSameRowsWithAnIndex(condition: String) throws {
    let parameters = Parameters().setString("%ord29%", forName: "like").setString("ord(30|31)", forName: "regex")
      .setString("isx", forName: "flags").setInt(5, forName: "n")
    let text = "SELECT META().id FROM _ WHERE \(condition) ORDER BY n"
    let expected = try ids(text, parameters)
    for expressions in [["text", "tags[].t"], ["*"], ["text"], ["tags"]] {
      try makeIndex(expressions)
      #expect(try ids(text, parameters) == expected, "\(expressions)")
    }
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    #expect(try ids(text, parameters) == expected)
  }

  @Test(arguments: [["tags[]"], ["tags"], ["*"], ["tags[]", "*"]])
  func anyTestsTheMembersOfObjects(expressions: [String]) throws {
    try test.save("object", #"{"tags": {"x": "hello world"}}"#)
    try test.save("array", #"{"tags": ["hello world", "x"]}"#)
    try makeIndex(expressions)
    for quantifier in ["ANY", "ANY AND EVERY"] {
      let found = try ids(
        "SELECT META().id FROM _ WHERE \(quantifier) v IN tags SATISFIES v LIKE '%hello%' OR v = 'x' END")
      #expect(found.sorted() == ["array", "object"])
    }
    let found = try ids("SELECT META().id FROM _ WHERE ANY v IN tags SATISFIES v LIKE '%hello%' END")
    #expect(found.sorted() == ["array", "object"])
  }

  @Test func indexIsUpdatedWithTheDocuments() throws {
    try makeIndex()
    let text = "SELECT META().id FROM _ WHERE text LIKE '%needle%'"
    #expect(try ids(text) == [])
    try test.save("a", #"{"text": "a needle"}"#)
    try test.save("b", #"{"text": "two needles"}"#)
    #expect(try ids(text) == ["a", "b"])
    try test.save("a", #"{"text": "nothing"}"#)
    #expect(try ids(text) == ["b"])
    try test.collection.delete(document: #require(try test.collection.document(id: "b")))
    #expect(try ids(text) == [])
    #expect(try test.database.verify() == [])
    try test.database.inBatch {
      try test.save("c", #"{"text": "needle"}"#)
      #expect(try ids(text) == ["c"])
    }
  }

  /// A batch of this size is written as a segment, which only this batch sees.
  @Test func aLargeBatchIsSearchedInsideTheBatch() throws {
    try makeIndex()
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz")
    func text(_ number: Int) -> String {
      "needle\(number % 10) " + String((0..<2000).map { alphabet[($0 * $0 * (number % 97 + 3) + $0 * number) % 26] })
    }
    func expectNeedles(_ numbers: [Int]) throws {
      let query = "SELECT META().id FROM _ WHERE text LIKE '%needle7%' ORDER BY n"
      #expect(try ids(query) == numbers.map { "b\($0)" })
      var request = PatternSearchRequest("needle7")
      request.field = "text"
      var found: Set<String> = []
      let summary = try test.collection.searchLines(request) { document -> String? in
        var count = 0
        try document.forEachLine { _ in
          count += 1
          return true
        }
        return count > 0 ? document.id : nil
      } deliver: { id in
        found.insert(id)
        return true
      }
      #expect(found == Set(numbers.map { "b\($0)" }))
      #expect(summary.documentCount < 100)
      let report = try test.database.createQuery(query).explanation()
      #expect("\(report)".contains("patterns"))
    }
    struct Stop: Error {}
    #expect(throws: (any Error).self) {
      try test.database.inBatch {
        for number in 0..<400 { try test.save("b\(number)", #"{"n": \#(number), "text": "\#(text(number))"}"#) }
        try expectNeedles((0..<400).filter { $0 % 10 == 7 })
        try test.save("b7", #"{"n": 7, "text": "other"}"#)
        try expectNeedles((0..<400).filter { $0 % 10 == 7 && $0 != 7 })
        throw Stop()
      }
    }
    try expectNeedles([])
    try test.database.inBatch {
      for number in 0..<400 { try test.save("b\(number)", #"{"n": \#(number), "text": "\#(text(number))"}"#) }
    }
    try expectNeedles((0..<400).filter { $0 % 10 == 7 })
    #expect(try test.database.verify() == [])
  }

  @Test func lineSearchUsesTheNarrowestIndex() throws {
    try test.collection.createIndex(withName: "everything", config: PatternIndexConfiguration(["*"]))
    try makeIndex(["text"])
    for number in 0..<20 { try test.save("note\(number)", #"{"text": "plain", "note": "needle7"}"#) }
    try test.save("needle", #"{"text": "needle7"}"#)
    var request = PatternSearchRequest("needle7")
    request.field = "text"
    var candidates: [String] = []
    let summary = try test.collection.searchLines(request) {
      $0.id
    } deliver: { id in
      candidates.append(id)
      return true
    }
    #expect(candidates == ["needle"])
    #expect(summary.documentCount == 1)
  }

  @Test func creatingTheSameIndexAgainDoesNothing() throws {
    try makeIndex()
    try makeIndex()
    #expect(try test.collection.indexes() == ["patterns"])
    let description = try #require(try test.collection.patternIndexDescriptions().first)
    #expect(description.expressions == ["text", "tags[].t"])
    #expect(description.documentCount == 302)
    #expect(description.size > 0)
    try makeIndex(["text"])
    #expect(try test.collection.patternIndexDescriptions().map(\.expressions) == [["text"]])
  }

  @Test func builderCreatesTheSameIndex() throws {
    let index = IndexBuilder.patternIndex(items: PatternIndexItem.property("text"))
    try test.collection.createIndex(index, name: "patterns")
    #expect(
      try test.collection.patternIndexDescriptions().map(\.configuration) == [PatternIndexConfiguration(["text"])])
  }

  @Test func indexIsRebuiltOptimizedAndDropped() throws {
    try makeIndex()
    try test.collection.rebuildIndex(forName: "patterns")
    try test.collection.optimizeIndex(forName: "patterns")
    #expect(try test.database.verify() == [])
    #expect(try ids("SELECT META().id FROM _ WHERE text LIKE '%word17 %'") == ["d17"])
    try test.collection.deleteIndex(forName: "patterns")
    #expect(try test.collection.indexes() == [])
  }

  @Test func missingAndDuplicatePropertiesAreRejected() throws {
    expectError(CBLError.invalidParameter) { try makeIndex([]) }
    expectError(CBLError.invalidParameter) { try makeIndex(["text", "text"]) }
  }

  @Test func indexIsExported() throws {
    try makeIndex()
    var lines: [[UInt8]] = []
    _ = try test.database.exportLines { lines.append(Array($0)) }
    #expect(lines.contains { String(decoding: $0, as: UTF8.self).contains(#""patterns":["text","tags[].t"]"#) })
  }
}
