import JSONText
import QueryModel
import Testing

struct SQLGrammarTests {
  /// A query, and its printed form; nil if it is printed unchanged.
  @Test(
    arguments: [
      ("SELECT * FROM hotel", nil), ("select name from hotel;", "SELECT name FROM hotel"),
      ("SELECT DISTINCT a, b.c[0].d[-1] AS x FROM _", nil), ("SELECT a x FROM _ y", "SELECT a AS x FROM _ AS y"),
      ("SELECT h.* FROM inventory.hotel AS h", nil), ("SELECT h FROM hotel h", "SELECT h.* FROM hotel AS h"),
      ("SELECT hotel.name, hotel FROM hotel", "SELECT hotel.name, hotel.* FROM hotel"),
      ("SELECT s.hotel.name FROM s.hotel", "SELECT hotel.name FROM s.hotel"),
      ("SELECT a.t.x, b.t.y FROM a.t JOIN b.t ON a.t.id = b.t.id", nil),
      ("SELECT *, META().id, META(h).revisionID FROM hotel AS h", nil),
      ("SELECT META() FROM _", nil), ("SELECT meta().id.x FROM _", "SELECT META().id.x FROM _"),
      ("SELECT 1 + 1", nil), ("SELECT .5 FROM _", "SELECT 0.5 FROM _"), ("SELECT 5. FROM _", "SELECT 5.0 FROM _"),
      ("SELECT 1 LIMIT 1 OFFSET 2", nil),
      ("SELECT 1 OFFSET 2 LIMIT 1", "SELECT 1 LIMIT 1 OFFSET 2"),
      ("SELECT a FROM _ WHERE a GROUP BY a, b HAVING COUNT(*) > 1 ORDER BY a, b DESC LIMIT $n OFFSET $m + 1", nil),
      (
        "SELECT a FROM _ ORDER BY a ASC NULLS LAST, b DESC nulls first",
        "SELECT a FROM _ ORDER BY a NULLS LAST, b DESC NULLS FIRST"
      ),
      ("SELECT 1 FROM a JOIN b ON a.x = b.x", nil),
      ("SELECT 1 FROM a INNER JOIN b AS c ON a.x = c.x", "SELECT 1 FROM a JOIN b AS c ON a.x = c.x"),
      ("SELECT 1 FROM a LEFT OUTER JOIN b ON TRUE", "SELECT 1 FROM a LEFT JOIN b ON TRUE"),
      ("SELECT 1 FROM a CROSS JOIN b CROSS JOIN s.c AS d", nil),
      (
        "SELECT r FROM route AS t UNNEST t.schedule AS r WHERE r.day = 1",
        "SELECT r.* FROM route AS t UNNEST t.schedule AS r WHERE r.day = 1"
      ),
      ("SELECT schedule.day FROM route UNNEST route.schedule", nil), ("SELECT x.* FROM a LEFT UNNEST a.b AS x", nil),
      ("SELECT -- all\n * /* really\n all */ FROM _", "SELECT * FROM _"),
      ("SELECT `select`, `a b`.`c``d`, `ünï` FROM `my-db`.`x y` AS `from`", nil),
      ("SELECT h.`from`, h.* FROM hotel AS h", nil),
      ("SELECT h.from, h.* FROM hotel h", "SELECT h.`from`, h.* FROM hotel AS h"),
      ("SELECT ünï, a.order FROM _", "SELECT `ünï`, a.`order` FROM _"),
      (
        "SELECT exists, some, all, meta, match, nulls, first FROM _",
        "SELECT `exists`, `some`, `all`, meta, match, nulls, first FROM _"
      ),
      ("SELECT a COLLATE NOCASE AS b FROM _ ORDER BY a COLLATE (UNICODE:de NOCASE) DESC", nil),
    ] as [(String, String?)])
  func queriesRoundTrip(text: String, printed: String?) throws {
    let query = try SQLParser().parse(text)
    #expect(query.description == printed ?? text)
    #expect(try SQLParser().parse(query.description) == query)
  }

