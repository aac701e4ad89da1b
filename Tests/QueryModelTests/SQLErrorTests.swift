import Foundation
import QueryModel
import Testing

struct SQLErrorTests {
  /// The text, then the output around it: location and error, the carets, the rest.
  @Test(
    arguments: [
      ("SELEC a", "1: unexpected 'SELEC'", "^^^^^", ["expected 'SELECT'"]),
      (
        "SELECT FROM x", "8: unexpected 'FROM'", "       ^^^^",
        ["expected an expression", "hint: FROM is a reserved word; to use it as a name, write `FROM`"]
      ),
      (
        "SELECT a, FROM x", "11: unexpected 'FROM'", "          ^^^^",
        ["expected an expression", "hint: FROM is a reserved word; to use it as a name, write `FROM`"]
      ),
      (
        "SELECT a FROM x WHERE b IN (SELECT c FROM y)", "29: unexpected 'SELECT'", "                            ^^^^^^",
        [
          "expected an expression",
          "hint: a query is one SELECT: subqueries, UNION, INTERSECT, EXCEPT and WITH are not supported",
        ]
      ),
      (
        "SELECT RAW a FROM x", "8: 'RAW' is not supported here", "       ^^^",
        ["hint: a row is an object: name its columns, without RAW or ELEMENT"]
      ),
      ("SELECT a FROM", "14: unexpected end of the query", "             ^", ["expected the name of a collection"]),
      (
        "SELECT a FROM order", "15: unexpected 'order'", "              ^^^^^",
        [
          "expected the name of a collection",
          "hint: order is a reserved word; to use it as a name, write `order`",
        ]
      ),
      (
        "SELECT a FROM a.b.c", "18: unexpected '.'", "                 ^",
        ["expected an operator, 'JOIN', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT' or 'OFFSET'"]
      ),
      (
        "SELECT a FROM x WHERE", "22: unexpected end of the query", "                     ^", ["expected an expression"]
      ),
      (
        "SELECT a FROM x WHERE b =", "26: unexpected end of the query", "                         ^",
        ["expected an expression"]
      ),
      (
        "SELECT a FROM x WHERE b c", "25: unexpected 'c'", "                        ^",
        ["expected an operator, 'GROUP', 'HAVING', 'ORDER', 'LIMIT' or 'OFFSET'"]
      ),
      (
        "SELECT a FROM x LIMIT 1 WHERE b", "25: unexpected 'WHERE'", "                        ^^^^^",
        ["expected an operator or 'OFFSET'"]
      ),
      ("SELECT a FROM x ORDER a", "23: unexpected 'a'", "                      ^", ["expected 'BY'"]),
      (
        "SELECT a FROM x ORDER BY a NULLS", "33: unexpected end of the query", "                                ^",
        ["expected 'FIRST' or 'LAST'"]
      ),
      (
        "SELECT a FROM x JOIN y", "23: unexpected end of the query", "                      ^",
        ["expected 'ON'", "hint: a join needs a condition; for all pairs of rows, write CROSS JOIN"]
      ),
      (
        "SELECT a FROM x LEFT JOIN y WHERE b", "29: unexpected 'WHERE'", "                            ^^^^^",
        ["expected 'ON'", "hint: a join needs a condition; for all pairs of rows, write CROSS JOIN"]
      ),
      (
        "SELECT a FROM x CROSS JOIN y ON b", "30: unexpected 'ON'", "                             ^^",
        ["hint: CROSS JOIN returns all pairs of rows; for a condition, write JOIN"]
      ),
      (
        "SELECT a FROM x RIGHT JOIN y ON b", "17: unexpected 'RIGHT'", "                ^^^^^",
        [
          "expected an operator, 'JOIN', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT' or 'OFFSET'",
          "hint: only INNER, LEFT and CROSS joins are supported",
        ]
      ),
      (
        "SELECT a FROM x JOIN x ON b", "22: two sources of the query are called 'x'", "                     ^",
        ["hint: give one of them another name with AS"]
      ),
      (
        "SELECT a FROM x UNNEST [1]", "27: unexpected end of the query", "                          ^",
        ["expected 'AS' or a name"]
      ),
      ("SELECT (a FROM x", "11: unexpected 'FROM'", "          ^^^^", ["expected an operator or ')'"]),
      ("SELECT (a", "8: '(' is never closed", "       ^", ["expected ')'"]),
      ("SELECT [a, ", "12: unexpected end of the query", "           ^", ["expected an expression"]),
      ("SELECT [a", "8: '[' is never closed", "       ^", ["expected ']'"]),
      ("SELECT {'a': 1", "8: '{' is never closed", "       ^", ["expected '}'"]),
      ("SELECT {1: 1}", "9: unexpected '1'", "        ^", ["expected a key, as in 'key': 1"]),
      ("SELECT a)", "9: ')' closes nothing", "        ^", []),
      ("SELECT 'a", "8: this quotation mark is never closed", "       ^", []),
      ("SELECT `a", "8: this quotation mark is never closed", "       ^", []),
      ("SELECT a /* b", "10: '/*' is never closed", "         ^^", ["expected '*/'"]),
      ("SELECT a ? b", "10: unexpected '?'", "         ^", []),
      ("SELECT $", "8: unexpected '$'", "       ^", ["expected a parameter, as in $name"]),
      ("SELECT 12abc", "8: '12abc' is not a number", "       ^^^^^", []),
      ("SELECT 1e999", "8: '1e999' is not a number", "       ^^^^^", []),
      ("SELECT a.", "10: unexpected end of the query", "         ^", ["expected a name"]),
      ("SELECT a.5", "10: unexpected '5'", "         ^", ["expected a name"]),
      ("SELECT (a).5", "12: unexpected '5'", "           ^", ["expected a name"]),
      ("SELECT 1..2", "10: unexpected '.'", "         ^", ["expected a name"]),
      (
        "SELECT a & 1", "10: '&' is not supported here", "         ^",
        ["hint: there are no bitwise operators; AND and OR combine conditions, || concatenates strings"]
      ),
      (
        "SELECT a << 1", "10: '<<' is not supported here", "         ^^",
        ["hint: there are no bitwise operators; AND and OR combine conditions, || concatenates strings"]
      ),
      ("SELECT a[b]", "10: unexpected 'b'", "         ^", ["expected a whole number"]),
      ("SELECT a[0", "9: '[' is never closed", "        ^", ["expected ']'"]),
      ("SELECT b.* FROM a", "8: no source of the query is called 'b'", "       ^", []),
      ("SELECT META(b).id FROM a", "13: no source of the query is called 'b'", "            ^", []),
      (
        "SELECT META().ids", "15: META() has no field 'ids'", "              ^^^",
        ["expected 'id', 'sequence', 'revisionID', 'deleted' or 'expiration'"]
      ),
      ("SELECT MATCH(b.i, 'x') FROM a", "14: no source of the query is called 'b'", "             ^", []),
      ("SELECT MATCH(i)", "15: unexpected ')'", "              ^", ["expected ','"]),
      ("SELECT SUM(*)", "12: unexpected '*'", "           ^", ["expected an expression"]),
      ("SELECT RANK(1)", "13: unexpected '1'", "            ^", ["expected the name of a full-text index"]),
      ("SELECT lwoer(a)", "8: there is no function 'lwoer'", "       ^^^^^", ["hint: did you mean LOWER?"]),
      ("SELECT frobnicate(a)", "8: there is no function 'frobnicate'", "       ^^^^^^^^^^", []),
      ("SELECT power(1)", "8: POWER takes 2 arguments, 1 given", "       ^^^^^", []),
      ("SELECT abs()", "8: ABS takes 1 argument, 0 given", "       ^^^", []),
      ("SELECT pi(1)", "8: PI takes no arguments, 1 given", "       ^^", []),
      ("SELECT round(1, 2, 3)", "8: ROUND takes 1 or 2 arguments, 3 given", "       ^^^^^", []),
      ("SELECT least(1)", "8: LEAST takes at least 2 arguments, 1 given", "       ^^^^^", []),
      (
        "SELECT lower(DISTINCT a)", "14: 'DISTINCT' is only allowed in an aggregate such as COUNT",
        "             ^^^^^^^^", []
      ),
      (
        "SELECT a NOT b", "10: unexpected 'NOT'", "         ^^^",
        ["expected an operator, 'FROM', 'GROUP', 'HAVING', 'ORDER', 'LIMIT' or 'OFFSET'"]
      ),
      (
        "SELECT a IN (1) IN (2)", "17: unexpected 'IN'", "                ^^",
        ["expected an operator, 'FROM', 'GROUP', 'HAVING', 'ORDER', 'LIMIT' or 'OFFSET'"]
      ),
      ("SELECT a BETWEEN 1 OR 2", "20: unexpected 'OR'", "                   ^^", ["expected 'AND'"]),
      (
        "SELECT a IS VALUED + 1", "20: unexpected '+'", "                   ^",
        ["expected an operator, 'FROM', 'GROUP', 'HAVING', 'ORDER', 'LIMIT' or 'OFFSET'"]
      ),
      ("SELECT CASE a END", "15: unexpected 'END'", "              ^^^", ["expected 'WHEN'"]),
      (
        "SELECT CASE WHEN a THEN b", "26: unexpected end of the query", "                         ^",
        ["expected 'WHEN', 'ELSE' or 'END'"]
      ),
      (
        "SELECT ANY v IN a SATISFIES v", "30: unexpected end of the query", "                             ^",
        ["expected an operator or 'END'"]
      ),
      ("SELECT ANY 1 IN a", "12: unexpected '1'", "           ^", ["expected the name of a variable"]),
      ("SELECT EVERY v IN a THEN", "21: unexpected 'THEN'", "                    ^^^^", ["expected 'SATISFIES'"]),
      (
        "SELECT a COLLATE x", "18: unexpected 'x'", "                 ^",
        ["expected 'UNICODE', 'NOCASE', 'NODIAC' or '('"]
      ),
      (
        "SELECT a COLLATE UNICODE NOCASE", "26: unexpected 'NOCASE'", "                         ^^^^^^",
        ["hint: put several words in parentheses: COLLATE (UNICODE NOCASE)"]
      ),
      ("SELECT a COLLATE (NOCASE", "18: '(' is never closed", "                 ^", ["expected ')'"]),
      ("SELECT a AS 1", "13: unexpected '1'", "            ^", ["expected a name"]),
      (
        "SELECT a UNION SELECT b", "16: unexpected 'SELECT'", "               ^^^^^^",
        [
          "expected an operator, 'FROM', 'GROUP', 'HAVING', 'ORDER', 'LIMIT' or 'OFFSET'",
          "hint: a query is one SELECT: subqueries, UNION, INTERSECT, EXCEPT and WITH are not supported",
        ]
      ),
    ] as [(String, String, String, [String])])
  func errorsAreRenderedWithCaretsAndHints(text: String, headline: String, carets: String, rest: [String]) {
    let expected = ["line 1, column \(headline)", "  \(text)", "  \(carets)"] + rest
    let error = #expect(throws: QuerySyntaxError.self) { try SQLParser().parse(text) }
    #expect(error?.description == expected.joined(separator: "\n"))
  }

