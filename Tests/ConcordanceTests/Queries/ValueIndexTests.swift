import Concordance
import Foundation
import Testing

/// Value indexes contain the values of the documents, and queries use them.
@Suite struct ValueIndexTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    try test.save("a", #"{"type": "hotel", "stars": 3, "ok": true, "tags": ["x", "y"]}"#)
    try test.save("b", #"{"type": "hotel", "stars": 4, "ok": 1, "tags": ["y"]}"#)
    try test.save("c", #"{"type": "airport", "ok": null}"#)
    try test.save("d", #"{"type": ["odd"]}"#)
    try test.save("e", #"{"Type": "hotel", "name": "ÄB"}"#)
  }

  private func rows(_ text: String) throws -> [String] {
    try test.database.createQuery(text).execute().map { $0.toJSON() }
  }

  private func ids(_ condition: String) throws -> String {
    try test.database.createQuery("SELECT META().id FROM _ WHERE \(condition) ORDER BY META().id").execute()
      .map { $0.string(at: 0) ?? "" }.joined()
  }

  @Test(arguments: [
    "type = 'hotel'", "'hotel' = type", "type = 'hotel' AND stars > 3", "type IN ('airport', 'hotel')", "type >= 'b'",
    "type IS MISSING", "type IS NULL", "type IS VALUED", "type LIKE 'hot%'", "type LIKE 'h_t%'",
    "type BETWEEN 'a' AND 'b'",
    "type = ['odd']", "NOT type = 'hotel'", "type > 5",
  ])
  func indexDoesNotChangeTheRows(condition: String) throws {
    let before = try ids(condition)
    try test.collection.createIndex(withName: "i", config: ValueIndexConfiguration(["type", "stars"]))
    #expect(try ids(condition) == before)
    #expect(!before.isEmpty || condition == "type IS NULL")
  }

  @Test func indexDoesNotChangeTheGroups() throws {
    let queries = [
      "SELECT type, COUNT(*) AS n FROM _ GROUP BY type ORDER BY type",
      "SELECT ok, COUNT(*) AS n FROM _ GROUP BY ok ORDER BY ok, n",
      "SELECT DISTINCT type FROM _ ORDER BY type", "SELECT COUNT(*) AS n FROM _ WHERE type = 'hotel'",
      "SELECT MIN(ok) AS low, MAX(ok) AS high, COUNT(ok) AS n FROM _",
    ]
    let before = try queries.map(rows)
    for name in ["type", "ok"] {
      try test.collection.createIndex(withName: name, config: ValueIndexConfiguration([name]))
    }
    for (query, expected) in zip(queries, before) { #expect(try rows(query) == expected, "\(query)") }
  }

  @Test func indexesAreUpdatedWithDocuments() throws {
    try test.collection.createIndex(withName: "i", config: ValueIndexConfiguration(["type"], where: "stars > 3"))
    try test.collection.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
    try test.save("a", #"{"type": "hotel", "stars": 9, "tags": []}"#)
    try test.save("f", #"{"type": "hotel", "stars": 8, "tags": ["y", "y"]}"#)
    let b = try #require(try test.collection.document(id: "b"))
    try test.collection.delete(document: b)
    #expect(try ids("type = 'hotel' AND stars > 3") == "af")
    #expect(try ids("ANY t IN tags SATISFIES t = 'y' END") == "f")
    #expect(try test.database.verify() == [])
    try test.collection.purge(id: "f")
    #expect(try test.database.verify() == [])
    #expect(try test.collection.valueIndexDescriptions().map(\.documentCount) == [1, 0])
  }

  @Test func equalValuesOfDifferentTypesAreReplaced() throws {
    try test.collection.createIndex(withName: "i", config: ValueIndexConfiguration(["ok"]))
    for value in ["1", "1.0", "true", "null", "[1]", "[1.0]", #""1""#] {
      try test.save("a", "{\"ok\": \(value)}")
      #expect(
        try rows("SELECT ok, COUNT(*) AS n FROM _ WHERE META().id = 'a' GROUP BY ok").first
          == "{\"ok\":\(value),\"n\":1}")
      let row = try #require(
        try test.database.createQuery("SELECT ok FROM _ WHERE ok IS NOT MISSING ORDER BY META().id").execute().next())
      #expect(row.toJSON() == "{\"ok\":\(value)}")
      #expect(try test.database.verify() == [])
    }
  }

  @Test func creatingTheSameIndexAgainDoesNothing() throws {
    let config = ValueIndexConfiguration(["type"])
    try test.collection.createIndex(withName: "i", config: config)
    let size = try test.collection.valueIndexDescriptions().map(\.name)
    try test.collection.createIndex(withName: "i", config: config)
    #expect(try test.collection.indexes() == size)
    try test.collection.createIndex(withName: "i", config: FullTextIndexConfiguration(["name"]))
    #expect(try test.collection.valueIndexDescriptions().isEmpty)
    try test.collection.deleteIndex(forName: "i")
    #expect(try test.collection.indexes() == [])
  }
}
