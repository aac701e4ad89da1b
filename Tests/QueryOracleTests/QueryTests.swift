import JSONText
import QueryModel
import Testing

@testable import QueryOracle

/// Tests of the oracle's clauses with complete queries.
@Suite struct QueryTests {
  private func shop() throws -> OracleDatabase {
    try database([
      "docs": [
        #"{"n": 1, "s": "a", "list": [1, 2]}"#, #"{"n": 1.0, "s": "A", "list": []}"#,
        #"{"n": null, "s": "b", "list": [3]}"#, #"{"s": "b"}"#, #"{"n": true, "s": "ä", "list": 4}"#,
      ],
      "shop.item": [#"{"k": 1, "name": "pen"}"#, #"{"k": 1, "name": "cup"}"#, #"{"k": 7, "name": "hat"}"#],
      "empty": [],
    ])
  }

  @Test func filters() throws {
    let shop = try shop()
    #expect(try answer("SELECT META().id FROM docs WHERE n = 1", shop) == #""1", "2", "5""#)
    #expect(try answer("SELECT META().id FROM docs WHERE NOT n = 1", shop) == "")
    #expect(try answer("SELECT META().id FROM docs WHERE n IS NOT VALUED", shop) == #""3", "4""#)
    #expect(try answer("SELECT META().id FROM docs WHERE list", shop) == #""5""#)
    #expect(try answer("SELECT 1 + 1", shop) == "2")
    #expect(try answer("SELECT n FROM _default", database(["_": [#"{"n": 5}"#]])) == "5")
    #expect(try answer("SELECT s FROM docs WHERE s = $s", shop, parameters: ["s": .string("a")]) == #""a""#)
  }

  @Test func aliases() throws {
    let shop = try shop()
    #expect(try answer("SELECT s AS n FROM docs WHERE n = 'a'", shop) == #""a""#)
    #expect(try answer("SELECT [n, s] AS pair FROM docs WHERE pair[1] = 'b' ORDER BY pair[0]", shop).hasPrefix("[null"))
    #expect(try answer("SELECT LOWER(s) AS l, COUNT(*) FROM docs GROUP BY l HAVING l < 'b'", shop) == #""a" 2"#)
  }

  @Test func orders() throws {
    let shop = try shop()
    #expect(try answer("SELECT META().id FROM docs ORDER BY n, META().id DESC", shop) == #""4", "3", "5", "2", "1""#)
    #expect(try answer("SELECT META().id FROM docs ORDER BY n DESC, META().id", shop) == #""1", "2", "5", "3", "4""#)
    #expect(
      try answer("SELECT META().id FROM docs ORDER BY n NULLS LAST, META().id", shop) == #""1", "2", "5", "3", "4""#)
    #expect(try answer("SELECT s FROM docs ORDER BY s, META().id", shop) == #""A", "a", "b", "b", "ä""#)
    #expect(try answer("SELECT s FROM docs ORDER BY s COLLATE NOCASE, META().id", shop).hasPrefix(#""a", "A""#))
    #expect(try answer("SELECT list FROM docs ORDER BY list NULLS LAST LIMIT 3", shop) == "4, [1,2], [3]")
  }

  @Test func limits() throws {
    let shop = try shop()
    let ids = "SELECT META().id FROM docs ORDER BY META().id "
    #expect(try answer(ids + "LIMIT 2 OFFSET 1", shop) == #""2", "3""#)
    #expect(try answer(ids + "LIMIT -1", shop) == "")
    #expect(try answer(ids + "LIMIT 1 OFFSET -2", shop) == #""1""#)
    #expect(try answer(ids + "OFFSET 4", shop) == #""5""#)
    #expect(try answer(ids + "LIMIT 9 OFFSET 9", shop) == "")
    #expect(throws: OracleError.self) { try answer(ids + "LIMIT 'a'", shop) }
  }

  @Test func groups() throws {
    let shop = try shop()
    #expect(
      try answer("SELECT n, COUNT(*), MIN(s) FROM docs GROUP BY n", shop)
        == #"1 2 "A", null 1 "b", MISSING 1 "b", true 1 "ä""#)
    #expect(try answer("SELECT s, COUNT(*) FROM docs GROUP BY s COLLATE NOCASE", shop) == #""a" 2, "b" 2, "ä" 1"#)
    #expect(try answer("SELECT COUNT(n), SUM(n), AVG(n), MAX(s) FROM docs", shop) == #"3 2.0 1.0 "ä""#)
    #expect(try answer("SELECT COUNT(DISTINCT n), SUM(list[0]) FROM docs", shop) == "2 4")
    #expect(try answer("SELECT COUNT(*), SUM(k), MIN(k), AVG(k) FROM empty", shop) == "0 null null null")
    #expect(try answer("SELECT k, COUNT(*) FROM empty GROUP BY k", shop) == "")
    #expect(try answer("SELECT COUNT(*) + 1 FROM docs HAVING COUNT(*) > 9", shop) == "")
    #expect(
      try answer("SELECT n IS VALUED, COUNT(*) AS c FROM docs GROUP BY n IS VALUED ORDER BY c", shop)
        == "false 2, true 3")
    #expect(throws: OracleError.self) { try answer("SELECT s, COUNT(*) FROM docs GROUP BY n", shop) }
    #expect(throws: OracleError.self) { try answer("SELECT s FROM docs WHERE COUNT(*) > 1", shop) }
  }

