import Concordance
import Foundation
import Testing

/// Column names, columns as JSON, and explanations, none of which require parameter values.
@Suite struct ColumnTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    try test.save("a", #"{"name": "é\n", "n": 1.50, "none": null, "list": [1, {"a": true}], "yes": true}"#)
  }

  @Test func namesAreKnownBeforeTheQueryRuns() throws {
    let query = try test.database.createQuery("SELECT META().id, geo.lat, n AS number, n + 1 FROM _ WHERE n = $n")
    #expect(try query.columnNames() == ["id", "lat", "number", "$1"])
    expectError(CBLError.invalidQuery) {
      _ = try test.database.createQuery("SELECT name FROM nowhere").columnNames()
    }
  }

  @Test func unnamedColumnsHaveDistinctNames() throws {
    let query = try test.database.createQuery("SELECT 1 + 1, 2 AS `$1`, n + 1, `$2` FROM _")
    #expect(try query.columnNames() == ["$1 #2", "$1", "$2", "$2 #2"])
  }

  /// Swift's strings are equal if they are canonically equivalent; names of columns are compared by bytes.
  @Test func namesThatDifferInNormalizationAreDifferent() throws {
    let query = try test.database.createQuery("SELECT 1 AS `\u{E9}`, 2 AS `e\u{301}` FROM _")
    let row = try #require(try query.execute().next())
    #expect(row.int(forKey: "\u{E9}") == 1)
    #expect(row.int(forKey: "e\u{301}") == 2)
  }

  @Test func columnsAreJSONAsInTheRow() throws {
    let query = try test.database.createQuery("SELECT name, n, none, list, yes, missing FROM _")
    let row = try #require(try query.execute().next())
    let values = (0..<row.count).map { row.json(at: $0) }
    #expect(values == ["\"é\\n\"", "1.5", "null", #"[1, {"a": true}]"#, "true", nil])
    #expect(row.json(at: -1) == nil)
    #expect(row.json(at: 6) == nil)
  }

  @Test func explanationsNeedNoParameters() throws {
    let query = try test.database.createQuery("SELECT name FROM _ WHERE n > 0.5 AND name = $name")
    #expect(try query.explanation().steps.count == 1)
    expectError(CBLError.invalidQueryParam) { _ = try query.execute() }
  }
}
