import Testing

/// Tests of the oracle's operators by the truth tables of the specification.
@Suite struct OperatorTests {
  @Test func conjunctionsAndDisjunctions() throws {
    try check([
      Truth("TRUE AND TRUE", "true"), Truth("TRUE AND FALSE", "false"), Truth("TRUE AND NULL", "false"),
      Truth("TRUE AND MISSING", "MISSING"), Truth("FALSE AND TRUE", "false"), Truth("FALSE AND NULL", "false"),
      Truth("FALSE AND MISSING", "false"), Truth("NULL AND TRUE", "false"), Truth("NULL AND NULL", "false"),
      Truth("NULL AND MISSING", "false"), Truth("MISSING AND FALSE", "false"), Truth("MISSING AND TRUE", "MISSING"),
      Truth("MISSING AND NULL", "false"), Truth("MISSING AND MISSING", "MISSING"),
      Truth("TRUE OR TRUE", "true"), Truth("TRUE OR FALSE", "true"), Truth("TRUE OR NULL", "true"),
      Truth("TRUE OR MISSING", "true"), Truth("FALSE OR FALSE", "false"), Truth("FALSE OR NULL", "false"),
      Truth("FALSE OR MISSING", "MISSING"), Truth("NULL OR NULL", "false"), Truth("NULL OR MISSING", "MISSING"),
      Truth("MISSING OR TRUE", "true"), Truth("MISSING OR FALSE", "MISSING"), Truth("MISSING OR NULL", "MISSING"),
      Truth("MISSING OR MISSING", "MISSING"),
      Truth("TRUE AND MISSING AND FALSE", "false"), Truth("FALSE OR MISSING OR TRUE", "true"),
      Truth("NOT TRUE", "false"), Truth("NOT FALSE", "true"), Truth("NOT (NULL)", "false"),
      Truth("NOT (MISSING)", "MISSING"), Truth("NOT a", "true"), Truth("NOT o", "true"), Truth("NOT i", "false"),
    ])
  }

  @Test func truthValues() throws {
    try check([
      Truth("i AND TRUE", "true"), Truth("0 OR FALSE", "false"), Truth("0.0 OR FALSE", "false"),
      Truth("'1abc' OR FALSE", "true"), Truth("'abc' OR FALSE", "false"), Truth("'' OR FALSE", "false"),
      Truth("'0.0x' OR FALSE", "false"), Truth("' -.5' OR FALSE", "true"), Truth("'1.' OR FALSE", "true"),
      Truth("'0e9' OR FALSE", "false"), Truth("'+2e' OR FALSE", "true"), Truth("'-' OR FALSE", "false"),
      Truth("'0x10' OR FALSE", "false"), Truth("'inf' OR FALSE", "false"), Truth("a OR FALSE", "false"),
      Truth("o OR FALSE", "false"), Truth("z OR FALSE", "false"), Truth("none OR FALSE", "MISSING"),
    ])
  }

  @Test func comparisons() throws {
    try check([
      Truth("i = 3", "true"), Truth("i = 3.0", "true"), Truth("one = 1", "true"), Truth("t = 1", "true"),
      Truth("f < 1", "true"), Truth("t = one", "true"), Truth("i < s", "true"), Truth("t < 'a'", "true"),
      Truth("s < a", "true"), Truth("a < o", "true"), Truth("i = none", "MISSING"), Truth("z = none", "MISSING"),
      Truth("z = 1", "null"), Truth("z = z", "null"), Truth("z != 1", "null"), Truth("none = none", "MISSING"),
      Truth("s = 'abc'", "true"), Truth("s = 'ABC'", "false"), Truth("'B' < 'a'", "true"), Truth("'a' < 'ä'", "true"),
      Truth("s >= 'abb'", "true"), Truth("'10' = 10", "false"), Truth("'10' < '9'", "true"),
      Truth("9007199254740993 > 9007199254740992.0", "true"), Truth("9007199254740993 = 9007199254740992.0", "false"),
      Truth("9223372036854775807 < 9223372036854775808.0", "true"), Truth("-1 > -1e300", "true"),
      Truth("9007199254740993 < 0.5", "false"),
      Truth("[1, 2] = [1.0, 2.0]", "true"), Truth("[1] = [true]", "false"), Truth("[10] < [9]", "true"),
      Truth("{'a': 1, 'b': 2} = {'b': 2.0, 'a': 1}", "true"), Truth("o = {'l': [5, 6], 'k': 1}", "true"),
      Truth("e < [0]", "false"), Truth("e > [[0]]", "true"), Truth("[] = e", "true"),
      Truth("a = [1, MISSING, 'x']", "true"),
    ])
  }