  /// Names are resolved with `FROM`, but only an error in `FROM` is reported, not the errors that result from it.
  @Test(arguments: [
    ("SELECT h.*, META(h).id FROM hotel AS h JOIN", "44: unexpected end of the query"),
    ("SELECT x.* FROM x JOIN x ON TRUE", "24: two sources of the query are called 'x'"),
    ("SELECT h.* h.* FROM hotel AS h JOIN", "13: unexpected '.'"),
    ("SELECT a.* FROM b JOIN c ON a.*", "8: no source of the query is called 'a'"),
  ]) func firstErrorIsReported(text: String, headline: String) {
    let error = #expect(throws: QuerySyntaxError.self) { try SQLParser().parse(text) }
    #expect(error?.description.split(separator: "\n").first == "line 1, column \(headline)")
  }

  @Test func errorsHaveLineNumbers() {
    let error = #expect(throws: QuerySyntaxError.self) {
      try SQLParser().parse("SELECT name\nFROM hotel\nWHERE stars > 3 AND AND pool\nLIMIT 1")
    }
    #expect(
      error?.description == """
        line 3, column 21: unexpected 'AND'
          WHERE stars > 3 AND AND pool
                              ^^^
        expected an expression
        hint: AND is a reserved word; to use it as a name, write `AND`
        """)
    #expect(error?.found == "AND")
    #expect(error?.location.line == 3)
  }

  @Test func emptyTextThrows() {
    #expect(throws: QuerySyntaxError.self) { try SQLParser().parse("  -- nothing") }
    let error = #expect(throws: QuerySyntaxError.self) { try SQLParser().parseExpression("") }
    #expect(error?.kind == .emptyQuery)
  }

  /// Each would exhaust the stack of a parser, or of a later traversal, that does not limit its depth.
  @Test(arguments: [
    "(", "NOT ", "- ", "+ ", "[", "{'a': ", "CASE WHEN ", "CASE ", "a + ", "a - (", "a || ", "a = ", "a = NOT ", "f(",
    "LOWER(",
    "a IN (", "a IS ", "ANY v IN ", "EXISTS ", "a AND (b OR ", "a COLLATE NOCASE || ", "MATCH(i, ",
    "a < b AND c + d * (",
  ]) func deepNestingThrows(piece: String) {
    let text = String(repeating: piece, count: 10_000) + "a"
    let error = #expect(throws: QuerySyntaxError.self) { try SQLParser().parseExpression(text) }
    let kinds: [Diagnostic.Kind] = [.tooDeep(limit: SQLParser.maximumDepth), .unknownFunction]
    #expect(kinds.contains { $0 == error?.kind }, "\(String(describing: error))")
  }

  @Test func allowedNestingRoundTrips() throws {
    let depth = SQLParser.maximumDepth - 2
    let text =
      String(repeating: "NOT ", count: depth / 2) + String(repeating: "(", count: depth / 2) + "a"
      + String(repeating: ")", count: depth / 2)
    #expect(try SQLParser().parseExpression(text).description == String(repeating: "NOT ", count: depth / 2) + "a")
    let chain = [String](repeating: "a", count: 250).joined(separator: " || ")
    #expect(try SQLParser().parseExpression(chain).description == chain)
  }

  /// Threads have 8 MiB on Linux, some of which is in use. Optimized code needs about 1 MiB; tests are not optimized.
  @Test func deepestQueriesFitOnThreadStack() {
    let shapes = [
      ("(", ")"), ("NOT (", ")"), ("[", "]"), ("{'a': ", "}"), ("LOWER(", ")"), ("CASE WHEN a THEN ", " END"),
      ("a = (b OR ", ")"),
      ("ANY v IN ", " SATISFIES v END"), ("a IN (", ")"), ("a OR b AND NOT c = d < e + f * g || -(", ")"),
    ]
    for (opening, closing) in shapes {
      let levels =
        (1...SQLParser.maximumDepth).last { levels in
          (try? SQLParser().parseExpression(nested(opening, closing, levels))) != nil
        } ?? 0
      #expect(levels > 20)
      let text = nested(opening, closing, levels)
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        if let expression = try? SQLParser().parseExpression(text) {
          let json = JSONQueryWriter().value(of: expression)
          let read = try? JSONQueryParser().parseExpression(json)
          _ = (expression.description, read == expression.map { $0 }, expression.hashValue)
        }
        done.signal()
      }
      thread.stackSize = 6 * 1024 * 1024
      thread.start()
      done.wait()
    }
  }

  private func nested(_ opening: String, _ closing: String, _ levels: Int) -> String {
    String(repeating: opening, count: levels) + "a" + String(repeating: closing, count: levels)
  }
}