  @Test func distinctRows() throws {
    let shop = try shop()
    #expect(try answer("SELECT DISTINCT n FROM docs", shop) == "1, null, MISSING, true")
    #expect(try answer("SELECT DISTINCT s COLLATE NOCASE FROM docs", shop) == #""a", "b", "ä""#)
    #expect(try answer("SELECT DISTINCT [n] FROM docs", shop) == "[1], [null], [true]")
  }

  @Test func joins() throws {
    let shop = try shop()
    #expect(
      try answer("SELECT META(d).id, i.name FROM docs AS d JOIN shop.item AS i ON i.k = d.n WHERE d.s = 'a'", shop)
        == #""1" "pen", "1" "cup""#)
    #expect(
      try answer("SELECT META(d).id, META(i).id, i FROM docs d LEFT JOIN shop.item i ON i.k = d.n + 6", shop)
        == #""1" "3" {"k":7,"name":"hat"}, "2" "3" {"k":7,"name":"hat"}, "3" MISSING MISSING, "4" MISSING MISSING, "5" MISSING MISSING"#
    )
    #expect(try answer("SELECT COUNT(*) FROM docs d CROSS JOIN shop.item i", shop) == "15")
    #expect(try answer("SELECT docs.n FROM docs JOIN item ON TRUE", try database(["docs": ["{}"], "item": []])) == "")
  }

  @Test func elements() throws {
    let shop = try shop()
    #expect(
      try answer("SELECT META(d).id, u FROM docs AS d UNNEST d.list AS u", shop) == #""1" 1, "1" 2, "3" 3"#)
    #expect(
      try answer("SELECT META(d).id, u FROM docs AS d LEFT UNNEST d.list AS u", shop)
        == #""1" 1, "1" 2, "2" MISSING, "3" 3, "4" MISSING, "5" MISSING"#)
  }

  @Test func columnNames() throws {
    func names(_ sql: String) throws -> [String] {
      try SQLParser().parse(sql).columnNames
    }
    #expect(
      try names("SELECT n, o.k, o.l[0], 1 + 1, META().id, COUNT(*), MIN(n) AS min, *, n FROM docs")
        == ["n", "k", "$1", "$2", "id", "$3", "min", "docs", "n #2"])
    #expect(try names("SELECT d.*, d.n, i.n, i.x.n FROM docs d JOIN items i ON TRUE") == ["d", "n", "n #2", "n #3"])
    #expect(try names("SELECT *, META().sequence, n COLLATE NOCASE FROM _") == ["_", "sequence", "$1"])
  }

  @Test func limitsThatSplitTiesAreNotDeterminate() throws {
    let shop = try shop()
    func isDeterminate(_ sql: String) throws -> Bool { try shop.evaluate(SQLParser().parse(sql)).isDeterminate }
    #expect(try isDeterminate("SELECT s FROM docs"))
    #expect(try !isDeterminate("SELECT s FROM docs LIMIT 1"))
    #expect(try isDeterminate("SELECT s FROM docs LIMIT 0"))
    #expect(try isDeterminate("SELECT s FROM docs LIMIT 5"))
    #expect(try isDeterminate("SELECT s FROM docs ORDER BY s LIMIT 3"))
    #expect(try !isDeterminate("SELECT s FROM docs ORDER BY n LIMIT 4"))
  }
}
