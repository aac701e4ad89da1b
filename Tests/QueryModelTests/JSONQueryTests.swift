import JSONText
import QueryModel
import Testing

struct JSONQueryTests {
  /// JSON as users write it, and the same query in SQL++.
  @Test(arguments: [
    (#"["=", [".type"], "hotel"]"#, "SELECT META().id, META().sequence FROM _ WHERE type = 'hotel'"),
    (
      #"{"WHERE": ["AND", ["=", [".", "grade"], 12], [">=", [".gpa"], ["$", "GPA"]]]}"#,
      "SELECT META().id, META().sequence FROM _ WHERE grade = 12 AND gpa >= $GPA"
    ),
    (
      #"["SELECT", {"WHAT": [[".", "name", "first"], ["AS", [".name.last"], "l"]]}]"#,
      "SELECT name.first, name.last AS l FROM _"
    ),
    (
      #"{"what": [["."]], "from": [{"collection": "inventory.hotel", "as": "h"}], "limit": 10, "offset": ["$n"]}"#,
      "SELECT * FROM inventory.hotel AS h LIMIT 10 OFFSET $n"
    ),
    (
      #"{"WHAT": [[".h."], [".h.name"], [".h._id"], ["._sequence"]], "FROM": [{"AS": "h"}]}"#,
      "SELECT h.*, h.name, META(h).id, META().sequence FROM _ AS h"
    ),
    (
      #"{"WHAT": [["_.", ["META()", "h"], ".id"], ["_.id", ["META()"]]], "FROM": [{"AS": "h"}]}"#,
      "SELECT META(h).id, META().id FROM _ AS h"
    ),
    (
      #"{"WHAT": [[".a.x"]], "FROM": [{"COLLECTION": "a"}, {"COLLECTION": "b", "JOIN": "left outer", "ON": ["=", [".a.k"], [".b.k"]]}, {"COLLECTION": "c", "JOIN": "CROSS"}, {"UNNEST": [".a.list"], "AS": "l"}]}"#,
      "SELECT a.x FROM a LEFT JOIN b ON a.k = b.k CROSS JOIN c UNNEST a.list AS l"
    ),
    (
      #"{"DISTINCT": true, "WHAT": [["COUNT()", ["."]], ["COUNT()"], ["count()", ["DISTINCT", [".a"]]]], "GROUP_BY": [[".a"]], "HAVING": [">", ["SUM()", [".b"]], 1], "ORDER_BY": [[".a"], ["DESC", [".b"]], ["asc nulls last", [".c"]]]}"#,
      "SELECT DISTINCT COUNT(*), COUNT(*), COUNT(DISTINCT a) FROM _ GROUP BY a HAVING SUM(b) > 1 ORDER BY a, b DESC, c NULLS LAST"
    ),
    (
      #"["ANY", "v", [".list[0]"], ["=", ["?v.x"], ["?", "v", "y", [0]]]]"#,
      "SELECT META().id, META().sequence FROM _ WHERE ANY v IN list[0] SATISFIES v.x = v.y[0] END"
    ),
    (
      #"["COLLATE", {"UNICODE": true, "CASE": false, "DIAC": false, "LOCALE": "se"}, ["=", [".a"], "b"]]"#,
      "SELECT META().id, META().sequence FROM _ WHERE a = 'b' COLLATE (UNICODE:se NOCASE NODIAC)"
    ),
    (#"["MATCH()", "idx", "red"]"#, "SELECT META().id, META().sequence FROM _ WHERE MATCH(idx, 'red')"),
    (
      #"{"WHAT": [["RANK()", "h.idx"]], "FROM": [{"AS": "h"}], "WHERE": ["MATCH()", "h.idx", ["$q"]]}"#,
      "SELECT RANK(h.idx) FROM _ AS h WHERE MATCH(h.idx, $q)"
    ),
    (
      #"["NOT IN", [".a"], ["[]", 1, null, ["MISSING"]]]"#,
      "SELECT META().id, META().sequence FROM _ WHERE a NOT IN (1, NULL, MISSING)"
    ),
    (
      #"["OR", ["IS NOT", [".a"], null], ["NOT BETWEEN", [".b"], 1, 2], ["IS NOT VALUED", [".c"]], ["NOT LIKE", [".d"], "%"], ["ILIKE", [".e"], "x"]]"#,
      "SELECT META().id, META().sequence FROM _ WHERE a IS NOT NULL OR b NOT BETWEEN 1 AND 2 OR c IS NOT VALUED OR d NOT LIKE '%' OR e ILIKE 'x'"
    ),
    (
      #"["CASE", null, ["=", [".a"], 1], "x", "y"]"#,
      "SELECT META().id, META().sequence FROM _ WHERE CASE WHEN a = 1 THEN 'x' ELSE 'y' END"
    ),
    (#"["=", ["+", 1, 2, 3], ["-", [".a"]]]"#, "SELECT META().id, META().sequence FROM _ WHERE 1 + 2 + 3 = -a"),
    (#"{"WHAT": [{"k": [".a"]}], "FROM": []}"#, "SELECT {'k': a}"),
    (#"[".a\\.b.c\\[0].d\\\\e"]"#, "SELECT META().id, META().sequence FROM _ WHERE `a.b`.`c[0]`.`d\\e`"),
  ]) func schemaFormsParse(json: String, sql: String) throws {
    let query = try JSONQueryParser().parse(json)
    #expect(query == (try SQLParser().parse(sql)), "\(query)")
  }

  @Test(arguments: [
    (
      "SELECT name FROM hotel WHERE stars >= 4",
      #"{"WHAT":[[".name"]],"FROM":[{"COLLECTION":"hotel"}],"WHERE":[">=",[".stars"],4]}"#
    ),
    ("SELECT h.* FROM _ AS h LIMIT 1", #"{"WHAT":[[".h."]],"FROM":[{"COLLECTION":"_","AS":"h"}],"LIMIT":1}"#),
    ("SELECT _id, META().id", #"{"WHAT":[["_._id",["."]],["._id"]],"FROM":[]}"#),
    (
      "SELECT LOWER(a) AS x ORDER BY x DESC NULLS FIRST",
      #"{"WHAT":[["AS",["LOWER()",[".a"]],"x"]],"FROM":[],"ORDER_BY":[["DESC NULLS FIRST",[".x"]]]}"#
    ),
    (
      "SELECT CASE NULL WHEN a THEN 1 END, a IN (1)",
      #"{"WHAT":[["CASE",["NULL"],[".a"],1],["IN",[".a"],["[]",1]]],"FROM":[]}"#
    ),
  ]) func queriesAreWrittenInSchemaForm(sql: String, json: String) throws {
    #expect(JSONQueryWriter().value(of: try SQLParser().parse(sql)).text == json)
  }

  @Test(arguments: [
    ("{", "JSON query: this is not JSON: "),
    ("12", #"JSON query: a query is an object or an operation such as ["=", [".name"], "x"], not 12"#),
    ("[]", #"JSON query: a query is an object or an operation such as ["=", [".name"], "x"], not []"#),
    (#"["=", 1]"#, "JSON query: = takes 2 operands, 1 given"),
    (#"["=>", 1, 2]"#, #"JSON query: there is no operation "=>"; an array literal is ["[]", …]"#),
    (#"["AND", true, ["NOT"]]"#, "JSON query, at [2]: NOT takes 1 operand, 0 given"),
    (
      #"{"WHERE": ["OR", true, ["=", [".a"], [1]]]}"#,
      #"JSON query, at WHERE[2][2]: an operation begins with its name, as in [".name"]; an array is ["[]", …]"#
    ),
    (
      #"{"WHAT": [".", "x"]}"#,
      #"JSON query, at WHAT: WHAT is a list of expressions: [[".", …]], with two pairs of brackets"#
    ),
    (#"{"WHAT": 1}"#, "JSON query, at WHAT: WHAT must be an array, not 1"),
    (#"{"DISTINCT": 1}"#, "JSON query, at DISTINCT: DISTINCT must be true or false, not 1"),
    (
      #"{"WHO": 1}"#,
      #"JSON query, at WHO: a query has no member "WHO"; the members are WHAT, DISTINCT, FROM, WHERE, GROUP_BY, HAVING, ORDER_BY, LIMIT and OFFSET"#
    ),
    (
      #"{"FROM": [{"UNNEST": [".a"], "AS": "b"}]}"#,
      "JSON query, at FROM[0]: the first source must be a collection; UNNEST comes after it"
    ),
    (#"{"FROM": [{}, {"AS": "b"}]}"#, #"JSON query, at FROM[1]: this join needs a condition: "ON""#),
    (
      #"{"FROM": [{}, {}]}"#,
      #"JSON query, at FROM[1]: two sources are called "_": give one of them another name with AS"#
    ),
    (
      #"{"FROM": [{}, {"JOIN": "RIGHT"}]}"#,
      #"JSON query, at FROM[1].JOIN: only INNER, LEFT OUTER and CROSS joins are supported, not "RIGHT""#
    ),
    (
      #"{"FROM": [{"COLLECTION": "a.b.c"}]}"#,
      #"JSON query, at FROM[0].COLLECTION: a collection is called "name" or "scope.name", not "a.b.c""#
    ),
    (
      #"{"FROM": [{"X": 1}]}"#,
      #"JSON query, at FROM[0].X: a source has no member "X"; the members are COLLECTION, SCOPE, UNNEST, AS, JOIN and ON"#
    ),
    (#"["lowr()", [".a"]]"#, "JSON query: there is no function lowr(); did you mean LOWER()?"),
    (#"["POWER()", 1]"#, "JSON query: POWER takes 2 arguments, 1 given"),
    (#"["META()", "x"]"#, #"JSON query, at [1]: no source of the query is called "x""#),
    (#"[".a[x]"]"#, #"JSON query: "a[x]" is not a path such as a.b[0]"#),
    (#"[".", 1]"#, #"JSON query, at [1]: a path component must be a key or a position, "name" or [0], not 1"#),
    (#"["COLLATE", {"X": true}, 1]"#, #"JSON query, at [1].X: COLLATE has no option "X"; the options are UNNEST"#),
  ]) func errorsHavePaths(json: String, message: String) {
    let error = #expect(throws: JSONQueryError.self) { try JSONQueryParser().parse(json) }
    let text = message.replacing("are UNNEST", with: "are UNICODE, LOCALE, CASE and DIAC")
    #expect(
      error?.description == text || (json == "{" && error?.description.hasPrefix(text) == true),
      "\(String(describing: error))")
  }

  /// When each NOT of a name was a call of the parser, a long name exhausted the stack.
  @Test func operatorNameHasOneNegation() {
    for name in [
      "NOT NOT IN", "IS NOT NOT", "NOT IS NULL", "NOT =", String(repeating: "NOT ", count: 70_000) + "IN",
      "IS" + String(repeating: " NOT", count: 70_000) + " NULL",
    ] {
      let value = JSONValue.array([.string(name), .int64(1), .array([.string("[]"), .int64(1)])])
      let error = #expect(throws: JSONQueryError.self) { try JSONQueryParser().parse(value) }
      #expect(error?.reason.hasPrefix("there is no operation") == true, "\(name.prefix(20))")
    }
  }

  @Test func deepNestingThrows() {
    var value = JSONValue.int64(1)
    for _ in 0..<600 { value = .array([.string("NOT"), value]) }
    #expect(throws: JSONQueryError.self) { try JSONQueryParser().parse(value) }
    let text = String(repeating: #"["NOT","#, count: 100_000) + "1" + String(repeating: "]", count: 100_000)
    #expect(throws: JSONQueryError.self) { try JSONQueryParser().parse(text) }
    let sum = JSONValue.array([.string("+")] + [JSONValue](repeating: .int64(1), count: 10_000))
    #expect(throws: JSONQueryError.self) { try JSONQueryParser().parse(sum) }
    let either = JSONValue.array([.string("OR")] + [JSONValue](repeating: .boolean(true), count: 10_000))
    #expect(throws: Never.self) { try JSONQueryParser().parse(either) }
  }
}