  @Test(
    arguments: [
      ("MISSING", nil), ("null", "NULL"), ("True", "TRUE"), ("0", nil), ("-5", nil), ("- 5", "-5"), ("+5", "5"),
      ("9223372036854775807", nil), ("-9223372036854775808", nil), ("9223372036854775808", "9.223372036854776e+18"),
      ("1.50", "1.5"), ("1E3", "1000.0"), ("2e-7", "2e-07"), ("-0.0", nil),
      (".5", "0.5"), ("-.5", "-0.5"), (".5e1", "5.0"), ("5.", "5.0"), ("-5.", "-5.0"), ("5.e3", "5000.0"),
      ("5.+.5", "5.0 + 0.5"), ("2.*.5", "2.0 * 0.5"), ("[.5,.5, 1.]", "[0.5, 0.5, 1.0]"), ("a>.5", "a > 0.5"),
      ("a > .5", "a > 0.5"), ("{'a':.5}", "{'a': 0.5}"), ("a BETWEEN .5 AND 5.", "a BETWEEN 0.5 AND 5.0"),
      ("5.x", "(5).x"), ("5.e3x", "(5).e3x"), ("(5).e3", nil), ("5.`a b`", "(5).`a b`"), ("1.5.x", "(1.5).x"),
      ("5[0]", "(5)[0]"), ("a IN ((5).x)", "a IN ((5).x)"), ("a IN 5.x", "a IN (((5).x))"), ("a[1].b", nil),
      ("'it''s'", nil), ("\"it's \"\"it\"\"\"", "'it''s \"it\"'"), ("''", nil), ("'\\n'", nil),
      ("[]", nil), ("[1, 'a', [TRUE]]", nil), ("{}", nil), ("{'a': 1, \"b\": {c: []}}", "{'a': 1, 'b': {'c': []}}"),
      ("[1, 2][0]", nil), ("{'a': 1}.a", nil), ("$p.a[0]", nil), ("$`odd name`", nil), ("$1", nil),
      ("(a).b[0].c", "a.b[0].c"),
      ("lower(name)", "LOWER(name)"), ("isArray(a)", "IS_ARRAY(a)"), ("COUNT(*)", nil),
      ("COUNT()", "COUNT(*)"),
      ("count(distinct a)", "COUNT(DISTINCT a)"),
      ("PI()", nil), ("ARRAY_OF(1, 2, 3)", nil), ("SPLIT(a, ',')[-1]", nil), ("(a + b).c", nil),
      ("CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' ELSE 'z' END", nil), ("CASE WHEN a = 1 THEN b END", nil),
      ("ANY v IN a SATISFIES v = 1 END", nil),
      ("SOME v IN a SATISFIES v.x[0] = v END", "ANY v IN a SATISFIES v.x[0] = v END"),
      ("SOME AND EVERY v IN a SATISFIES v END", "ANY AND EVERY v IN a SATISFIES v END"),
      ("some AND b", "`some` AND b"),
      ("EVERY v IN a SATISFIES v END", nil), ("ANY AND EVERY v IN [1, 2] SATISFIES v > 0 END", nil),
      ("ANY a IN b SATISFIES EVERY c IN a.d SATISFIES c = a END END", nil),
      ("(ANY v IN a SATISFIES v END).b", "ANY v IN a SATISFIES v END.b"),
      ("a IS NULL", nil), ("a IS NOT NULL", nil), ("a NOT NULL", "a IS NOT NULL"),
      ("a NOT MISSING", "a IS NOT MISSING"),
      ("a NOT VALUED", "a IS NOT VALUED"), ("a IS MISSING", nil), ("a IS VALUED", nil), ("a IS NOT VALUED", nil),
      ("a IS 'x'", nil), ("a IS NOT b", nil), ("NOT a IS NULL", "a IS NOT NULL"), ("NOT NOT a IN b", "NOT a NOT IN b"),
      ("a IN (1, 2)", nil), ("a IN [1, 2]", "a IN (1, 2)"), ("a IN ()", nil), ("a NOT IN (b)", nil),
      ("a IN b.list", nil),
      ("a IN $list", nil), ("a IN ((b || c))", nil), ("a IN b || c", "a IN ((b || c))"), ("META(r).id IN p.x", nil),
      ("a IN ((b).c)", "a IN (b.c)"),
      ("a IN ((b + 1), 2)", "a IN (b + 1, 2)"), ("a IN ((1))", "a IN 1"),
      ("a BETWEEN 1 AND 2 AND b", nil), ("a NOT BETWEEN 1 AND b + 1", nil), ("a LIKE '%x\\_'", nil),
      ("a NOT LIKE b || '%'", nil),
      ("EXISTS a", nil), ("NOT EXISTS a", nil), ("EXISTS (a + b)", nil), ("exists(a)", "EXISTS a"),
      ("exists = 1", "`exists` = 1"),
      ("a == b", "a = b"), ("a <> b", "a != b"), ("a<b", "a < b"), ("a>=b", "a >= b"), ("1--2\n", "1"), ("1 - -2", nil),
      ("-(-2)", nil), ("-(2)", nil), ("-a.b", nil), ("- - a", "-(-a)"),
      ("MATCH(i, 'red')", nil), ("match('i', $q)", "MATCH(i, $q)"), ("MATCH(r.`i-1`, a || b)", nil), ("RANK(i)", nil),
      ("RANK(r.i) > 1", nil),
      ("a COLLATE NOCASE", nil), ("a COLLATE CASE", "a COLLATE NOUNICODE"), ("a COLLATE unicode", "a COLLATE UNICODE"),
      ("a COLLATE (NOCASE NODIAC UNICODE:se)", "a COLLATE (UNICODE:se NOCASE NODIAC)"),
      ("a COLLATE UNICODE:es-419", "a COLLATE UNICODE:`es-419`"),
      ("a COLLATE (UNICODE DIACRITIC)", "a COLLATE UNICODE"), ("a COLLATE NODIAC", "a COLLATE (UNICODE NODIAC)"),
      ("r.*", nil), ("r IS NOT MISSING", "r.* IS NOT MISSING"), ("p.a.b", nil),
    ] as [(String, String?)])
  func expressionsRoundTrip(text: String, printed: String?) throws {
    let sources = [
      QuerySource(.collection(CollectionPath("r"))), QuerySource(.collection(CollectionPath("q")), alias: "p"),
    ]
    let expression = try SQLParser().parseExpression(text, sources: sources)
    #expect(SQLPrinter().text(of: expression, sources: sources) == printed ?? text)
    #expect(try SQLParser().parseExpression(printed ?? text, sources: sources) == expression)
  }

