import JSONText
import QueryModel
import Testing

/// Compares parsed predicate strings with the equivalent SQL++ parsed by ``SQLParser``.
struct PredicateTests {
  static let unicode = "COLLATE UNICODE"

  @Test(arguments: [
    ("type == 'user' && price < $MaxPrice", "type = 'user' AND price < $MaxPrice"),
    ("a = 1", "a = 1"), ("a == 1", "a = 1"), ("a != 1", "a != 1"), ("a <> 1", "a != 1"), ("a < 1", "a < 1"),
    ("a <= 1", "a <= 1"), ("a =< 1", "a <= 1"), ("a > 1", "a > 1"), ("a >= 1", "a >= 1"), ("a => 1", "a >= 1"),
    ("a BETWEEN {1, 5}", "a BETWEEN 1 AND 5"), ("a between $range", "a BETWEEN $range[0] AND $range[1]"),
    ("a BETWEEN limits", "a BETWEEN limits[0] AND limits[1]"), ("a BETWEEN {$low, b + 1}", "a BETWEEN $low AND b + 1"),
    ("a == 1 AND b == 2 OR c == 3", "a = 1 AND b = 2 OR c = 3"),
    ("a == 1 and (b == 2 || c == 3)", "a = 1 AND (b = 2 OR c = 3)"),
    ("NOT a == 1", "NOT a = 1"), ("!a == 1", "NOT a = 1"), ("!(a == 1) && b == 2", "(NOT a = 1) AND b = 2"),
    ("not not a == 1", "NOT NOT a = 1"), ("TRUEPREDICATE", "TRUE"), ("falsepredicate", "FALSE"),
    ("admin", "admin"), ("(((a))) == (1)", "a = 1"), ("a==1&&b!=2||!c>3", "a = 1 AND b != 2 OR NOT c > 3"),
  ]) func conditionsParse(predicate: String, sql: String) throws { try check(predicate, sql) }

