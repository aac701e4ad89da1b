import GRDB
import QueryModel
import Testing

@testable import QueryCompiler

/// Tables with one row per rule: the function, its arguments and its result as JSON. Each row is tested directly and
/// through SQL.
@Suite struct FunctionTableTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    let expected: String

    init(_ name: String, _ arguments: [String], _ expected: String) {
      self.name = name
      self.arguments = arguments
      self.expected = expected
    }

    var testDescription: String { "\(name)(\(arguments.joined(separator: ", ")))" }
  }

  private func check(_ rows: [Row]) throws {
    let connection = try TestConnection()
    for row in rows {
      let function = try #require(QueryFunctions.named(row.name), "\(row.name)")
      let arguments = row.arguments.map { QueryValue(test: $0) }
      #expect(try function.call(arguments).testText == row.expected, "\(row.testDescription)")
      #expect(
        try connection.call(function.sqlName, arguments) == row.expected, "\(row.testDescription) through SQL")
      if let name = function.conditionName {
        let condition = ["true": "1", "false": "0"][row.expected] ?? "MISSING"
        #expect(try connection.call(name, arguments) == condition, "\(row.testDescription) as a condition")
      }
    }
  }

  @Test func types() throws {
    try check([
      Row("ISARRAY", ["[1]"], "true"), Row("is_array", ["1"], "false"), Row("IS_ARRAY", ["null"], "null"),
      Row("ISARRAY", ["MISSING"], "MISSING"), Row("ISATOM", ["\"a\""], "true"), Row("ISATOM", ["{}"], "false"),
      Row("ISBOOLEAN", ["true"], "true"), Row("ISBOOLEAN", ["1"], "false"), Row("ISNUMBER", ["1.5"], "true"),
      Row("ISNUMBER", ["\"1\""], "false"), Row("ISOBJECT", ["{}"], "true"), Row("ISSTRING", ["\"\""], "true"),
      Row("TYPE", ["MISSING"], "\"missing\""), Row("TYPENAME", ["null"], "\"null\""), Row("TYPE", ["1"], "\"number\""),
      Row("TYPE", ["false"], "\"boolean\""), Row("TYPE", ["[]"], "\"array\""), Row("TYPE", ["{}"], "\"object\""),
      Row("TOARRAY", ["1"], "[1]"), Row("TOARRAY", ["[1]"], "[1]"), Row("TO_ARRAY", ["null"], "null"),
      Row("TOATOM", ["[[{\"a\":7}]]"], "7"), Row("TOATOM", ["[1,2]"], "null"), Row("TOATOM", ["MISSING"], "MISSING"),
      Row("TOBOOLEAN", ["\"\""], "false"), Row("TOBOOLEAN", ["\"false\""], "true"), Row("TOBOOLEAN", ["[]"], "false"),
      Row("TOBOOLEAN", ["0.0"], "false"), Row("TO_BOOLEAN", ["{\"a\":1}"], "true"), Row("TOBOOLEAN", ["null"], "null"),
      Row("TONUMBER", ["\" 12 \""], "12"), Row("TONUMBER", ["\"1e2\""], "100.0"), Row("TONUMBER", ["\"nan\""], "null"),
      Row("TONUMBER", ["\"0x10\""], "null"), Row("TONUMBER", ["true"], "1"), Row("TONUMBER", ["[]"], "null"),
      Row("TONUMBER", ["\"1e999\""], "null"), Row("TOOBJECT", ["1"], "{}"), Row("TOOBJECT", ["{\"a\":1}"], "{\"a\":1}"),
      Row("TOSTRING", ["true"], "\"true\""), Row("TOSTRING", ["1.5"], "\"1.5\""), Row("TOSTRING", ["[1]"], "null"),
      Row("TOSTRING", ["-3"], "\"-3\""),
    ])
  }

  @Test func conditions() throws {
    try check([
      Row("IFMISSING", ["MISSING", "null", "1"], "null"), Row("IFMISSING", ["MISSING", "MISSING"], "null"),
      Row("IFNULL", ["null", "[1]", "2"], "[1]"), Row("IFNULL", ["MISSING", "1"], "MISSING"),
      Row("IFNULL", ["null", "null"], "null"), Row("IFMISSINGORNULL", ["MISSING", "null", "3"], "3"),
      Row("COALESCE", ["null", "MISSING"], "null"), Row("MISSINGIF", ["1", "1.0"], "MISSING"),
      Row("MISSINGIF", ["1", "2"], "1"), Row("MISSINGIF", ["null", "2"], "null"),
      Row("NULLIF", ["\"a\"", "\"a\""], "null"),
      Row("NULLIF", ["[1]", "[2]"], "[1]"), Row("NULLIF", ["MISSING", "2"], "MISSING"),
      Row("GREATEST", ["1", "null", "\"a\"", "3"], "\"a\""), Row("GREATEST", ["null", "MISSING"], "null"),
      Row("LEAST", ["2", "1.5", "MISSING"], "1.5"), Row("GREATEST", ["[1]", "{}", "\"z\""], "{}"),
    ])
  }

  @Test func numbers() throws {
    try check([
      Row("ABS", ["-3"], "3"), Row("ABS", ["-9223372036854775808"], "9.223372036854776e+18"),
      Row("ABS", ["\"x\""], "null"), Row("ABS", ["MISSING"], "MISSING"), Row("ACOS", ["3"], "null"),
      Row("ACOS", ["1"], "0.0"), Row("ASIN", ["0"], "0.0"), Row("ATAN", ["0"], "0.0"),
      Row("ATAN2", ["1", "0"], "\(Double.pi / 2)"), Row("CEIL", ["1.2"], "2.0"), Row("CEIL", ["5"], "5"),
      Row("FLOOR", ["-1.2"], "-2.0"), Row("COS", ["0"], "1.0"), Row("DEGREES", ["\(Double.pi)"], "180.0"),
      Row("RADIANS", ["180"], "\(Double.pi)"), Row("DIV", ["3", "2"], "1.5"), Row("DIV", ["1", "0"], "MISSING"),
      Row("IDIV", ["7", "2"], "3"), Row("IDIV", ["-7", "2"], "-3"), Row("IDIV", ["7.9", "2.9"], "3"),
      Row("IDIV", ["1", "0.5"], "MISSING"), Row("EXP", ["0"], "1.0"), Row("EXP", ["1000"], "null"),
      Row("LN", ["1"], "0.0"),
      Row("LN", ["0"], "null"), Row("LOG", ["1000"], "3.0"), Row("POWER", ["2", "10"], "1024.0"),
      Row("POWER", ["2", "null"], "null"), Row("POWER", ["2", "MISSING"], "MISSING"), Row("PI", [], "\(Double.pi)"),
      Row("ROUND", ["2.5"], "3.0"), Row("ROUND", ["-2.5"], "-3.0"), Row("ROUND", ["1.005", "2"], "1.01"),
      Row("ROUND", ["1234567890123456789", "-2"], "1234567890123456800"),
      Row("TRUNC", ["1234567890123456789", "-2"], "1234567890123456700"),
      Row("TRUNC", ["-1234567890123456789", "-2"], "-1234567890123456700"),
      Row("ROUND", ["-250", "-2"], "-300"), Row("ROUND_EVEN", ["250", "-2"], "200"),
      Row("ROUND_EVEN", ["350", "-2"], "400"), Row("ROUND_EVEN", ["251", "-2"], "300"),
      Row("ROUND", ["9223372036854775807", "-18"], "9000000000000000000"),
      Row("ROUND", ["9223372036854775807", "-1"], "9.223372036854776e+18"),
      Row("ROUND", ["9223372036854775807", "-20"], "0"), Row("ROUND", ["5", "-9223372036854775808"], "0"),
      Row("ROUND", ["1234", "-2"], "1200"), Row("ROUND", ["7"], "7"), Row("ROUND_EVEN", ["2.5"], "2.0"),
      Row("ROUND_EVEN", ["3.5"], "4.0"), Row("ROUND_EVEN", ["0.125", "2"], "0.12"), Row("TRUNC", ["-1.9"], "-1.0"),
      Row("TRUNC", ["2.9999999999999996", "1"], "2.9"), Row("TRUNC", ["-2.9999999999999996", "1"], "-2.9"),
      Row("TRUNC", ["0.29", "2"], "0.29"), Row("TRUNC", ["1.005", "3"], "1.005"),
      Row("TRUNC", ["1.239", "2"], "1.23"), Row("SIGN", ["-2.5"], "-1"), Row("SIGN", ["0"], "0"),
      Row("SIN", ["0"], "0.0"),
      Row("SQRT", ["9"], "3.0"), Row("SQRT", ["-1"], "null"), Row("TAN", ["0"], "0.0"),
      Row("E", [], "2.718281828459045"),
    ])
  }

  @Test func operators() throws {
    try check([
      Row("OP_ADD", ["1", "2"], "3"), Row("OP_ADD", ["9223372036854775807", "1"], "9.223372036854776e+18"),
      Row("OP_ADD", ["1", "\"2\""], "null"), Row("OP_ADD", ["null", "MISSING"], "MISSING"),
      Row("OP_ADD", ["1", "0.5"], "1.5"),
      Row("OP_SUBTRACT", ["1", "2"], "-1"), Row("OP_MULTIPLY", ["3", "4"], "12"),
      Row("OP_MULTIPLY", ["1e308", "10"], "null"),
      Row("OP_DIVIDE", ["7", "2"], "3"), Row("OP_DIVIDE", ["-7", "2"], "-3"), Row("OP_DIVIDE", ["7", "2.0"], "3.5"),
      Row("OP_DIVIDE", ["2", "0"], "MISSING"), Row("OP_DIVIDE", ["2", "0.0"], "MISSING"),
      Row("OP_DIVIDE", ["-9223372036854775808", "-1"], "9.223372036854776e+18"),
      Row("OP_DIVIDE", ["null", "0"], "null"),
      Row("OP_BETWEEN", ["5", "null", "2"], "false"), Row("OP_BETWEEN", ["5", "6", "MISSING"], "false"),
      Row("OP_BETWEEN", ["5", "null", "9"], "null"), Row("OP_BETWEEN", ["5", "1", "MISSING"], "MISSING"),
      Row("OP_BETWEEN", ["null", "1", "2"], "null"), Row("OP_BETWEEN", ["2", "1", "2"], "true"),
      Row("OP_REMAINDER", ["7", "3"], "1"), Row("OP_REMAINDER", ["-7", "3"], "-1"),
      Row("OP_REMAINDER", ["7", "0"], "MISSING"),
      Row("OP_REMAINDER", ["-9223372036854775808", "-1"], "0"), Row("OP_NEGATE", ["3"], "-3"),
      Row("OP_NEGATE", ["[]"], "null"),
      Row("OP_NEGATE", ["-9223372036854775808"], "9.223372036854776e+18"),
      Row("CONCAT", ["\"a\"", "1", "null", "true"], "\"a1nulltrue\""),
      Row("CONCAT", ["\"a\"", "MISSING"], "MISSING"),
      Row("OP_LIKE", ["\"50%\"", "\"50\\\\%\""], "true"), Row("OP_LIKE", ["\"Abc\"", "\"a%\""], "false"),
      Row("OP_LIKE", ["1", "\"a\""], "null"), Row("OP_LIKE", ["\"a\"", "MISSING"], "MISSING"),
      Row("OP_LIKE", ["\"ÉTÉ\"", "\"_t_\"", "\"concordance_unicode_nocase\""], "true"),
      Row("OP_LIKE", ["\"ÉTÉ\"", "\"e%e\"", "\"concordance_unicode_nocase_nodiac\""], "true"),
      Row("OP_LIKE", ["\"e\\u0301te\"", "\"_te\"", "\"concordance_unicode\""], "true"),
      Row("OP_LIKE", ["\"ABC\"", "\"a%c\"", "\"concordance_ascii_nocase\""], "true"),
      Row("OP_ILIKE", ["\"HAUPTSTRAẞE 1\"", "\"%straße__\""], "true"),
      Row("OP_ILIKE", ["\"STRASSE\"", "\"straße\""], "false"), Row("OP_ILIKE", ["\"É\"", "\"e\""], "false"),
      Row("OP_ILIKE", ["\"50% A\"", "\"50\\\\% a\""], "true"), Row("OP_ILIKE", ["1", "\"1\""], "null"),
      Row("OP_ILIKE", ["MISSING", "\"%\""], "MISSING"),
      Row("OP_IN", ["1", "[2,1.0]"], "true"), Row("OP_IN", ["1", "[2]"], "false"),
      Row("OP_IN", ["1", "[2,null]"], "null"),
      Row("OP_IN", ["null", "[null]"], "null"), Row("OP_IN", ["1", "5"], "null"),
      Row("OP_IN", ["1", "{\"a\":1}"], "true"),
      Row("OP_IN", ["{\"a\":1,\"b\":2}", "[{\"b\":2,\"a\":1}]"], "true"), Row("OP_IN", ["MISSING", "[1]"], "MISSING"),
      Row("OP_IN", ["\"A\"", "[\"a\"]", "\"concordance_ascii_nocase\""], "true"),
      Row("OP_AND", ["true", "null"], "false"), Row("OP_AND", ["true", "MISSING"], "MISSING"),
      Row("OP_AND", ["null", "MISSING"], "false"), Row("OP_AND", ["MISSING", "MISSING"], "MISSING"),
      Row("OP_AND", ["\"1abc\"", "2"], "true"), Row("OP_AND", ["\"abc\"", "2"], "false"),
      Row("OP_OR", ["true", "MISSING"], "true"),
      Row("OP_OR", ["null", "MISSING"], "MISSING"), Row("OP_OR", ["null", "false"], "false"),
      Row("OP_OR", ["[]", "{}"], "false"),
      Row("OP_NOT", ["null"], "false"), Row("OP_NOT", ["MISSING"], "MISSING"), Row("OP_NOT", ["0.0"], "true"),
      Row("OP_EQUALS", ["{\"a\":1,\"b\":[]}", "{\"b\":[],\"a\":1.0}"], "true"),
      Row("OP_EQUALS", ["1", "null"], "null"),
      Row("OP_EQUALS", ["\"é\"", "\"e\\u0301\""], "false"),
      Row("OP_EQUALS", ["\"é\"", "\"e\\u0301\"", "\"concordance_unicode\""], "true"),
      Row("OP_LESS", ["1", "\"a\""], "true"),
      Row("OP_LESS", ["[1]", "{}"], "true"), Row("OP_LESS", ["MISSING", "1"], "MISSING"),
      Row("OP_LESS", ["9007199254740993", "9007199254740992.0"], "false"),
      Row("OP_OBJECT", ["\"a\"", "1", "\"b\"", "MISSING", "\"c\"", "null"], "{\"a\":1,\"c\":null}"),
      Row("OP_OBJECT", [], "{}"), Row("OP_MEMBER", ["{\"a\":[1]}", "\"a\""], "[1]"),
      Row("OP_MEMBER", ["[1,2]", "-1"], "2"),
      Row("OP_MEMBER", ["[1,2]", "2"], "MISSING"), Row("OP_MEMBER", ["5", "0"], "MISSING"),
    ])
  }

  @Test func strings() throws {
    try check([
      Row("CONTAINS", ["\"abc\"", "\"bc\""], "true"), Row("CONTAINS", ["\"abc\"", "\"\""], "true"),
      Row("CONTAINS", ["\"abc\"", "\"B\""], "false"), Row("CONTAINS", ["null", "\"a\""], "null"),
      Row("CONTAINS", ["\"a\\u0000b\"", "\"b\""], "true"), Row("CONTAINS", ["\"a\"", "MISSING"], "MISSING"),
      Row("CONTAINS", ["\"Crème Brûlée\"", "\"brulee\"", "\"concordance_unicode_nocase_nodiac\""], "true"),
      Row("LENGTH", ["\"aé😀\""], "3"), Row("LENGTH", ["MISSING"], "MISSING"), Row("LENGTH", ["5"], "null"),
      Row("LOWER", ["\"ÄB\""], "\"äb\""), Row("LOWER", ["[\"A\"]"], "null"),
      Row("UPPER", ["\"straße\""], "\"STRASSE\""),
      Row("LTRIM", ["\"  a \""], "\"a \""), Row("RTRIM", ["\"  a \\u00a0\""], "\"  a\""),
      Row("TRIM", ["\"xaxyx\"", "\"xy\""], "\"a\""),
      Row("TRIM", ["\" \\n \""], "\"\""), Row("INITCAP", ["\"hello wORLD o'neil\""], "\"Hello World O'neil\""),
      Row("REVERSE", ["\"abé\""], "\"éba\""), Row("REPEAT", ["\"ab\"", "3"], "\"ababab\""),
      Row("REPEAT", ["\"a\"", "-1"], "null"),
      Row("REPEAT", ["\"\"", "1000000000"], "\"\""), Row("SUBSTR", ["\"héllo\"", "1"], "\"éllo\""),
      Row("SUBSTR", ["\"héllo\"", "-2"], "\"lo\""), Row("SUBSTR", ["\"héllo\"", "1", "2"], "\"él\""),
      Row("SUBSTR", ["\"abc\"", "4"], "null"), Row("SUBSTR", ["\"abc\"", "1", "99"], "\"bc\""),
      Row("SUBSTR", ["\"abc\"", "MISSING"], "MISSING"),
      Row("POSITION", ["\"éab\"", "\"b\""], "2"), Row("POSITION", ["\"ab\"", "\"x\""], "-1"),
      Row("REPLACE", ["\"aaa\"", "\"a\"", "\"bb\"", "2"], "\"bbbba\""),
      Row("REPLACE", ["\"aaa\"", "\"\"", "\"b\""], "\"aaa\""),
      Row("REPLACE", ["\"aXa\"", "\"X\"", "\"\""], "\"aa\""), Row("SPLIT", ["\" a  b\\nc \""], "[\"a\",\"b\",\"c\"]"),
      Row("SPLIT", ["\"a,,b\"", "\",\""], "[\"a\",\"\",\"b\"]"), Row("SPLIT", ["\"äb\"", "\"\""], "[\"ä\",\"b\"]"),
    ])
  }

  @Test func patterns() throws {
    try check([
      Row("REGEXP_CONTAINS", ["\"spinlock\"", "\"lo.k\""], "true"),
      Row("REGEXP_CONTAINS", ["\"A\"", "\"a\""], "false"),
      Row("REGEXP_CONTAINS", ["\"Ä\"", "\"(?i)ä\""], "true"), Row("REGEXP_CONTAINS", ["1", "\"a\""], "null"),
      Row("REGEXP_LIKE", ["\"spinlock\"", "\"lock\""], "false"), Row("REGEXP_LIKE", ["\"ab\"", "\"a|ab\""], "true"),
      Row("REGEXP_POSITION", ["\"äöb\"", "\"b\""], "2"), Row("REGEXP_POSITION", ["\"a\"", "\"b\""], "-1"),
      Row("REGEXP_REPLACE", ["\"a1b22\"", "\"(\\\\d)\"", "\"<$1>\""], "\"a<1>b<2><2>\""),
      Row("REGEXP_REPLACE", ["\"aaa\"", "\"a\"", "\"b\"", "1"], "\"baa\""),
      Row("REGEXP_REPLACE", ["\"a\"", "\"a\"", "null"], "null"),
      Row("REGEXP_COUNT", ["\"a1b22\"", "\"\\\\d+\""], "2"),
      Row("REGEXP_SUBSTR", ["\"a1b22\"", "\"\\\\d\\\\d\""], "\"22\""),
      Row("REGEXP_SUBSTR", ["\"a\"", "\"b\""], "null"),
      Row("REGEXP_MATCHES", ["\"a1b22\"", "\"\\\\d+\""], "[\"1\",\"22\"]"),
      Row("REGEXP_SPLIT", ["\"a1b22c\"", "\"\\\\d+\""], "[\"a\",\"b\",\"c\"]"),
      Row("REGEXP_SPLIT", ["\"ab\"", "\"\""], "[\"a\",\"b\"]"),
      Row("REGEXP_CONTAINS", ["\"Ä\"", "\"ä\"", "\"i\""], "true"),
      Row("REGEXP_CONTAINS", ["\"a\\nb\"", "\"a.b\"", "\"s\""], "true"),
      Row("REGEXP_CONTAINS", ["\"a\"", "\"a\"", "1"], "null"),
      Row("REGEXP_CONTAINS", ["\"a\"", "\"a\"", "MISSING"], "MISSING"),
      Row("REGEXP_LIKE", ["\"ABC\"", "\"a b c\"", "\"xi\""], "true"),
      Row("REGEXP_POSITION", ["\"é\\nb\"", "\"^b\"", "\"m\""], "2"),
      Row("REGEXP_COUNT", ["\"aA\"", "\"a\"", "\"i\""], "2"),
      Row("REGEXP_MATCHES", ["\"aA\"", "\"A\"", "\"i\""], "[\"a\",\"A\"]"),
      Row("REGEXP_SPLIT", ["\"1x2X3\"", "\"x\"", "\"i\""], "[\"1\",\"2\",\"3\"]"),
      Row("REGEXP_SUBSTR", ["\"Ab\"", "\"a.\"", "\"i\""], "\"Ab\""),
      Row("REGEXP_SUBSTR", ["\"k=v\"", "\"(.)=(.)\"", "\"\"", "2"], "\"v\""),
      Row("REGEXP_SUBSTR", ["\"k=v\"", "\"(?<key>.)=\"", "\"\"", "\"key\""], "\"k\""),
      Row("REGEXP_SUBSTR", ["\"k\"", "\"k(=)?\"", "\"\"", "1"], "null"),
      Row("REGEXP_SUBSTR", ["\"k\"", "\"k\"", "\"\"", "null"], "null"),
      Row("REGEXP_REPLACE", ["\"aA\"", "\"a\"", "\"b\"", "\"i\""], "\"bb\""),
      Row("REGEXP_REPLACE", ["\"aA\"", "\"a\"", "\"b\"", "1", "\"i\""], "\"bA\""),
      Row("REGEXP_REPLACE", ["\"aA\"", "\"a\"", "\"b\"", "\"i\"", "1"], "null"),
      Row("REGEXP_COUNT", ["MISSING", "\"a\""], "MISSING"),
    ])
  }

  @Test func arrays() throws {
    try check([
      Row("ARRAY_AVG", ["[1,2,null,\"x\"]"], "1.5"), Row("ARRAY_AVG", ["[]"], "null"), Row("ARRAY_AVG", ["5"], "null"),
      Row("ARRAY_AVG", ["MISSING"], "MISSING"), Row("ARRAY_CONTAINS", ["[1,\"a\"]", "\"a\""], "true"),
      Row("ARRAY_CONTAINS", ["[[1,2]]", "[1,2.0]"], "true"), Row("ARRAY_CONTAINS", ["[1]", "MISSING"], "MISSING"),
      Row("ARRAY_CONTAINS", ["{}", "1"], "null"),
      Row("ARRAY_CONTAINS", ["[\"É\"]", "\"e\"", "\"concordance_unicode_nocase_nodiac\""], "true"),
      Row("ARRAY_COUNT", ["[1,null,2]"], "2"), Row("ARRAY_LENGTH", ["[1,null,2]"], "3"),
      Row("ARRAY_LENGTH", ["\"abc\""], "null"),
      Row("ARRAY_IFNULL", ["[null,null,3]"], "3"), Row("ARRAY_IFNULL", ["[null]"], "null"),
      Row("ARRAY_MAX", ["[-3,-1.5,-2]"], "-1.5"),
      Row("ARRAY_MAX", ["[]"], "null"), Row("ARRAY_MIN", ["[null,3,\"a\",true]"], "true"),
      Row("ARRAY_SUM", ["[1,2,\"x\"]"], "3"),
      Row("ARRAY_SUM", ["[9223372036854775807,1,-1]"], "9223372036854775807"),
      Row("ARRAY_SUM", ["[]"], "0"), Row("ARRAY_SUM", ["[1,0.5]"], "1.5"),
      Row("ARRAY_OF", ["1", "MISSING", "[2]"], "[1,null,[2]]"),
      Row("ARRAY_SORT", ["[\"b\",null,3,true,[1],{},\"a\"]"], "[null,true,3,\"a\",\"b\",[1],{}]"),
      Row("ARRAY_DISTINCT", ["[1,1.0,\"a\",null,null]"], "[1,\"a\",null]"),
      Row("ARRAY_CONCAT", ["[1]", "[2]", "[]"], "[1,2]"),
      Row("ARRAY_CONCAT", ["[1]", "2"], "null"), Row("ARRAY_CONCAT", ["[1]", "MISSING"], "MISSING"),
      Row("ARRAY_FLATTEN", ["[1,[2,[3,[4]]]]", "1"], "[1,2,[3,[4]]]"),
      Row("ARRAY_FLATTEN", ["[1,[2,[3]]]", "-1"], "[1,2,3]"),
      Row("ARRAY_FLATTEN", ["[1,[2,[3]]]", "0"], "[1,[2,[3]]]"),
      Row("ARRAY_SORT", ["[\"b\",\"A\",\"C\"]", "\"concordance_ascii_nocase\""], "[\"A\",\"b\",\"C\"]"),
      Row("ARRAY_MIN", ["[\"b\",\"C\"]", "\"concordance_ascii_nocase\""], "\"b\""),
      Row("ARRAY_MAX", ["[\"b\",\"C\"]", "\"concordance_ascii_nocase\""], "\"C\""),
      Row("ARRAY_POSITION", ["[\"b\",\"C\"]", "\"c\"", "\"concordance_ascii_nocase\""], "1"),
      Row("NULLIF", ["\"a\"", "\"A\"", "\"concordance_ascii_nocase\""], "null"),
      Row("MISSINGIF", ["\"a\"", "\"A\"", "\"concordance_ascii_nocase\""], "MISSING"),
      Row("ARRAY_INSERT", ["[1,4]", "1", "2", "3"], "[1,2,3,4]"), Row("ARRAY_INSERT", ["[1]", "1", "2"], "[1,2]"),
      Row("ARRAY_INSERT", ["[1]", "3", "2"], "null"), Row("ARRAY_INSERT", ["[1,3]", "-1", "2"], "[1,2,3]"),
      Row("ARRAY_INTERSECT", ["[1,2,3]", "[3.0,2,2]"], "[2,3]"), Row("ARRAY_UNION", ["[1,2]", "[2,3]"], "[1,2,3]"),
      Row("ARRAY_POSITION", ["[1,2]", "2"], "1"), Row("ARRAY_POSITION", ["[1]", "2"], "-1"),
      Row("ARRAY_PREPEND", ["0", "1", "[2]"], "[0,1,2]"),
      Row("ARRAY_APPEND", ["[0]", "1", "null"], "[0,1,null]"), Row("ARRAY_PUT", ["[1]", "1", "2", "2"], "[1,2]"),
      Row("ARRAY_RANGE", ["0", "3"], "[0,1,2]"), Row("ARRAY_RANGE", ["3", "0", "-1"], "[3,2,1]"),
      Row("ARRAY_RANGE", ["-1e308", "1e308", "1e308"], "[-1e+308,0.0]"),
      Row("ARRAY_RANGE", ["0", "1", "0.5"], "[0.0,0.5]"), Row("ARRAY_RANGE", ["3", "0"], "[]"),
      Row(
        "ARRAY_RANGE", ["9007199254740992", "9007199254740995"],
        "[9007199254740992,9007199254740993,9007199254740994]"),
      Row(
        "ARRAY_RANGE", ["-9223372036854775808", "9223372036854775807", "9223372036854775807"],
        "[-9223372036854775808,-1,9223372036854775806]"),
      Row("ARRAY_RANGE", ["-9223372036854775807", "-9223372036854775808", "-1"], "[-9223372036854775807]"),
      Row("ARRAY_RANGE", ["0", "3", "0"], "[]"), Row("ARRAY_REMOVE", ["[1,2,1]", "1"], "[2]"),
      Row("ARRAY_REPEAT", ["\"a\"", "2"], "[\"a\",\"a\"]"),
      Row("ARRAY_REPLACE", ["[1,2,1]", "1", "9"], "[9,2,9]"),
      Row("ARRAY_REPLACE", ["[1,2,1]", "1", "9", "1"], "[9,2,1]"),
      Row("ARRAY_REVERSE", ["[1,2]"], "[2,1]"),
    ])
  }

  @Test func vectors() throws {
    try check([
      Row("EUCLIDEAN_DISTANCE", ["[0,0]", "[3,4]"], "5.0"), Row("EUCLIDEAN_DISTANCE", ["[0,0]", "[3,4]", "2"], "25.0"),
      Row("EUCLIDEAN_DISTANCE", ["[0,0]", "[3,4]", "3"], "125.0"), Row("EUCLIDEAN_DISTANCE", ["[]", "[]"], "0.0"),
      Row("EUCLIDEAN_DISTANCE", ["[1]", "[1,2]"], "MISSING"), Row("EUCLIDEAN_DISTANCE", ["[1]", "[\"a\"]"], "MISSING"),
      Row("EUCLIDEAN_DISTANCE", ["\"a\"", "[1]"], "MISSING"), Row("EUCLIDEAN_DISTANCE", ["MISSING", "[1]"], "MISSING"),
      Row("EUCLIDEAN_DISTANCE", ["[0]", "[1]", "\"a\""], "MISSING"),
      Row("COSINE_DISTANCE", ["[1,0]", "[0,2]"], "1.0"), Row("COSINE_DISTANCE", ["[1,2]", "[2,4]"], "0.0"),
      Row("COSINE_DISTANCE", ["[1,0]", "[-3,0]"], "2.0"), Row("COSINE_DISTANCE", ["[0,0]", "[1,1]"], "MISSING"),
    ])
  }

  /// Each function of SQL++ has an implementation, except those of vector indexes and PREDICTION.
  @Test func everyFunctionHasImplementation() {
    let absent = QueryFunction.allCases.filter {
      QueryFunctions.implementation(of: $0) == nil && QueryAggregates.implementation(of: $0) == nil
    }
    #expect(absent == [.approximateVectorDistance, .prediction])
    let names = QueryFunctions.all.map(\.name)
    #expect(Set(names).count == names.count, "duplicate name")
  }
}
