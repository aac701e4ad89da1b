import Concordance
import Foundation
import Testing

/// Conditions on metadata that use the indexes of every collection.
@Suite struct MetadataIndexTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    for id in ["a", "a1", "a2", "b", "10", "5", "é", "\u{10FFFF}x"] { try test.save(id, #"{"n": "\#(id)"}"#) }
  }

  private func ids(_ condition: String, _ parameters: Parameters? = nil) throws -> [String] {
    let query = try test.database.createQuery("SELECT META().id FROM _ WHERE \(condition)")
    query.parameters = parameters
    return try query.execute().compactMap { $0.string(at: 0) }.sorted()
  }

  private func step(_ condition: String) throws -> QueryExplanation.Step {
    try test.database.createQuery("SELECT n FROM _ WHERE \(condition)").explanation().steps[0]
  }

  /// Compares the rows with those of an equivalent condition that no index can evaluate, because it contains a
  /// function.
  @Test(arguments: [
    "META().id > 'a1'", "META().id >= 'a1'", "META().id < 'b'", "'b' > META().id", "META().id <= 'a1'",
    "META().id BETWEEN 'a' AND 'a2'", "META().id LIKE 'a%'", "META().id LIKE 'a_'", "META().id LIKE '\u{10FFFF}%'",
    "META().id > 7", "META().id < 7", "META().id >= 5", "META().id < [1]", "META().id > [1]", "META().id < NULL",
    "META().id > 'A1' COLLATE NOCASE", "NOT META().id > 'a1'", "META().id > 'a' || '1'", "META().id > 5.5",
    "META().sequence > 3", "META().sequence >= 3 AND META().sequence < 5", "META().sequence = 4",
    "META().sequence < 'x'",
    "META().sequence > '1'", "META().sequence IN (2, 3.0, '4', NULL)", "META().sequence BETWEEN 2.5 AND 4",
    "META().sequence > TRUE", "META().sequence = '4'", "META().sequence < NULL", "META().expiration > 5",
    "META().expiration < 99999999999999",
  ])
  func indexesDoNotChangeTheRows(_ condition: String) throws {
    try test.collection.setDocumentExpiration(id: "a2", expiration: Date(timeIntervalSinceNow: 1000))
    let opaque = ["id", "sequence", "expiration"].reduce(condition) {
      $0.replacing("META().\($1)", with: "IFMISSING(META().\($1), MISSING)")
    }
    #expect(try ids(condition) == ids(opaque))
    #expect(try step(opaque).access == .scan)
  }

  @Test func parametersAreCompared() throws {
    for value in ["a1", 7, -7.5, true, [1], NSNull()] as [Any] {
      let parameters = Parameters().setValue(value, forName: "p")
      for field in ["id", "sequence"] {
        for symbol in ["<", "<=", ">", ">=", "="] {
          #expect(
            try ids("META().\(field) \(symbol) $p", parameters)
              == ids("IFMISSING(META().\(field), MISSING) \(symbol) $p", parameters), "\(field) \(symbol) \(value)")
        }
      }
    }
  }

  @Test func explanationNamesMetadataIndexes() throws {
    #expect(try step("META().id > 'a'").access == .metadataSearch)
    #expect(try step("META().id LIKE 'a%'").index == "META().id")
    #expect(try step("META().sequence > 5").index == "META().sequence")
    #expect(try step("META().expiration < 5").index == "META().expiration")
    let query = try test.database.createQuery("SELECT n FROM _ WHERE META().sequence > 5")
    #expect(try query.explain().contains("the index of META().sequence is searched for META().sequence > 5"))
    // Virtual tables have other plans.
    guard TestStore.isFile else { return }
    #expect(try query.explanation().sqlitePlan.contains { $0.contains("sequence (sequence>?)") })
  }

  @Test func alternativesMayBeOfAnyKind() throws {
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    try test.collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["n"]))
    for (condition, found, access, index) in [
      ("n = 'b' OR META().id = 'a'", ["a", "b"], QueryExplanation.Access.indexUnion, "n, META().id"),
      ("META().id = 'a' OR META().id IN ('b', 5)", ["a", "b"], .documentID, "META().id"),
      ("MATCH(text, 'a1') OR n = 'b'", ["a1", "b"], .indexUnion, "text, n"),
      ("MATCH(text, 'a1') OR MATCH(text, 'b')", ["a1", "b"], .fullTextIndex, "text"),
      ("MATCH(text, 'a1') OR META().sequence = 1", ["a", "a1"], .indexUnion, "text, META().sequence"),
      ("(MATCH(text, 'a1') AND LOWER(n) = 'x') OR META().id = 'b'", ["b"], .indexUnion, "text, META().id"),
    ] {
      #expect(try ids(condition) == found)
      #expect(try step(condition).access == access, "\(condition)")
      #expect(try step(condition).index == index, "\(condition)")
    }
    #expect(try step("MATCH(text, 'a1') OR LOWER(n) = 'b'").access == .scan)
    let explanation = try test.database.createQuery("SELECT n FROM _ WHERE MATCH(text, 'b') OR n = 'a'").explain()
    #expect(explanation.contains("the indexes text, n are searched for MATCH(text, 'b') OR n = 'a'"), "\(explanation)")
  }

  @Test func documentsThatAreNotDeletedNeedNoTombstones() throws {
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    try test.collection.delete(document: #require(try test.collection.document(id: "b")))
    for condition in [
      "META().deleted = FALSE", "FALSE = META().deleted", "NOT META().deleted", "META().deleted IS FALSE",
    ] {
      #expect(try ids("\(condition) AND n >= 'a2'") == ["a2", "é", "\u{10FFFF}x"].sorted(), "\(condition)")
      #expect(try step("\(condition) AND n >= 'a2'").access == .valueIndexSearch, "\(condition)")
    }
    #expect(try ids("META().deleted = FALSE OR n = 'x'").count == 7)
    #expect(try ids("META().deleted") == ["b"])
  }

  @Test func negatedComparisonsAreRanges() throws {
    try test.save("null", #"{"n": null}"#)
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    #expect(try ids("NOT (n > 'a')") == ["10", "5", "a"])
    #expect(try ids("NOT (n != 'a')") == ["a"])
    #expect(try ids("NOT (n > NULL)").isEmpty)
    #expect(try step("NOT (n > 'a')").access == .valueIndexSearch)
    #expect(try step("NOT (n > 'a' COLLATE NOCASE)").access == .scan)
    #expect(try ids("NOT (n > 'A' COLLATE NOCASE)") == ["10", "5", "a"])
  }
}
