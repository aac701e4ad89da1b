import Foundation
import QueryModel
import Testing

struct PredicateErrorTests {
  /// The text, then the output around it: location and error, the carets, the rest.
  @Test(
    arguments: [
      ("a ==", "5: unexpected end of the query", "    ^", ["expected an expression"]),
      ("a", "1", "", []),
      ("== 5", "1: unexpected '=='", "^^", ["expected an expression"]),
      ("a == 5 b", "8: unexpected 'b'", "       ^", ["expected an operator"]),
      ("a == 5)", "7: ')' closes nothing", "      ^", []),
      ("(a == 5", "1: '(' is never closed", "^", ["expected ')'"]),
      ("a IN {1, 2", "6: '{' is never closed", "     ^", ["expected '}'"]),
      (
        "a IN (1, 2)", "8: unexpected ','", "       ^",
        ["expected an operator or ')'", "hint: write a list in braces: {1, 2}"]
      ),
      (
        "a IN [1, 2]", "7: unexpected '1'", "      ^",
        ["expected 'c', 'd', 'cd' or 'l'", "hint: write a list in braces: {1, 2}"]
      ),
      ("a IN 5", "6: unexpected '5'", "     ^", ["expected a list, as in {1, 5}"]),
      ("a ==[x] 'b'", "6: unexpected 'x'", "     ^", ["expected 'c', 'd', 'cd' or 'l'"]),
      ("a MATCHES[d] 'b'", "11: unexpected 'd'", "          ^", ["expected 'c'"]),
      ("a BEGINSWITH 5", "14: unexpected '5'", "             ^", ["expected a string"]),
      ("a BETWEEN {1}", "11: unexpected '{'", "          ^", ["expected two values, as in {1, 5}"]),
      ("a BETWEEN 1", "11: unexpected '1'", "          ^", ["expected two values, as in {1, 5}"]),
      ("a < b < c", "7: unexpected '<'", "      ^", ["expected an operator"]),
      ("NOT a == b == c", "12: unexpected '=='", "           ^^", ["expected an operator"]),
      ("a == 'x", "6: this quotation mark is never closed", "     ^", []),
      ("`a == 1", "1: this quotation mark is never closed", "^", []),
      (
        "a == %@", "6: unexpected '%'", "     ^",
        ["hint: format arguments are not supported; write a parameter, as in $name, and set its value"]
      ),
      ("a == ?", "6: unexpected '?'", "     ^", []),
      ("a == $", "6: unexpected '$'", "     ^", ["expected a name, as in $name"]),
      ("# == 1", "1: unexpected '#'", "^", ["expected a name, as in #name"]),
      ("a == 12abc", "6: '12abc' is not a number", "     ^^^^^", []),
      ("a == 0xZ", "6: '0xZ' is not a number", "     ^^^", []),
      ("a == 1e999", "6: '1e999' is not a number", "     ^^^^^", []),
      (
        "in == 1", "1: unexpected 'in'", "^^",
        ["expected an expression", "hint: in is a reserved word; write a # before it to use it as a key: #in"]
      ),
      ("a. == 1", "4: unexpected '=='", "   ^^", ["expected a key"]),
      ("a[x] == 1", "3: unexpected 'x'", "  ^", ["expected a whole number, 'FIRST', 'LAST' or 'SIZE'"]),
      ("a[1 == 1", "5: unexpected '=='", "    ^^", ["expected ']'"]),
      (
        "a.@median == 1", "4: unexpected 'median'", "   ^^^^^^",
        ["expected 'count', 'sum', 'avg', 'min', 'max' or 'distinctUnionOfObjects'"]
      ),
      (
        "a.@sum.price > 1", "8: 'price' is not supported here", "       ^^^^^",
        ["hint: only the elements themselves can be collected; for values inside them, use SQL++ with UNNEST"]
      ),
      ("@count > 1", "1: unexpected '@'", "^", ["expected an expression"]),
      ("ANY a", "6: unexpected end of the query", "     ^", ["expected a comparison"]),
      ("ANY (a == 1)", "13: unexpected end of the query", "            ^", ["expected a comparison"]),
      ("lwoer(a) == 1", "1: there is no function 'lwoer'", "^^^^^", ["hint: did you mean LOWER?"]),
      ("CAST(a, 'NSDate') > 1", "1: there is no function 'CAST'", "^^^^", []),
      ("power(1) > 1", "1: POWER takes 2 arguments, 1 given", "^^^^^", []),
      ("count() > 1", "1: ARRAY_LENGTH takes 1 argument, 0 given", "^^^^^", []),
      ("modulus:by:(1) > 1", "1: 'modulus' takes 2 operands, 1 given", "^^^^^^^", []),
      ("TERNARY(a, b) > 1", "1: 'TERNARY' takes 3 operands, 2 given", "^^^^^^^", []),
      ("lower(DISTINCT a) == 1", "7: 'DISTINCT' is only allowed in an aggregate such as COUNT", "      ^^^^^^^^", []),
      (
        "META().ids == 1", "8: META() has no field 'ids'", "       ^^^",
        ["expected 'id', 'sequence', 'revisionID', 'deleted' or 'expiration'"]
      ),
      ("RANK(1) > 1", "6: unexpected '1'", "     ^", ["expected the name of a full-text index"]),
      ("SUBQUERY(a, x, b).@count > 0", "13: unexpected 'x'", "            ^", ["expected a variable, as in $item"]),
      (
        "SUBQUERY(a, $x, $x == 1).@count > 3", "1: 'SUBQUERY' is not supported here", "^^^^^^^^",
        ["hint: a subquery supports only SUBQUERY(…).@count > 0 and == 0"]
      ),
      (
        "a == 1 AND SUBQUERY(a, $x, $x == 1)", "12: 'SUBQUERY' is not supported here", "           ^^^^^^^^",
        ["hint: a subquery supports only SUBQUERY(…).@count > 0 and == 0"]
      ),
      ("a := 1", "3: unexpected ':'", "  ^", ["expected an operator"]),
      ("\u{3000}a ==\n b c", "4: unexpected 'c'", "   ^", ["expected an operator"]),
    ] as [(String, String, String, [String])])
  func errorsAreRenderedWithCaretsAndHints(text: String, headline: String, carets: String, rest: [String]) {
    guard !carets.isEmpty else {
      #expect(throws: Never.self) { try PredicateParser().parse(text) }
      return
    }
    let error = #expect(throws: QuerySyntaxError.self) { try PredicateParser().parse(text) }
    let lines = text.split(separator: "\n")
    let expected = ["line \(lines.count), column \(headline)", "  \(lines.last ?? "")", "  \(carets)"] + rest
    #expect(error?.description == expected.joined(separator: "\n"))
  }

