import Testing

/// Tests of the oracle's functions by the rules in the comments of the compiler's functions.
@Suite struct FunctionTests {
  @Test func stringFunctions() throws {
    try check([
      Truth("UPPER('aä')", "\"AÄ\""), Truth("LOWER('AÄ')", "\"aä\""), Truth("UPPER(i)", "null"),
      Truth("UPPER(none)", "MISSING"), Truth("LENGTH('aä')", "2"), Truth("LENGTH('a\u{308}')", "2"),
      Truth("LENGTH(a)", "null"), Truth("TRIM('  a b ')", "\"a b\""), Truth("LTRIM(' a ')", "\"a \""),
      Truth("RTRIM(' a ')", "\" a\""), Truth("CONTAINS(s, 'bc')", "true"), Truth("CONTAINS(s, '')", "true"),
      Truth("CONTAINS(s, 'BC')", "false"), Truth("CONTAINS(s, 1)", "null"), Truth("CONTAINS(1, none)", "MISSING"),
      Truth("CONCAT(s, 1, NULL)", "\"abc1null\""), Truth("CONCAT(s, none)", "MISSING"),
      Truth("CONCAT(o)", "\"{\\\"k\\\":1,\\\"l\\\":[5,6]}\""),
    ])
  }

  @Test func numberFunctions() throws {
    try check([
      Truth("ABS(-3)", "3"), Truth("ABS(-2.5)", "2.5"), Truth("ABS(-9223372036854775808)", "9.223372036854776e+18"),
      Truth("ABS(s)", "null"), Truth("ABS(none)", "MISSING"), Truth("FLOOR(-2.5)", "-3.0"), Truth("FLOOR(3)", "3"),
      Truth("CEIL(2.1)", "3.0"), Truth("ROUND(2.5)", "3.0"), Truth("ROUND(-2.5)", "-3.0"), Truth("ROUND(3)", "3"),
      Truth("TRUNC(-2.9)", "-2.0"), Truth("SIGN(-2.5)", "-1"), Truth("SIGN(0.0)", "0"), Truth("SIGN(t)", "null"),
      Truth("DIV(3, 2)", "1.5"), Truth("DIV(3, 0)", "MISSING"), Truth("IDIV(7.9, 2)", "3"),
      Truth("IDIV(1, 0.5)", "MISSING"),
      Truth("IDIV('a', 0)", "null"),
    ])
  }

  @Test func arrayFunctions() throws {
    try check([
      Truth("ARRAY_LENGTH(a)", "3"), Truth("ARRAY_COUNT(a)", "2"), Truth("ARRAY_LENGTH(o)", "null"),
      Truth("ARRAY_LENGTH(none)", "MISSING"), Truth("ARRAY_CONTAINS(a, 1.0)", "true"),
      Truth("ARRAY_CONTAINS(a, true)", "true"), Truth("ARRAY_CONTAINS(a, NULL)", "true"),
      Truth("ARRAY_CONTAINS(e, NULL)", "false"), Truth("ARRAY_CONTAINS(a, 2)", "false"),
      Truth("ARRAY_CONTAINS(s, 2)", "null"), Truth("ARRAY_CONTAINS(a, none)", "MISSING"),
      Truth("ARRAY_CONTAINS(s, none)", "MISSING"), Truth("ARRAY_POSITION(a, 'x')", "2"),
      Truth("ARRAY_POSITION(a, 'y')", "-1"), Truth("ARRAY_MAX(a)", "\"x\""), Truth("ARRAY_MIN(a)", "1"),
      Truth("ARRAY_MIN(e)", "null"), Truth("ARRAY_SUM(o.l)", "11"), Truth("ARRAY_SUM(e)", "0"),
      Truth("ARRAY_SUM([1, 0.5])", "1.5"),
      Truth("ARRAY_IFNULL([NULL, 2])", "2"), Truth("ARRAY_OF(none, 1)", "[null,1]"),
    ])
  }

  @Test func conditionalFunctions() throws {
    try check([
      Truth("IFMISSING(none, z, 1)", "null"), Truth("IFMISSING(none, none)", "null"), Truth("IFNULL(z, 1)", "1"),
      Truth("IFNULL(none, 1)", "MISSING"), Truth("IFNULL(z, z)", "null"), Truth("IFMISSINGORNULL(none, z, 2)", "2"),
      Truth("IFMISSINGORNULL(none, z)", "null"), Truth("NULLIF(1, 1.0)", "null"), Truth("NULLIF(1, 2)", "1"),
      Truth("NULLIF(1, none)", "MISSING"), Truth("NULLIF(z, 1)", "null"), Truth("MISSINGIF(1, 1)", "MISSING"),
      Truth("MISSINGIF(1, z)", "null"), Truth("MISSINGIF(s, 'x')", "\"abc\""),
      Truth("GREATEST(1, 'a', NULL, none)", "\"a\""), Truth("LEAST(2.5, 1, 1.0)", "1"),
      Truth("GREATEST(one, 1)", "1.0"),
      Truth("LEAST(z, none)", "null"),
    ])
  }

  @Test func typeFunctions() throws {
    try check([
      Truth("TYPE(none)", "\"missing\""), Truth("TYPE(z)", "\"null\""), Truth("TYPE(t)", "\"boolean\""),
      Truth("TYPE(d)", "\"number\""), Truth("TYPE(s)", "\"string\""), Truth("TYPE(a)", "\"array\""),
      Truth("TYPE(o)", "\"object\""), Truth("ISNUMBER(i)", "true"), Truth("ISNUMBER(t)", "false"),
      Truth("ISSTRING(z)", "null"), Truth("ISSTRING(none)", "MISSING"), Truth("ISATOM(a)", "false"),
      Truth("ISATOM(t)", "true"), Truth("ISARRAY(e)", "true"), Truth("ISOBJECT(o)", "true"),
      Truth("ISBOOLEAN(f)", "true"),
      Truth("TOSTRING(one)", "\"1.0\""), Truth("TOSTRING(i)", "\"3\""), Truth("TOSTRING(a)", "null"),
      Truth("TOSTRING(z)", "null"), Truth("TONUMBER('10')", "10"), Truth("TONUMBER(' 1.5 ')", "1.5"),
      Truth("TONUMBER('1e2')", "100.0"), Truth("TONUMBER('1abc')", "null"), Truth("TONUMBER('')", "null"),
      Truth("TONUMBER(t)", "1"), Truth("TONUMBER(a)", "null"), Truth("TOBOOLEAN('')", "false"),
      Truth("TOBOOLEAN('false')", "true"), Truth("TOBOOLEAN(0)", "false"), Truth("TOBOOLEAN(e)", "false"),
      Truth("TOBOOLEAN(o)", "true"), Truth("TOBOOLEAN(none)", "MISSING"),
    ])
  }
}