  /// `ALL` after `SELECT` has no effect. It is a name if no column can begin after it.
  @Test(arguments: [
    ("SELECT ALL s, n FROM items", "SELECT s, n FROM items"), ("select all s x FROM _", "SELECT s AS x FROM _"),
    ("SELECT ALL * FROM _", "SELECT * FROM _"), ("SELECT ALL *", "SELECT *"), ("SELECT ALL *, a", "SELECT *, a"),
    ("SELECT ALL h.* FROM x AS h", "SELECT h.* FROM x AS h"), ("SELECT ALL 'a'", "SELECT 'a'"),
    ("SELECT ALL (a), b FROM _", "SELECT a, b FROM _"), ("SELECT ALL(a + b)", "SELECT a + b"),
    ("SELECT ALL -a", "SELECT -a"), ("SELECT ALL NOT a", "SELECT NOT a"), ("SELECT ALL NULL", "SELECT NULL"),
    ("SELECT ALL [1, 2]", "SELECT [1, 2]"), ("SELECT ALL all FROM _", "SELECT `all` FROM _"),
    ("SELECT ALL `all` FROM _", "SELECT `all` FROM _"), ("SELECT ALL COUNT(*) FROM _", "SELECT COUNT(*) FROM _"),
    ("SELECT all FROM _", "SELECT `all` FROM _"), ("SELECT ALL, x FROM _", "SELECT `ALL`, x FROM _"),
    ("SELECT all AS x FROM _", "SELECT `all` AS x FROM _"), ("SELECT all.a, all[0]", "SELECT `all`.a, `all`[0]"),
    ("SELECT all[-1]", "SELECT `all`[-1]"), ("SELECT all * 2 FROM _", "SELECT `all` * 2 FROM _"),
    ("SELECT all = 1", "SELECT `all` = 1"), ("SELECT all NOT IN (1)", "SELECT `all` NOT IN (1)"),
    ("SELECT `all` x", "SELECT `all` AS x"), ("SELECT x, all FROM _", "SELECT x, `all` FROM _"),
    ("SELECT all.a FROM all", "SELECT `all`.a FROM `all`"),
  ]) func allAfterSelect(text: String, printed: String) throws {
    let query = try SQLParser().parse(text)
    #expect(query.description == printed)
    #expect(!query.isDistinct)
    #expect(try SQLParser().parse(printed) == query)
  }

  /// A text, and the same with all parentheses.
  @Test(arguments: [
    ("NOT a = b", "NOT (a = b)"), ("NOT a AND b", "(NOT a) AND b"), ("a OR b AND c", "a OR (b AND c)"),
    ("a AND b OR c AND d", "(a AND b) OR (c AND d)"), ("a = b = c", "(a = b) = c"), ("a < b = c", "(a < b) = c"),
    ("a = b < c", "a = (b < c)"), ("a < b + c * d || e", "a < (b + (c * (d || e)))"), ("a - b - c", "(a - b) - c"),
    ("a - (b - c)", "a - (b - c)"), ("a * b + c", "(a * b) + c"), ("a || b || c", "(a || b) || c"),
    ("-a || b", "(-a) || b"),
    ("-a.b[0]", "-(a.b[0])"), ("a IS NULL = b", "(a IS NULL) = b"), ("a = b IS NULL", "(a = b) IS NULL"),
    ("a IS b + 1", "a IS (b + 1)"), ("a IN (1) AND b", "(a IN (1)) AND b"),
    ("a BETWEEN b AND c AND d", "(a BETWEEN b AND c) AND d"),
    ("NOT a LIKE b", "NOT (a LIKE b)"), ("a = NOT b = c", "a = (NOT (b = c))"),
    ("NOT EXISTS a = b", "NOT ((EXISTS a) = b)"),
    ("a = b COLLATE NOCASE", "(a = b) COLLATE NOCASE"), ("a OR b COLLATE NOCASE", "(a OR b) COLLATE NOCASE"),
    ("a = b COLLATE NOCASE AND c", "((a = b) COLLATE NOCASE) AND c"),
    ("a COLLATE NOCASE = b", "(a COLLATE NOCASE) = b"),
    ("x AND a COLLATE NOCASE = b", "x AND ((a COLLATE NOCASE) = b)"),
    ("a COLLATE NOCASE NOT IN (b)", "(a COLLATE NOCASE) NOT IN (b)"),
    ("a + b COLLATE NOCASE || c", "a + ((b COLLATE NOCASE) || c)"),
  ]) func operatorsFollowPrecedence(text: String, grouped: String) throws {
    let parser = SQLParser()
    #expect(try parser.parseExpression(text) == parser.parseExpression(grouped))
  }

