import Concordance
import Foundation
import Testing

/// Regression tests for indexes that changed a result, and for queries that were compiled to wrong SQL.
@Suite struct IndexEquivalenceTests {
  let test: TemporaryDatabase

  init() throws { test = try TemporaryDatabase() }

  private func rows(_ text: String) throws -> [String] {
    try test.database.createQuery(text).execute().map { $0.toJSON() }.sorted()
  }

  /// Checks the result without and with the index.
  private func check(
    _ documents: [String], _ config: any IndexConfiguration, _ text: String, _ expected: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (number, json) in documents.enumerated() { try test.save("d\(number)", json) }
    #expect(try rows(text) == expected, "without the index", sourceLocation: sourceLocation)
    try test.collection.createIndex(withName: "i", config: config)
    #expect(try rows(text) == expected, "with the index", sourceLocation: sourceLocation)
  }

  @Test func leftUnnestKeepsDocumentsWithoutElements() throws {
    try check(
      [#"{"tags": [1, 2]}"#, #"{"x": 1}"#, #"{"tags": []}"#], ArrayIndexConfiguration(path: "tags"),
      "SELECT META(d).id FROM _ AS d LEFT UNNEST d.tags AS t WHERE t IS MISSING", [#"{"id":"d1"}"#, #"{"id":"d2"}"#])
  }

  @Test func nullIsAnElement() throws {
    try check(
      [#"{"tags": [null]}"#, #"{"tags": [1]}"#], ArrayIndexConfiguration(path: "tags"),
      "SELECT META().id FROM _ WHERE ARRAY_CONTAINS(tags, NULL)", [#"{"id":"d0"}"#])
  }

  @Test func arrayContainsFollowsTheCollation() throws {
    try check(
      [#"{"tags": ["A"]}"#, #"{"tags": ["a"]}"#], ArrayIndexConfiguration(path: "tags"),
      "SELECT META().id FROM _ WHERE ARRAY_CONTAINS(tags, 'a') COLLATE NOCASE", [#"{"id":"d0"}"#, #"{"id":"d1"}"#])
  }

  @Test func namesAreDistinguishedByBytes() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    try check(
      ["{\"\(composed)\": 1}", "{\"\(decomposed)\": 1}"], ValueIndexConfiguration(["`\(composed)`"]),
      "SELECT META().id FROM _ WHERE `\(decomposed)` = 1", [#"{"id":"d1"}"#])
    #expect(try rows("SELECT META().id, 2 AS `\(composed)` FROM _ WHERE `\(decomposed)` = 1").count == 1)
    try test.collection.createIndex(withName: composed, config: ValueIndexConfiguration(["a"]))
    try test.collection.createIndex(withName: decomposed, config: ValueIndexConfiguration(["b"]))
    #expect(try test.collection.indexes().count == 3)
  }

  @Test func partialIndexConditionIsComparedByBytes() throws {
    try check(
      ["{\"n\": 1, \"name\": \"\u{E9}\"}", "{\"n\": 1, \"name\": \"e\u{301}\"}"],
      ValueIndexConfiguration(["n"], where: "name = '\u{E9}'"),
      "SELECT META().id FROM _ WHERE n = 1 AND name = 'e\u{301}'", [#"{"id":"d1"}"#])
  }

  @Test func partialIndexIsUsedOnlyForItsCollation() throws {
    try check(
      [#"{"a": "X", "n": null}"#, #"{"a": "x", "n": null}"#, #"{"a": "X"}"#],
      ValueIndexConfiguration(["n"], where: "a = 'x'"),
      "SELECT META().id FROM _ WHERE ((a = 'x' AND n IS NULL) OR (a = 'x' AND n IS MISSING)) COLLATE NOCASE",
      [#"{"id":"d0"}"#, #"{"id":"d1"}"#, #"{"id":"d2"}"#])
  }

  @Test func conditionsMayBeColumns() throws {
    try check(
      [#"{"n": 1, "name": "xy"}"#, #"{"n": 1, "name": "z"}"#], ValueIndexConfiguration(["n", "CONTAINS(name, 'x')"]),
      "SELECT META().id FROM _ WHERE n = 1 AND CONTAINS(name, 'x')", [#"{"id":"d0"}"#])
    #expect(try rows("SELECT META().id FROM _ WHERE n = 1 AND NOT CONTAINS(name, 'x')") == [#"{"id":"d1"}"#])
  }

  @Test func stringWithNULIsAString() throws {
    try check(
      [#"{"n": 5}"#, #"{"n": "0"}"#], ValueIndexConfiguration(["n"]), "SELECT META().id FROM _ WHERE n < '1\u{0}'",
      [#"{"id":"d0"}"#, #"{"id":"d1"}"#])
  }

  @Test func equalObjectsAreOneGroup() throws {
    try check(
      [#"{"n": 1, "o": {"a": 1, "b": 2}}"#, #"{"n": 2, "o": {"b": 2, "a": 1}}"#], ValueIndexConfiguration(["n"]),
      "SELECT DISTINCT MAX(o) AS o FROM _ GROUP BY n", [#"{"o":{"a":1,"b":2}}"#])
  }

  /// The index contains the value of a function that compares bytes.
  @Test(arguments: [false, true]) func functionsFollowTheCollation(indexed: Bool) throws {
    try test.save("a", #"{"s": "a"}"#)
    if indexed { try test.collection.createIndex(withName: "i", config: ValueIndexConfiguration(["NULLIF(s, 'A')"])) }
    #expect(
      try rows("SELECT NULLIF(s, 'A') COLLATE NOCASE AS v FROM _ WHERE NULLIF(s, 'A') = 'a'") == [#"{"v":null}"#])
  }

  /// An index contains values, and is searched for values, that are evaluated without the collation.
  @Test(arguments: [
    (#"{"k": "Lux"}"#, "NULLIF(k, 'lux') COLLATE NOCASE", "NULLIF(k, 'lux') = 'Lux' COLLATE NOCASE", false),
    (#"{"k": "Lux"}"#, "NULLIF(k, 'lux')", "(NULLIF(k, 'lux') COLLATE NOCASE) IS NULL", true),
    (#"{"k": "Lux"}"#, "NULLIF(k, 'lux') COLLATE NOCASE", "(NULLIF(k, 'lux') COLLATE NOCASE) IS NULL", true),
    (#"{"tags": ["b", "C"]}"#, "ARRAY_MAX(tags) COLLATE NOCASE", "ARRAY_MAX(tags) = 'c' COLLATE NOCASE", true),
    (#"{"tags": ["b", "C"]}"#, "ARRAY_MAX(tags) COLLATE NOCASE", "ARRAY_MAX(tags) = 'b' COLLATE NOCASE", false),
    (#"{"k": "abc"}"#, "k COLLATE NOCASE", "k = NULLIF('ABC', 'abc') COLLATE NOCASE", false),
  ])
  func conditionsWithComparisonsFollowTheCollation(
    document: String, index: String, condition: String, isFound: Bool
  ) throws {
    try check(
      [document], ValueIndexConfiguration([index]), "SELECT META().id FROM _ WHERE \(condition)",
      isFound ? [#"{"id":"d0"}"#] : [])
  }

  /// LIKE and CONTAINS compare single characters, `=` compares strings.
  @Test(arguments: [
    ("'Straße' COLLATE (UNICODE NOCASE NODIAC) = 'STRASSE'", true),
    ("'Straße' LIKE 'STRASSE' COLLATE (UNICODE NOCASE NODIAC)", false),
    ("'Straße' LIKE 'STRAßE' COLLATE (UNICODE NOCASE NODIAC)", true),
  ])
  func expansionsAreEqualOnlyInComparisons(condition: String, isTrue: Bool) throws {
    try test.save("a", "{}")
    #expect(try rows("SELECT META().id FROM _ WHERE \(condition)").count == (isTrue ? 1 : 0))
  }

  @Test(arguments: [false, true]) func orderOfComparisonsFollowsTheCollation(indexed: Bool) throws {
    try test.save("a", #"{"k": "b"}"#)
    try test.save("b", #"{"k": "LUX"}"#)
    if indexed {
      try test.collection.createIndex(
        withName: "i", config: ValueIndexConfiguration(["NULLIF(k, 'lux') COLLATE NOCASE"]))
    }
    let query = try test.database.createQuery("SELECT k FROM _ ORDER BY NULLIF(k, 'lux') COLLATE NOCASE LIMIT 2")
    #expect(try query.execute().map { $0.toJSON() } == [#"{"k":"LUX"}"#, #"{"k":"b"}"#])
  }

  @Test func nestedCasesStaySmall() throws {
    try test.save("a", #"{"m": 1}"#)
    var text = "m"
    for level in 1...12 { text = "CASE \(text) WHEN \(level) THEN \(level + 1) ELSE 0 END" }
    #expect(try rows("SELECT \(text) AS x FROM _") == [#"{"x":13}"#])
    #expect(try test.database.createQuery("SELECT \(text) FROM _").explanation().sql.utf8.count < 2000)
  }

  @Test func aggregatesAreCheckedInHaving() throws {
    try test.save("a", #"{"k": 1, "n": 3}"#)
    expectError(CBLError.invalidQuery) {
      _ = try rows("SELECT k FROM _ GROUP BY k HAVING ANY v IN ARRAY_AGG(n) SATISFIES v > 2 END")
    }
    #expect(try rows("SELECT 1 AS a FROM _ HAVING TRUE") == [#"{"a":1}"#])
  }

  @Test func columnMayHaveTheNameOfItsSource() throws {
    for number in 0..<6 { try test.save("d\(number)", #"{"k": "k\#(number % 3 * number % 2)"}"#) }
    let rows = try test.database.createQuery("SELECT k, COUNT(*) AS d FROM _ AS d GROUP BY k ORDER BY d DESC").execute()
    #expect(rows.map { $0.int(forKey: "d") } == [5, 1])
  }

  @Test func joinsWithTheEqualityInWhereDoNotCompareAllPairs() throws {
    for number in 0..<30 { try test.save("d\(number)", #"{"x": \#(number)}"#) }
    let text = "SELECT a.x FROM _ AS a CROSS JOIN _ AS b WHERE b.x = a.x"
    #expect(try rows(text).count == 30)
    #expect(try test.database.createQuery(text).explanation().steps[1].access == .temporaryIndex)
  }

  @Test func fallibleExpressionIsNotIndexed() throws {
    expectError(CBLError.invalidQuery) {
      try test.collection.createIndex(
        withName: "i", config: ValueIndexConfiguration(["REGEXP_CONTAINS(name, pattern)"]))
    }
  }
}