  @Test func isAndInOperators() throws {
    try check([
      Truth("z IS NULL", "true"), Truth("none IS NULL", "MISSING"), Truth("i IS NULL", "false"),
      Truth("z IS NOT NULL", "false"), Truth("none IS NOT NULL", "MISSING"), Truth("i IS NOT NULL", "true"),
      Truth("z IS MISSING", "false"), Truth("none IS MISSING", "true"), Truth("none IS NOT MISSING", "false"),
      Truth("z IS VALUED", "false"), Truth("none IS VALUED", "false"), Truth("f IS VALUED", "true"),
      Truth("z IS NOT VALUED", "true"), Truth("none IS NOT VALUED", "true"), Truth("i IS 3", "true"),
      Truth("z IS z", "null"), Truth("s IS NOT 'x'", "true"),
      Truth("i IN (1, 3)", "true"), Truth("i IN (1, 2)", "false"), Truth("i IN (1, NULL)", "null"),
      Truth("i IN (3, NULL)", "true"), Truth("i IN (1, none)", "null"), Truth("none IN (1)", "MISSING"),
      Truth("none IN ()", "MISSING"), Truth("z IN (1)", "null"), Truth("z IN ()", "null"), Truth("i IN ()", "false"),
      Truth("1 IN a", "true"), Truth("'x' IN a", "true"), Truth("2 IN a", "null"), Truth("1 IN o", "true"),
      Truth("1 IN s", "null"), Truth("1 IN none", "MISSING"), Truth("1 IN z", "null"), Truth("true IN a", "true"),
      Truth("i BETWEEN 1 AND 3", "true"), Truth("i BETWEEN 4 AND 5", "false"), Truth("i BETWEEN NULL AND 1", "false"),
      Truth("i BETWEEN NULL AND 3", "null"), Truth("i BETWEEN 4 AND none", "false"), Truth("z BETWEEN 1 AND 2", "null"),
      Truth("i BETWEEN NULL AND none", "MISSING"), Truth("none BETWEEN 1 AND 2", "MISSING"),
      Truth("i NOT BETWEEN 4 AND 5", "true"), Truth("i NOT BETWEEN NULL AND 1", "true"),
      Truth("i NOT BETWEEN NULL AND 3", "false"),
      Truth("EXISTS a", "true"), Truth("EXISTS e", "false"), Truth("EXISTS o", "false"), Truth("EXISTS none", "false"),
    ])
  }

  @Test func patterns() throws {
    try check([
      Truth("s LIKE 'abc'", "true"), Truth("s LIKE 'ABC'", "false"), Truth("s LIKE 'a%'", "true"),
      Truth("s LIKE '%c'", "true"), Truth("s LIKE '_b_'", "true"), Truth("s LIKE '__'", "false"),
      Truth("'ä' LIKE '_'", "true"), Truth("'a%' LIKE 'a\\%'", "true"), Truth("'ab' LIKE 'a\\%'", "false"),
      Truth("'' LIKE '%'", "true"), Truth("'' LIKE ''", "true"), Truth("'aab' LIKE '%ab'", "true"),
      Truth("'a\\' LIKE 'a\\'", "true"), Truth("s NOT LIKE 'b%'", "true"), Truth("i LIKE '3'", "null"),
      Truth("s LIKE 3", "null"), Truth("none LIKE 3", "MISSING"), Truth("3 LIKE none", "MISSING"),
      Truth("z LIKE 'a'", "null"),
    ])
  }

  @Test func arithmetic() throws {
    try check([
      Truth("i + 1", "4"), Truth("i + 1.0", "4.0"), Truth("i / 2", "1"), Truth("-7 / 2", "-3"), Truth("i / 2.0", "1.5"),
      Truth("i / 0", "MISSING"), Truth("i / 0.0", "MISSING"), Truth("s / 0", "null"), Truth("i % 2", "1"),
      Truth("-3 % 2", "-1"), Truth("5.9 % 2.9", "1.0"), Truth("5 % 0.5", "MISSING"), Truth("i % 0", "MISSING"),
      Truth("9223372036854775807 + 1", "9.223372036854776e+18"), Truth("1e308 * 10", "null"),
      Truth("-9223372036854775808 / -1", "9.223372036854776e+18"), Truth("-9223372036854775808 % -1", "0"),
      Truth("-(-9223372036854775808)", "9.223372036854776e+18"), Truth("-i", "-3"), Truth("-d", "-2.5"),
      Truth("-s", "null"), Truth("-none", "MISSING"), Truth("t + 1", "null"), Truth("z * 2", "null"),
      Truth("none * 'x'", "MISSING"), Truth("none * NULL", "MISSING"), Truth("s || i", "\"abc3\""),
      Truth("s || z", "\"abcnull\""), Truth("s || none", "MISSING"), Truth("s || a", "\"abc[1,null,\\\"x\\\"]\""),
      Truth("one || t", "\"1.0true\""),
    ])
  }