  @Test func andChainsAreFlat() throws {
    let parser = SQLParser()
    func name(_ name: String) -> QueryExpression { .property(PropertyPath([.key(name)]), source: nil) }
    #expect(try parser.parseExpression("a AND b AND c") == .and([name("a"), name("b"), name("c")]))
    #expect(try parser.parseExpression("(a AND b) AND c") == .and([.and([name("a"), name("b")]), name("c")]))
    #expect(name("a").or(name("b")).or(name("c")) == .or([name("a"), name("b"), name("c")]))
    #expect(QueryExpression.and([.and([name("a"), name("b")]), name("c")]).description == "(a AND b) AND c")
  }

  @Test func variablesShadowSourcesInScope() throws {
    let query = try SQLParser().parse("SELECT r.x FROM r WHERE ANY r IN r.y SATISFIES r.z END AND r.z")
    guard case .and(let operands)? = query.filter, case .quantified(_, _, let array, let condition) = operands[0] else {
      Issue.record("not a conjunction")
      return
    }
    #expect(array == .property(PropertyPath([.key("y")]), source: "r"))
    #expect(condition == .variable("r", PropertyPath([.key("z")])))
    #expect(operands[1] == .property(PropertyPath([.key("z")]), source: "r"))
  }

  @Test(arguments: SQLKeyword.allCases) func reservedWordsNeedBackticks(keyword: SQLKeyword) throws {
    let parser = SQLParser()
    for word in [keyword.rawValue, keyword.rawValue.lowercased()] {
      let query = try parser.parse("SELECT `\(word)`, a.\(word) FROM _ AS `\(word)x`")
      #expect(query.columns[0].expression == .property(PropertyPath([.key(word)]), source: nil))
      #expect(query.columns[1].expression == .property(PropertyPath([.key("a"), .key(word)]), source: nil))
      #expect(query.description.hasPrefix("SELECT `\(word)`, a.`\(word)` FROM"))
      // Literals are not names either.
      let bare = try? parser.parseExpression(word)
      if case .property? = bare { Issue.record("\(word) was taken for a name") }
      #expect(throws: QuerySyntaxError.self) { try parser.parse("SELECT a AS \(word) FROM _") }
    }
  }

  @Test func sourcesAreResolvedInConstructedQueries() throws {
    let hand = SelectQuery(
      columns: [ResultColumn(.property(PropertyPath([.key("h"), .key("name")]), source: nil))],
      sources: [QuerySource(.collection(CollectionPath("hotel")), alias: "h")])
    #expect(try hand.resolvingSources() == SQLParser().parse("SELECT h.name FROM hotel AS h"))
  }

  @Test func everyFunctionParses() throws {
    var names: Set<String> = ["META", "MATCH", "RANK"]
    for function in QueryFunction.allCases {
      let bounds = function.argumentCount
      for name in [function.rawValue, function.rawValue.lowercased()] + function.aliases {
        if name == name.uppercased() { #expect(names.insert(name).inserted, "\(name) stands for two functions") }
        for count in [bounds.minimum, bounds.maximum ?? 20] {
          let arguments = [String](repeating: "a", count: count).joined(separator: ", ")
          let parsed = try SQLParser().parseExpression("\(name)(\(arguments))")
          guard case .function(function, let values, isDistinct: false) = parsed else {
            Issue.record("\(name) is not \(function)")
            continue
          }
          #expect(values.count == count)
        }
      }
    }
  }

  @Test func longConditionsAndListsParse() throws {
    let terms = (0..<20_000).map { "a = \($0)" }.joined(separator: " OR ")
    guard case .or(let operands) = try SQLParser().parseExpression(terms) else {
      Issue.record("not a disjunction")
      return
    }
    #expect(operands.count == 20_000)
    let list = (0..<20_000).map(String.init).joined(separator: ", ")
    #expect(try SQLParser().parseExpression("a IN (\(list))").children[1].children.count == 20_000)
  }
}