  @Test(arguments: [
    ("a == nil", "a IS NOT VALUED"), ("a = NULL", "a IS NOT VALUED"), ("nil == a", "a IS NOT VALUED"),
    ("a != nil", "a IS VALUED"), ("null <> a", "a IS VALUED"), ("a == YES", "a = TRUE"), ("a == no", "a = FALSE"),
    ("a == true || a == False", "a = TRUE OR a = FALSE"), ("a == 0x1F", "a = 31"), ("a == 0o17", "a = 15"),
    ("a == 0b101", "a = 5"), ("a == -0x10", "a = -16"), ("a == 1.5e3", "a = 1500.0"), ("a == -5", "a = -5"),
    ("a == -9223372036854775808", "a = -9223372036854775808"), ("a == 9223372036854775808", "a = 9223372036854775808"),
    (#"a == "it's""#, "a = 'it''s'"), (#"a == 'it\'s'"#, "a = 'it''s'"), (#"a == '\\ \" \n'"#, "a = '\\ \" \n'"),
    (#"a == '\u00e9\x41\102'"#, "a = 'éAB'"), (#"a == '\d\ud800\x\9'"#, #"a = '\d\ud800\x\9'"#), ("a == ''", "a = ''"),
    (#"a == '\ud83d\ude00x\UD83D\UDE00'"#, "a = '😀x😀'"), (#"a == '\ud83d\u0041'"#, #"a = '\ud83dA'"#),
    (#"a == '\ude00\ud83d'"#, #"a = '\ude00\ud83d'"#), (#"a == '\ud83d\ude0'"#, #"a = '\ud83d\ude0'"#),
    ("a == '%@ $x'", "a = '%@ $x'"), ("a == {}", "a = []"), ("a == {1, {'x'}, b}", "a = [1, ['x'], b]"),
  ]) func literalsParse(predicate: String, sql: String) throws { try check(predicate, sql) }

  @Test(arguments: [
    ("name.first == 'x'", "name.first = 'x'"), ("SELF.name.in == 1", "name.`in` = 1"), ("#in == 1", "`in` = 1"),
    ("#and.between.or == 1", "`and`.between.`or` = 1"), ("`odd name`.`b``c` == 1", "`odd name`.`b``c` = 1"),
    ("size > 3 and first = last", "size > 3 AND first = last"), ("naïve == 1", "naïve = 1"),
    ("a[0].b[-1] == 1", "a[0].b[-1] = 1"), ("a[FIRST].b[last] == 1", "a[0].b[-1] = 1"),
    ("a['odd key']['b'] == 1", "a.`odd key`.b = 1"), ("a[SIZE] > 2", "ARRAY_LENGTH(a) > 2"),
    ("a.b.@count > 2", "ARRAY_LENGTH(a.b) > 2"), ("a.@sum == a.@max.self", "ARRAY_SUM(a) = ARRAY_MAX(a)"),
    ("a.@avg.SELF > a.@min", "ARRAY_AVG(a) > ARRAY_MIN(a)"),
    ("a.@distinctUnionOfObjects.@count == 1", "ARRAY_LENGTH(ARRAY_DISTINCT(a)) = 1"),
    ("_id == 'x' AND SELF._sequence > 4", "META().id = 'x' AND META().sequence > 4"),
    ("#_id == 1 AND a._id == 2", "`_id` = 1 AND a._id = 2"), ("META().revisionID == $r", "META().revisionID = $r"),
    ("$p.name[0] == 1", "$p.name[0] = 1"), ("(a + b).c == 1", "(a + b).c = 1"), ("{1, 2}[0] == 1", "[1, 2][0] = 1"),
    ("$`a b` == $1", "$`a b` = $1"),
  ]) func pathsParse(predicate: String, sql: String) throws { try check(predicate, sql) }

  @Test(arguments: [
    ("a BEGINSWITH 'x'", "a LIKE 'x%'"), ("a beginswith '5%_\\\\'", #"a LIKE '5\%\_\\%'"#),
    ("a ENDSWITH 'x'", "a LIKE '%x'"),
    ("a BEGINSWITH[cd] 'x'", "a LIKE 'x%' COLLATE (UNICODE NOCASE NODIAC)"),
    ("a ENDSWITH[c] 'x'", "a LIKE '%x' COLLATE (UNICODE NOCASE)"),
    ("a BEGINSWITH $p", "POSITION(a, $p) = 0"), ("'x' BEGINSWITH a", "POSITION('x', a) = 0"),
    ("a ENDSWITH b", "POSITION(REVERSE(a), REVERSE(b)) = 0"),
    (
      "a BEGINSWITH[d] $p",
      #"a LIKE REGEXP_REPLACE(REGEXP_REPLACE($p, '[\\%_]', '\$0'), '\z', '%') COLLATE (UNICODE NODIAC)"#
    ),
    (
      "a ENDSWITH[c] $p",
      #"a LIKE REGEXP_REPLACE(REGEXP_REPLACE($p, '[\\%_]', '\$0'), '\A', '%') COLLATE (UNICODE NOCASE)"#
    ),
    (#"a LIKE '*b?c%_\*\?\\'"#, #"a LIKE '%b_c\%\_\*\?\'"#), ("a LIKE[c] 'x*'", "a LIKE 'x%' COLLATE (UNICODE NOCASE)"),
    (
      "a LIKE $p",
      #"a LIKE REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE($p, '(?s)\\.(*SKIP)(*FAIL)|[%_]', '\$0'), "#
        + #"'(?s)\\.(*SKIP)(*FAIL)|\*', '%'), '(?s)\\.(*SKIP)(*FAIL)|\?', '_')"#
    ),
    (#"a MATCHES '\d+'"#, #"REGEXP_LIKE(a, '\d+')"#), (#"a matches[C] '\\d+'"#, #"REGEXP_LIKE(a, '(?i)\d+')"#),
    ("a MATCHES $p", "REGEXP_LIKE(a, $p)"),
    ("a MATCHES[c] $p", #"REGEXP_LIKE(a, REGEXP_REPLACE($p, '\A', '(?i)'))"#),
    ("a CONTAINS 'x'", "CONTAINS(a, 'x') OR ARRAY_CONTAINS(a, 'x')"),
    ("a CONTAINS[cd] $p", "(CONTAINS(a, $p) OR ARRAY_CONTAINS(a, $p)) COLLATE (UNICODE NOCASE NODIAC)"),
    ("a CONTAINS 5", "ARRAY_CONTAINS(a, 5)"), ("{1, 2} CONTAINS a", "a IN (1, 2)"),
    ("'abc' CONTAINS a", "CONTAINS('abc', a)"),
    ("a ==[c] 'x'", "a = 'x' COLLATE (UNICODE NOCASE)"), ("a <[d] b", "a < b COLLATE (UNICODE NODIAC)"),
    ("a ==[l] 'x'", "a = 'x' COLLATE UNICODE"), ("a ==[n] 'x'", "a = 'x'"),
    ("a ==[c] 'x' AND b == 'y'", "(a = 'x' COLLATE (UNICODE NOCASE)) AND b = 'y'"),
    ("NOT a ==[c] 'x'", "NOT (a = 'x' COLLATE (UNICODE NOCASE))"),
    ("(a == b) ==[c] c", "((a = b) COLLATE NOUNICODE) = c COLLATE (UNICODE NOCASE)"),
    (
      "TERNARY(a == 'x' AND b, c, d) ==[c] 'y'",
      "CASE WHEN (a = 'x' COLLATE NOUNICODE) AND b THEN c ELSE d END = 'y' COLLATE (UNICODE NOCASE)"
    ),
  ]) func stringComparisonsParse(predicate: String, sql: String) throws { try check(predicate, sql) }

  @Test(arguments: [
    ("a IN {1, 'x', b}", "a IN (1, 'x', b)"), ("a in {}", "a IN ()"), ("a IN $list", "a IN $list"),
    ("a IN[c] {'x'}", "a IN ('x') COLLATE (UNICODE NOCASE)"), ("a IN 'abc'", "CONTAINS('abc', a)"),
    ("5 IN a", "5 IN a"),
    ("'x' IN a.b", "'x' IN a.b OR CONTAINS(a.b, 'x')"), ("NOT a IN {1}", "a NOT IN (1)"),
    ("a IN split('x y', ' ')", "a IN SPLIT('x y', ' ') OR CONTAINS(SPLIT('x y', ' '), a)"),
    ("ANY tags == 'x'", "ANY element IN tags SATISFIES element = 'x' END"),
    ("SOME tags IN {'x', 'y'}", "ANY element IN tags SATISFIES element IN ('x', 'y') END"),
    ("ALL tags BETWEEN {1, 2}", "EVERY element IN tags SATISFIES element BETWEEN 1 AND 2 END"),
    ("NONE tags == 'x'", "NOT ANY element IN tags SATISFIES element = 'x' END"),
    ("ANY tags ==[c] 'x' AND b", "(ANY element IN tags SATISFIES element = 'x' COLLATE (UNICODE NOCASE) END) AND b"),
    ("ANY tags == nil", "ANY element IN tags SATISFIES element IS NOT VALUED END"),
    (
      "ANY items.price > 10",
      "CASE WHEN IS_ARRAY(items) THEN ANY element IN items SATISFIES element.price > 10 END "
        + "ELSE ANY element IN items.price SATISFIES element > 10 END END"
    ),
    (
      "ALL a.b.c == 1",
      "CASE WHEN IS_ARRAY(a) THEN EVERY element IN a SATISFIES element.b.c = 1 END "
        + "WHEN IS_ARRAY(a.b) THEN EVERY element IN a.b SATISFIES element.c = 1 END "
        + "ELSE EVERY element IN a.b.c SATISFIES element = 1 END END"
    ),
    ("ANY a[0].b[1] == 1", "ANY element IN a[0].b[1] SATISFIES element = 1 END"),
    (
      "ANY a[0].b == 1",
      "CASE WHEN IS_ARRAY(a[0]) THEN ANY element IN a[0] SATISFIES element.b = 1 END "
        + "ELSE ANY element IN a[0].b SATISFIES element = 1 END END"
    ),
    (
      "ANY $list.price > 10",
      "CASE WHEN IS_ARRAY($list) THEN ANY element IN $list SATISFIES element.price > 10 END "
        + "ELSE ANY element IN $list.price SATISFIES element > 10 END END"
    ),
    ("ANY {1, 2} > a", "ANY element IN [1, 2] SATISFIES element > a END"),
    ("ANY split(a, ' ') == element", "ANY element2 IN SPLIT(a, ' ') SATISFIES element2 = element END"),
  ]) func collectionOperatorsParse(predicate: String, sql: String) throws { try check(predicate, sql) }

  @Test(arguments: [
    ("SUBQUERY(items, $x, $x.price > 5 AND $x.name == $n).@count > 0", ""),
    ("SUBQUERY(items, $x, $x.price > 5 AND $x.name == $n)[SIZE] >= 1", ""),
    ("count(SUBQUERY(items, $x, $x.price > 5 AND $x.name == $n)) != 0", ""),
    ("0 < subquery(items, $x, $x.price > 5 AND $x.name == $n).@count", ""),
    ("SUBQUERY(items, $x, $x.price > 5 AND $x.name == $n).@count == 0", "NOT "),
    ("SUBQUERY(items, $x, $x.price > 5 AND $x.name == $n).@count < 1", "NOT "),
    ("0 >= SUBQUERY(items, $x, $x.price > 5 AND $x.name == $n).@count", "NOT "),
  ]) func subqueriesParse(predicate: String, prefix: String) throws {
    try check(predicate, prefix + "ANY x IN items SATISFIES x.price > 5 AND x.name = $n END")
  }

  @Test func subqueriesCanBeNested() throws {
    try check(
      "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y == $x.c AND $y == d).@count > 0).@count == 0",
      "NOT ANY x IN a SATISFIES ANY y IN x.b SATISFIES y = x.c AND y = d END END")
    try check(
      "SUBQUERY(a, $x, ANY $x == 1).@count > 0 && $x == 2",
      "(ANY x IN a SATISFIES ANY element IN x SATISFIES element = 1 END END) AND $x = 2")
    try check("SUBQUERY(a, $x, $x).@count >= 0", "TRUE")
    try check("SUBQUERY(a, $x, $x).@count < 0", "FALSE")
  }

  @Test(arguments: [
    ("a + b * c - d / e", "a + b * c - d / e"), ("(a + b) * c", "(a + b) * c"),
    ("a ** b ** c", "POWER(a, POWER(b, c))"),
    ("-a ** b", "-POWER(a, b)"), ("-2 ** 2", "-POWER(2, 2)"), ("a ** -b * c", "POWER(a, -b) * c"),
    ("a * -b", "a * -b"), ("-a + b", "(-a) + b"), ("modulus:by:(a, 3)", "a % 3"), ("add:to:(a, b)", "a + b"),
    ("from:subtract:(a, b)", "a - b"), ("multiply:by:(a, divide:by:(b, c))", "a * (b / c)"),
    ("raise:toPower:(a, 2)", "POWER(a, 2)"), ("uppercase:(a)", "UPPER(a)"), ("lowercase(a)", "LOWER(a)"),
    ("ceiling(a)", "CEIL(a)"), ("Sqrt(a) + ln(b) + log(c)", "SQRT(a) + LN(b) + LOG(c)"), ("length(a.b)", "LENGTH(a.b)"),
    ("TERNARY(a > 1, 'x', b)", "CASE WHEN a > 1 THEN 'x' ELSE b END"), ("a == 1", "a = 1"),
    ("name.first", "name.first"),
    ("split(a, ',')[LAST]", "SPLIT(a, ',')[-1]"), ("SELF[0]", "*"),
  ]) func computationsParse(expression: String, sql: String) throws {
    if expression == "SELF[0]" {
      let expected = QueryExpression.member(of: .everything(source: nil), PropertyPath([.position(0)]))
      #expect(try PredicateParser().parseExpression(expression) == expected)
      return
    }
    #expect(try PredicateParser().parseExpression(expression) == SQLParser().parseExpression(sql))
  }

  /// Aggregates over rows, and the same over elements.
  @Test(arguments: [
    ("count(a)", "COUNT(a)", "ARRAY_LENGTH(a)"), ("sum(a)", "SUM(a)", "ARRAY_SUM(a)"),
    ("min:(a)", "MIN(a)", "ARRAY_MIN(a)"), ("Max(a)", "MAX(a)", "ARRAY_MAX(a)"),
    ("average(a)", "AVG(a)", "ARRAY_AVG(a)"), ("avg(a)", "AVG(a)", "ARRAY_AVG(a)"),
    ("max(a, b)", "ARRAY_MAX([a, b])", "ARRAY_MAX([a, b])"), ("sum({a, 1})", "ARRAY_SUM([a, 1])", "ARRAY_SUM([a, 1])"),
    ("count(*)", "COUNT(*)", nil), ("count()", "COUNT(*)", nil), ("@count", "COUNT(*)", nil),
    ("@sum.price.net", "SUM(price.net)", nil), ("@avg.price", "AVG(price)", nil), ("@max.a", "MAX(a)", nil),
    ("@distinctUnionOfObjects.city", "ARRAY_AGG(DISTINCT city)", nil), ("count(DISTINCT a)", "COUNT(DISTINCT a)", nil),
    ("count(distinct)", "COUNT(`distinct`)", "ARRAY_LENGTH(`distinct`)"),
    ("array_agg(distinct a)", "ARRAY_AGG(DISTINCT a)", "ARRAY_AGG(DISTINCT a)"),
  ]) func aggregatesParse(expression: String, rows: String, elements: String?) throws {
    let parser = PredicateParser()
    #expect(try parser.parseExpression(expression) == columns(rows))
    #expect(try parser.parse(expression, aggregation: .rows) == columns(rows))
    guard let elements else {
      #expect(throws: QuerySyntaxError.self) { try parser.parse(expression) }
      return
    }
    #expect(try parser.parse(expression) == columns(elements))
    #expect(try parser.parseExpression(expression, aggregation: .elements) == columns(elements))
  }

  @Test func matchAndRankParse() throws {
    try check("MATCH(i, $q) && type == 'x'", "MATCH(i, $q) AND type = 'x'")
    try check("match('my index', 'red') OR rank(i) > 1", "MATCH(`my index`, 'red') OR RANK(i) > 1")
    try check("MATCH(name.first, 'red')", "MATCH('name.first', 'red')")
  }

  @Test(arguments: [
    ("name", "name", true), ("-name", "name", false), ("- name.first", "name.first", false),
    ("-rank(name)", "RANK(name)", false), ("-a + b", "a + b", false), ("-(-a)", "-a", false),
    ("-@count", "COUNT(*)", false), ("price * 2", "price * 2", true),
  ]) func sortTermsParse(text: String, sql: String, isAscending: Bool) throws {
    let expected = SortTerm(try columns(sql), isAscending: isAscending)
    #expect(try PredicateParser().parseSortTerm(text) == expected)
  }

  @Test func longChainsAreFlat() throws {
    let terms = (0..<20_000).map { "a == \($0)" }.joined(separator: " || ")
    guard case .or(let operands) = try PredicateParser().parse(terms) else {
      Issue.record("not a disjunction")
      return
    }
    #expect(operands.count == 20_000)
    let list = (0..<20_000).map(String.init).joined(separator: ", ")
    #expect(try PredicateParser().parse("a IN {\(list)}").children[1].children.count == 20_000)
  }

  private func columns(_ sql: String) throws -> QueryExpression { try SQLParser().parseExpression(sql) }

  private func check(_ predicate: String, _ sql: String) throws {
    #expect(try PredicateParser().parse(predicate) == SQLParser().parseExpression(sql))
  }
}
