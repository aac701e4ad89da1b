import Concordance
import Foundation
import Testing

/// Joins that cannot use an index of the collection and use a temporary index instead.
@Suite struct JoinAccessTests {
  let test: TemporaryDatabase
  let other: Concordance.Collection

  init() throws {
    test = try TemporaryDatabase()
    other = try test.database.createCollection(name: "other")
    for (number, json) in [
      #"{"x": 1, "z": 5, "y": 2}"#, #"{"x": 1, "z": 9, "y": 1}"#, #"{"x": 2.0, "z": 1, "y": true}"#,
      #"{"x": null, "z": 1, "y": null}"#, #"{"z": 1}"#, #"{"x": "a", "z": 0, "y": "B"}"#, #"{"x": 4, "z": 0}"#,
    ].enumerated() {
      try test.save("a\(number)", json)
    }
    for (number, json) in [
      #"{"k": 1, "z": 7}"#, #"{"k": true, "z": 3}"#, #"{"k": 2, "z": 0}"#, #"{"k": null, "z": 9}"#, #"{"z": 9}"#,
      #"{"k": "A", "z": 9}"#, #"{"k": "b", "z": 9}"#, #"{"k": 9, "z": 9}"#,
    ].enumerated() {
      try other.save(document: MutableDocument(id: "b\(number)", json: json))
    }
  }

  /// Checks the pairs found without an index and with a value index.
  private func check(
    _ join: String, _ expected: [String], _ access: QueryExplanation.Access = .temporaryIndex,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let query = try test.database.createQuery("SELECT META(a).id AS a, META(b).id AS b FROM _ AS a \(join)")
    func pairs() throws -> [String] {
      try query.execute().map { "\($0.string(forKey: "a") ?? "") \($0.string(forKey: "b") ?? "-")" }.sorted()
    }
    #expect(try query.explanation().steps[1].access == access, sourceLocation: sourceLocation)
    #expect(try pairs() == expected, sourceLocation: sourceLocation)
    try other.createIndex(withName: "k", config: ValueIndexConfiguration(["k"]))
    #expect(try pairs() == expected, "with an index", sourceLocation: sourceLocation)
    try other.deleteIndex(forName: "k")
  }

  @Test func leftJoinMayHaveAConditionOnPairs() throws {
    try check(
      "LEFT JOIN other AS b ON a.x = b.k AND b.z > a.z",
      ["a0 b0", "a1 -", "a2 -", "a3 -", "a4 -", "a5 -", "a6 -"])
    try check(
      "LEFT JOIN other AS b ON a.x = b.k AND (b.z > a.z OR a.y = 1) AND b.z < 7",
      ["a0 -", "a1 b1", "a2 b2", "a3 -", "a4 -", "a5 -", "a6 -"])
  }

  /// SQLite would convert strings to numbers to compare them with a column of numbers.
  @Test func metadataIsComparedWithoutConversion() throws {
    try test.save("1", #"{"text": "1", "number": 1, "list": ["1", "2"]}"#)
    for condition in [
      "META(b).sequence = a.text", "META(b).sequence IN a.list", "META(b).id = a.number COLLATE NOCASE",
    ] {
      let query = try test.database.createQuery(
        "SELECT META(b).id AS id FROM _ AS a LEFT JOIN _ AS b ON \(condition) WHERE META(a).id = '1'")
      #expect(try rows(of: query) == ["{}"], "\(condition)")
    }
  }

  @Test func conditionOnPairsIsTestedOncePerPartner() throws {
    let query = try test.database.createQuery("SELECT a.x FROM _ AS a LEFT JOIN other AS b ON a.x = b.k AND b.z > a.z")
    let plan = try query.explanation().sqlitePlan.joined(separator: "\n")
    #expect(plan.contains("SEARCH j1 USING AUTOMATIC"), "\(plan)")
  }

  @Test func joinMayTestForOneOfSeveralValues() throws {
    let pairs = ["a0 b0", "a0 b1", "a0 b2", "a1 b0", "a1 b1", "a2 b0", "a2 b1", "a2 b2"]
    try check("JOIN other AS b ON b.k IN [a.x, a.y]", pairs)
    try check("LEFT JOIN other AS b ON b.k IN [a.x, a.y]", pairs + ["a3 -", "a4 -", "a5 -", "a6 -"])
    try check(
      "LEFT JOIN other AS b ON b.k IN [a.x, a.y] AND b.z > a.z",
      ["a0 b0", "a1 -", "a2 b0", "a2 b1"]
        + ["a3 -", "a4 -", "a5 -", "a6 -"])
    try check("JOIN other AS b ON b.k IN [a.x, a.y] WHERE a.z = 5", Array(pairs.prefix(3)))
  }

  @Test func listsFollowTheCollation() throws {
    try check("JOIN other AS b ON b.k IN [a.x, a.y] COLLATE NOCASE WHERE a.z = 0", ["a5 b5", "a5 b6"])
    try check("LEFT JOIN other AS b ON (b.k = a.x AND b.z > a.z) COLLATE NOCASE WHERE a.z = 0", ["a5 b5", "a6 -"])
  }

  /// The row of a left join without a partner cannot be in a table of pairs.
  @Test func listsOfASourceThatMayBeAbsentAreCompared() throws {
    let text = """
      SELECT META(a).id AS a, META(c).id AS c FROM _ AS a LEFT JOIN other AS b ON b.k = a.x AND b.z > a.z
      JOIN other AS c ON c.k IN [b.k, 9]
      """
    let rows = try test.database.createQuery(text).execute().map { $0.toJSON() }
    #expect(rows.count == 9, "\(rows)")
    #expect(rows.filter { $0.contains("b7") }.count == 7)
  }

  @Test func listValuesAreReadIfTheFirstSourceUsesAnIndex() throws {
    try test.collection.createIndex(withName: "x", config: ValueIndexConfiguration(["z", "x", "y"]))
    try check("JOIN other AS b ON b.k IN [a.x, a.y] WHERE a.z = 5", ["a0 b0", "a0 b1", "a0 b2"])
  }
}