  @Test func conditionals() throws {
    try check([
      Truth("CASE WHEN i = 3 THEN 'a' ELSE 'b' END", "\"a\""), Truth("CASE WHEN z THEN 'a' END", "null"),
      Truth("CASE WHEN none THEN 1 WHEN '1x' THEN 2 END", "2"),
      Truth("CASE i WHEN 1 THEN 'a' WHEN 3.0 THEN 'b' END", "\"b\""),
      Truth("CASE z WHEN NULL THEN 1 ELSE 2 END", "2"), Truth("CASE none WHEN MISSING THEN 1 ELSE 2 END", "2"),
      Truth("CASE WHEN TRUE THEN none ELSE 1 END", "MISSING"),
    ])
  }

  @Test func quantifiers() throws {
    try check([
      Truth("ANY v IN a SATISFIES v = 1 END", "true"), Truth("ANY v IN a SATISFIES v = 2 END", "false"),
      Truth("ANY v IN a SATISFIES v IS NULL END", "true"), Truth("ANY v IN o SATISFIES v = 1 END", "true"),
      Truth("ANY v IN none SATISFIES TRUE END", "false"), Truth("ANY v IN s SATISFIES TRUE END", "false"),
      Truth("EVERY v IN a SATISFIES v IS VALUED END", "false"), Truth("EVERY v IN e SATISFIES FALSE END", "true"),
      Truth("EVERY v IN none SATISFIES FALSE END", "true"), Truth("EVERY v IN a SATISFIES v < 5 END", "false"),
      Truth("ANY AND EVERY v IN e SATISFIES TRUE END", "false"),
      Truth("ANY AND EVERY v IN o.l SATISFIES v > 4 END", "true"),
      Truth("ANY v IN a SATISFIES ANY w IN o.l SATISFIES w = v + 4 END END", "true"),
      Truth("ANY v IN [{'k': 7}] SATISFIES v.k = 7 END", "true"),
    ])
  }

  @Test func paths() throws {
    try check([
      Truth("o.k", "1"), Truth("o.l[0]", "5"), Truth("o.l[-1]", "6"), Truth("o.l[2]", "MISSING"),
      Truth("o.l[-3]", "MISSING"), Truth("s.k", "MISSING"), Truth("z.k", "MISSING"), Truth("a.k", "MISSING"),
      Truth("o[0]", "MISSING"), Truth("a[1]", "null"), Truth("{'x': [i]}.x[0]", "3"), Truth("META().id", "\"1\""),
      Truth("META().sequence", "1"), Truth("META().deleted", "false"), Truth("META().expiration", "MISSING"),
      Truth("[none, 1]", "[null,1]"), Truth("{'a': none, 'b': z}", "{\"b\":null}"),
    ])
  }

  @Test func collations() throws {
    try check([
      Truth("s = 'ABC' COLLATE NOCASE", "true"), Truth("(s COLLATE NOCASE) = 'ABC'", "true"),
      Truth("s = ('ABC' COLLATE NOCASE)", "true"), Truth("'Ä' = 'ä' COLLATE NOCASE", "false"),
      Truth("s LIKE 'A_C' COLLATE NOCASE", "true"), Truth("s IN ('ABC') COLLATE NOCASE", "true"),
      Truth("s BETWEEN 'AB' AND 'ABD' COLLATE NOCASE", "true"),
      Truth("(CASE s WHEN 'ABC' THEN 1 ELSE 2 END) COLLATE NOCASE", "1"),
      Truth("(i = 3 AND NOT (s != 'ABC')) COLLATE NOCASE", "true"),
      Truth("((s COLLATE NOUNICODE) = 'ABC') COLLATE NOCASE", "false"),
      Truth("((s = 'ABC') COLLATE NOUNICODE OR FALSE) COLLATE NOCASE", "false"),
      Truth("'[' < 'A' COLLATE NOCASE", "true"), Truth("['a'] = ['A'] COLLATE NOCASE", "false"),
      Truth("CONTAINS(s, 'BC') COLLATE NOCASE", "true"), Truth("ARRAY_CONTAINS(a, 'X') COLLATE NOCASE", "true"),
      Truth("NULLIF(s, 'ABC') COLLATE NOCASE", "null"), Truth("ARRAY_POSITION(a, 'X') COLLATE NOCASE", "2"),
      Truth("ARRAY_MIN(['b', 'C']) COLLATE NOCASE", "\"b\""),
    ])
  }
}
