import Concordance
import Foundation
import Testing

/// MIN and MAX read one end of an index and return the same values as a scan.
@Suite struct IndexEndTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    for (number, json) in [
      #"{"n": 3, "t": "a"}"#, #"{"n": -1.5, "t": "a"}"#, #"{"n": "text", "t": "a"}"#, #"{"n": null, "t": "a"}"#,
      #"{"t": "a"}"#, #"{"n": [1,{"b":2,"a":1}], "t": "b"}"#, #"{"n": true, "t": "b"}"#, #"{"n": false, "t": "c"}"#,
      #"{"n": null, "t": "d"}"#,
    ].enumerated() {
      try test.save("d\(number)", json)
    }
  }

  private func row(_ text: String) throws -> [String] {
    try test.database.createQuery(text).execute().map { $0.toJSON() }
  }

  private func access(_ text: String) throws -> QueryExplanation.Access? {
    try test.database.createQuery(text).explanation().steps.first?.access
  }

  @Test(arguments: [
    ("MIN(n) AS r FROM _", "-1.5"), ("MAX(n) AS r FROM _", #"[1,{"b":2,"a":1}]"#),
    ("[MIN(n), MAX(n)] AS r FROM _ WHERE n < 'u'", #"[-1.5,"text"]"#), ("MAX(n) AS r FROM _ WHERE n < 2", "true"),
    ("MIN(n) AS r FROM _ WHERE n >= 0", "false"), ("MIN(n) AS r FROM _ WHERE n > 100 AND n < 200", "null"),
    ("MAX(n) - MIN(n) AS r FROM _ WHERE n BETWEEN -5 AND 3", "4.5"), ("MIN(n) AS r FROM _ LIMIT 1", "-1.5"),
    ("MIN(n) AS r FROM _ WHERE n IS NULL", "null"),
  ])
  func endsOfAnIndex(_ query: String, _ value: String) throws {
    let (text, expected) = ("SELECT \(query)", [#"{"r":\#(value)}"#])
    #expect(try row(text) == expected)
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    #expect(try row(text) == expected, "with the index")
  }

  @Test func conditionsOnPrecedingColumns() throws {
    try test.collection.createIndex(withName: "tn", config: ValueIndexConfiguration(["t", "n"]))
    for (type, least, greatest) in [
      ("a", "-1.5", #""text""#), ("b", "true", #"[1,{"b":2,"a":1}]"#), ("c", "false", "false"), ("d", "null", "null"),
      ("e", "null", "null"),
    ] {
      let text = "SELECT MIN(n) AS a, MAX(n) AS b FROM _ WHERE t = '\(type)'"
      #expect(try row(text) == [#"{"a":\#(least),"b":\#(greatest)}"#])
      #expect(try access(text) == .valueIndexEnd)
    }
  }

  @Test func partialIndexesAreUsedForTheirCondition() throws {
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"], where: "t = 'b'"))
    #expect(try row("SELECT MIN(n) AS r FROM _ WHERE t = 'b'") == [#"{"r":true}"#])
    #expect(try access("SELECT MIN(n) FROM _ WHERE t = 'b'") == .valueIndexEnd)
    #expect(try access("SELECT MIN(n) FROM _") == .scan)
  }

  @Test func queriesThatNeedAllRowsReadThem() throws {
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    for text in [
      "SELECT MIN(n), COUNT(*) FROM _", "SELECT MIN(n) FROM _ WHERE t = 'a'", "SELECT MIN(t) FROM _",
      "SELECT MIN(n) FROM _ GROUP BY n", "SELECT MIN(n), SUM(n) FROM _", "SELECT MIN(n) FROM _ WHERE n IN [1, 2]",
      "SELECT MIN(n) FROM _ HAVING COUNT(*) > 1", "SELECT MAX(n) FROM _ WHERE META().deleted",
    ] {
      #expect(try access(text) != .valueIndexEnd, "\(text)")
    }
  }

  @Test func deletedAndExpiredDocumentsDoNotCount() throws {
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    try test.save("x", #"{"n": -100}"#)
    try test.save("y", #"{"n": -50}"#)
    try test.collection.setDocumentExpiration(id: "x", expiration: Date(timeIntervalSinceNow: -1))
    try test.collection.delete(document: #require(try test.collection.document(id: "y")))
    #expect(try row("SELECT MIN(n) AS r FROM _") == [#"{"r":-1.5}"#])
  }

  @Test func oneEntryIsRead() throws {
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    let explanation = try test.database.createQuery("SELECT MAX(n) FROM _ WHERE n > 1").explanation()
    #expect(explanation.steps.map(\.index) == ["n"] && explanation.filters.isEmpty && !explanation.isSorted)
    #expect(explanation.description.contains("one end of value index \"n\" is read for MAX(n) AND n > 1"))
    // Virtual tables have other plans.
    guard TestStore.isFile else { return }
    #expect(explanation.sqlitePlan.contains { $0.contains("concordance_vi_") && $0.contains("k0>?") })
  }
}
