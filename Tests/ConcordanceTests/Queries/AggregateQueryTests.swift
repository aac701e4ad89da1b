import Concordance
import Foundation
import Testing

/// Aggregates outside of the columns, and aggregates of distinct values.
@Suite struct AggregateQueryTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    try test.save("a", #"{"s": "x", "o": {"z": 1.0, "a": 2}}"#)
    try test.save("b", #"{"s": "x", "o": {"a": 2, "z": 1}}"#)
    try test.save("c", #"{"s": "x", "o": {"z": 3, "a": 2}}"#)
  }

  /// SQLite decides by the columns whether a query without GROUP BY is grouped.
  @Test(
    arguments: [
      ("SELECT s FROM _ HAVING COUNT(*) > 0", [#"{"s":"x"}"#]), ("SELECT s FROM _ HAVING COUNT(*) > 3", []),
      ("SELECT DISTINCT s FROM _ HAVING COUNT(*) = 3", [#"{"s":"x"}"#]),
      ("SELECT 1 AS n FROM _ WHERE FALSE HAVING COUNT(*) = 0", [#"{"n":1}"#]),
      ("SELECT 1 AS n FROM _ WHERE FALSE ORDER BY COUNT(*)", [#"{"n":1}"#]),
      ("SELECT DISTINCT 1 AS n FROM _ ORDER BY MAX(s) DESC", [#"{"n":1}"#]),
      ("SELECT 1 AS n, COUNT(*) AS c FROM _ WHERE FALSE ORDER BY COUNT(*)", [#"{"n":1,"c":0}"#]),
      ("SELECT s FROM _ GROUP BY s HAVING COUNT(*) > 2 ORDER BY COUNT(*)", [#"{"s":"x"}"#]),
      ("SELECT s FROM _ HAVING s = 'x'", [#"{"s":"x"}"#]),
      ("SELECT 1 AS n FROM _ WHERE FALSE HAVING TRUE", [#"{"n":1}"#]),
      ("SELECT 1 AS n FROM _ WHERE FALSE HAVING s IS VALUED", []),
    ] as [(String, [String])]) func aggregateOutsideOfTheColumnsGroupsAllRows(text: String, expected: [String]) throws
  {
    #expect(try rows(of: test.database.createQuery(text)) == expected)
  }

  @Test func distinctValuesOfAnArrayAreExact() throws {
    let query = try test.database.createQuery("SELECT ARRAY_AGG(DISTINCT o) AS v FROM _")
    #expect(try rows(of: query) == [#"{"v":[{"z":1.0,"a":2},{"z":3,"a":2}]}"#])
  }
}
