import QueryModel
import Testing

@testable import QueryOracle

/// Tests of the comparison of results.
@Suite struct DifferenceTests {
  /// Returns whether rows, each a JSON array, are correct for a query over these documents.
  private func isCorrect(
    _ sql: String, _ documents: [String], _ rows: [String], isOrdered: Bool = true
  ) throws -> Bool {
    let result = try database(["docs": documents]).evaluate(SQLParser().parse(sql))
    let actual = try rows.map { text in try OracleValue(jsonText: text).elements() ?? [] }
    return result.difference(from: actual, isOrdered: isOrdered) == nil
  }

  @Test func typesAreSignificant() throws {
    #expect(try isCorrect("SELECT n FROM docs", [#"{"n": 1}"#], ["[1]"]))
    #expect(try !isCorrect("SELECT n FROM docs", [#"{"n": 1}"#], ["[1.0]"]))
    #expect(try !isCorrect("SELECT n FROM docs", [#"{"n": 1}"#], ["[true]"]))
    #expect(try !isCorrect("SELECT n FROM docs", [#"{"n": null}"#], ["[false]"]))
    #expect(try !isCorrect("SELECT none FROM docs", ["{}"], ["[null]"]))
    #expect(try isCorrect("SELECT n FROM docs", [#"{"n": {"a": 1, "b": 2}}"#], [#"[{"b": 2.0, "a": 1}]"#]))
    #expect(try !isCorrect("SELECT n FROM docs", [#"{"n": "ä"}"#], [#"["a\u0308"]"#]))
    #expect(try !isCorrect("SELECT n, n FROM docs", [#"{"n": 1}"#], ["[1]"]))
  }

  @Test func unorderedRowsAreComparedAsMultiset() throws {
    let documents = [#"{"n": 1}"#, #"{"n": 2}"#, #"{"n": 2}"#]
    #expect(try isCorrect("SELECT n FROM docs", documents, ["[2]", "[1]", "[2]"]))
    #expect(try !isCorrect("SELECT n FROM docs", documents, ["[2]", "[1]", "[1]"]))
    #expect(try !isCorrect("SELECT n FROM docs", documents, ["[2]", "[1]"]))
    #expect(try !isCorrect("SELECT n FROM docs", documents, ["[2]", "[1]", "[2]", "[2]"]))
  }

  @Test func orderIsSignificantUpToTies() throws {
    let documents = [#"{"n": 1, "s": "x"}"#, #"{"n": 2, "s": "y"}"#, #"{"n": 2.0, "s": "z"}"#]
    let query = "SELECT s FROM docs ORDER BY n"
    #expect(try isCorrect(query, documents, [#"["x"]"#, #"["z"]"#, #"["y"]"#]))
    #expect(try !isCorrect(query, documents, [#"["y"]"#, #"["x"]"#, #"["z"]"#]))
    #expect(try isCorrect(query, documents, [#"["y"]"#, #"["x"]"#, #"["z"]"#], isOrdered: false))
    #expect(try !isCorrect(query, documents, [#"["x"]"#, #"["z"]"#, #"["y"]"#, #"["y"]"#]))
  }

  @Test func anyEqualValueRepresentsGroup() throws {
    let documents = [#"{"n": 1, "s": "a"}"#, #"{"n": 1.0, "s": "A"}"#, #"{"n": true, "s": "a"}"#]
    #expect(try isCorrect("SELECT n, COUNT(*) FROM docs GROUP BY n", documents, ["[1.0, 2]", "[true, 1]"]))
    #expect(try !isCorrect("SELECT n, COUNT(*) FROM docs GROUP BY n", documents, ["[1.0, 2.0]", "[true, 1]"]))
    #expect(try isCorrect("SELECT DISTINCT n FROM docs", documents, ["[1.0]", "[true]"]))
    #expect(try !isCorrect("SELECT DISTINCT n FROM docs", documents, ["[1]", "[1.0]", "[true]"]))
    #expect(try isCorrect("SELECT MAX(n) FROM docs", documents, ["[true]"]))
    #expect(try !isCorrect("SELECT MAX(n) FROM docs", documents, ["[2]"]))
    #expect(try isCorrect("SELECT s FROM docs GROUP BY s COLLATE NOCASE", documents, [#"["A"]"#]))
    #expect(try !isCorrect("SELECT s FROM docs GROUP BY s", documents, [#"["A"]"#, #"["A"]"#]))
  }

  @Test func sumsMayHaveRoundingErrors() throws {
    let documents = [#"{"n": 0.1}"#, #"{"n": 0.2}"#]
    #expect(try isCorrect("SELECT SUM(n) FROM docs", documents, ["[0.3]"]))
    #expect(try isCorrect("SELECT SUM(n) FROM docs", documents, ["[0.30000000000000004]"]))
    #expect(try !isCorrect("SELECT SUM(n) FROM docs", documents, ["[0.3000000001]"]))
    #expect(try !isCorrect("SELECT SUM(n) FROM docs", [#"{"n": 2}"#], ["[2.0]"]))
    #expect(try isCorrect("SELECT SUM(DISTINCT n) FROM docs", [#"{"n": 2}"#, #"{"n": 2.0}"#], ["[2.0]"]))
  }

  @Test func messageListsRows() throws {
    let result = try database(["docs": [#"{"n": 1}"#]]).evaluate(SQLParser().parse("SELECT n FROM docs ORDER BY n"))
    #expect(
      result.difference(from: [[.boolean(true)]], isOrdered: true)
        == "rows 0 to 0: missing    1\nrows 0 to 0: unexpected true")
  }
}