  @Test func emptyTextThrows() {
    let parser = PredicateParser()
    for text in ["", "  ", "\n"] {
      #expect(throws: QuerySyntaxError.self) { try parser.parseExpression(text) }
      #expect(throws: QuerySyntaxError.self) { try parser.parseSortTerm(text) }
      let error = #expect(throws: QuerySyntaxError.self) { try parser.parse(text) }
      #expect(error?.kind == .emptyQuery)
    }
    #expect(throws: QuerySyntaxError.self) { try parser.parseSortTerm("-") }
    #expect(throws: QuerySyntaxError.self) { try parser.parseSortTerm("a DESC") }
  }

  /// Each would exhaust the stack of a parser, or of a later traversal, that does not limit its depth.
  @Test(arguments: [
    "(", "NOT ", "!", "- ", "{", "a + ", "a - (", "a ** ", "a == (", "lower(", "count(", "a IN {", "ANY a == (",
    "ANY (",
    "SUBQUERY(", "SUBQUERY(a, $x, ", "a && (b || ", "TERNARY(", "MATCH(i, ", "a < b && c + d * (", "a CONTAINS (",
    "a BETWEEN (", "a.b.c.d IN (", "ANY a.b.c.d.e == (", "a LIKE[c] (", "-(a BEGINSWITH[c] ",
  ]) func deepNestingThrows(piece: String) {
    let text = String(repeating: piece, count: 1_000) + "a"
    let error = #expect(throws: QuerySyntaxError.self) { try PredicateParser().parse(text) }
    let kinds: [Diagnostic.Kind] = [.tooDeep(limit: SQLParser.maximumDepth), .tooLarge(limit: 100_000)]
    #expect(kinds.contains { $0 == error?.kind }, "\(String(describing: error))")
  }

  /// A comparison with two meanings is expanded to both; nested ones must not grow exponentially.
  @Test(arguments: [
    ("a CONTAINS (", ")"), ("(", ") IN a"), ("ANY a.b.c == (", ")"), ("a BETWEEN (", ")"), ("a CONTAINS[c] (", ")"),
    ("(", ") CONTAINS b"),
  ]) func expandedComparisonsAreBounded(opening: String, closing: String) {
    let texts = (1...24).map { levels in
      String(repeating: opening, count: levels) + "a" + String(repeating: closing, count: levels)
    }
    let parsed = texts.compactMap { try? PredicateParser().parse($0) }
    #expect((5..<24).contains(parsed.count))
    var size = 0
    parsed.last?.visit { _ in size += 1 }
    #expect(size <= 100_000)
    let path = [String](repeating: "a", count: 5000).joined(separator: ".")
    #expect(throws: QuerySyntaxError.self) { try PredicateParser().parse("ANY \(path) == 1") }
  }

  /// Threads have 8 MiB on Linux, some of which is in use. Optimized code needs about 1 MiB; tests are not optimized.
  @Test func deepestPredicatesFitOnThreadStack() {
    let shapes = [
      ("(", ")"), ("NOT (", ")"), ("{", "}"), ("lower(", ")"), ("TERNARY(a, ", ", b)"), ("a == (b || ", ")"),
      ("a IN {", "}"), ("SUBQUERY(a, $x, ", ").@count > 0"), ("a || b && !c == d + f * -(", ")"),
    ]
    for (opening, closing) in shapes {
      let texts = stride(from: SQLParser.maximumDepth, to: 0, by: -4).lazy.map { levels in
        String(repeating: opening, count: levels) + "a" + String(repeating: closing, count: levels)
      }
      let deepest = texts.first { (try? PredicateParser().parse($0)) != nil }
      #expect((deepest?.utf8.count ?? 0) > 20)
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        if let deepest, let expression = try? PredicateParser().parse(deepest) {
          let json = JSONQueryWriter().value(of: expression)
          _ = (expression.description, (try? JSONQueryParser().parseExpression(json)) == expression)
        }
        done.signal()
      }
      thread.stackSize = 6 * 1024 * 1024
      thread.start()
      done.wait()
    }
  }

  @Test func deepPredicateOnASmallStackIsParsedOrRefused() {
    for (before, after) in [("(", ")"), ("NOT (", ")"), ("-", ""), ("abs(", ")")] {
      let text = String(repeating: before, count: 250) + "a" + String(repeating: after, count: 250)
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        _ = try? PredicateParser().parse(text)
        done.signal()
      }
      thread.stackSize = 512 * 1024
      thread.start()
      done.wait()
    }
  }
}
