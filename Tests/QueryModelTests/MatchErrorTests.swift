import QueryModel
import Testing

struct MatchErrorTests {
  private static let operand = #"expected a word, a "phrase" or '('"#
  private static let phrase = #"expected a word or a "phrase""#
  private static let following = "expected a word, 'AND', 'OR' or 'NOT'"

  /// The text, then the lines around it: location and error, the rest. `render` puts the text between them.
  @Test(
    arguments: [
      ("a AND", "3: 'AND' has nothing on its right", "  ^^^", [operand]),
      (
        "a AND NOT b", "3: 'AND' has nothing on its right", "  ^^^",
        [operand, "hint: NOT already means AND NOT: write a NOT b"]
      ),
      ("a OR OR b", "3: 'OR' has nothing on its right", "  ^^", [operand]),
      ("(a OR) b", "4: 'OR' has nothing on its right", "   ^^", [operand]),
      ("f:", "2: ':' has nothing on its right", " ^", [operand]),
      ("f:-g:a", "2: ':' has nothing on its right", " ^", [operand]),
      ("a + ", "3: '+' has nothing on its right", "  ^", [phrase]),
      ("a + ^b", "3: '+' has nothing on its right", "  ^", [phrase]),
      ("^", "1: '^' has nothing on its right", "^", [phrase]),
      ("a NEAR/3", "3: 'NEAR/3' has nothing on its right", "  ^^^^^^", [phrase]),
      (
        "NOT a", "1: 'NOT' has nothing on its left", "^^^",
        [operand, "hint: NOT needs a term on each side: a NOT b finds a without b"]
      ),
      ("OR", "1: 'OR' has nothing on its left", "^^", [operand]),
      ("(AND a)", "2: 'AND' has nothing on its left", " ^^^", [operand]),
      (
        "*foo", "1: '*' has nothing on its left", "^",
        [operand, "hint: * finds words by prefix and follows the prefix, as in pre*"]
      ),
      (":a", "1: ':' has nothing on its left", "^", [operand]),
      ("(a b", "1: '(' is never closed", "^", ["expected ')'"]),
      ("a (", "3: '(' is never closed", "  ^", ["expected ')'"]),
      ("NEAR(a b, ", "5: '(' is never closed", "    ^", ["expected ')'"]),
      ("x {a b", "3: '{' is never closed", "  ^", ["expected '}'"]),
      ("a b)", "4: ')' closes nothing", "   ^", []),
      (")", "1: ')' closes nothing", "^", []),
      ("()", "2: unexpected ')'", " ^", [operand]),
      (
        "a \"b", "3: this quotation mark is never closed", "  ^",
        ["hint: a double quote inside a phrase is written twice: \"\""]
      ),
      (
        "a -b", "3: unexpected '-'", "  ^",
        [operand, "hint: to exclude a word, write a NOT b; - excludes only fields, as in -title: word"]
      ),
      (
        "a**", "3: unexpected '*'", "  ^",
        [following, "hint: * finds words by prefix and follows the prefix, as in pre*"]
      ),
      (
        "a, b", "2: unexpected ','", " ^",
        [following, "hint: to search for ',' itself, put it between double quotes"]
      ),
      (
        "a:b:c", "4: unexpected ':'", "   ^",
        [following, "hint: to search for ':' itself, put it between double quotes"]
      ),
      (
        "{}:a", "2: unexpected '}'", " ^",
        ["expected a field name", "hint: to search for '}' itself, put it between double quotes"]
      ),
      ("{a} b", "5: unexpected 'b'", "    ^", ["expected ':'"]),
      ("NEAR()", "6: unexpected ')'", "     ^", [phrase]),
      ("NEAR(a AND b)", "8: unexpected 'AND'", "       ^^^", [#"expected a word, a "phrase", ',' or ')'"#]),
      (
        "NEAR(^a)", "6: unexpected '^'", "     ^",
        [phrase, "hint: ^ (first in its field) cannot be combined with NEAR"]
      ),
      (
        "^a NEAR b", "4: unexpected 'NEAR'", "   ^^^^",
        ["hint: ^ (first in its field) cannot be combined with NEAR"]
      ),
      (
        "(a) NEAR b", "5: unexpected 'NEAR'", "    ^^^^",
        ["hint: NEAR joins words and phrases only; to search for the word itself write \"NEAR\""]
      ),
      ("NEAR(a, 3 b)", "11: unexpected 'b'", "          ^", ["expected ')'"]),
      ("NEAR(a, b)", "9: 'b' is not a whole number", "        ^", ["expected a whole number"]),
      ("a NEAR/x b", "8: 'x' is not a whole number", "       ^", ["expected a whole number"]),
      ("a NEAR/ b", "8: a number is missing", "       ^", ["expected a whole number"]),
      ("東京 AND )", "4: 'AND' has nothing on its right", "     ^^^", [operand]),
      ("e\u{301} 😀 OR", "5: 'OR' has nothing on its right", "     ^^", [operand]),
    ] as [(String, String, String, [String])])
  func errorsAreRenderedWithCaretsAndHints(text: String, headline: String, carets: String, rest: [String]) {
    let expected = ["line 1, column \(headline)", "  \(text)", "  \(carets)"] + rest
    #expect(rendered(text) == expected.joined(separator: "\n"))
  }

  @Test(arguments: ["", "   ", "\n"])
  func emptyQueryThrows(text: String) {
    let error = #expect(throws: QuerySyntaxError.self) { try MatchParser().parse(text) }
    #expect(error?.kind == .emptyQuery)
    #expect(error?.found == "")
    #expect(error?.span == SourceSpan(at: text.utf8.count))
  }

  @Test func emptyQueryRendersNoExcerpt() {
    #expect(rendered("") == "line 1, column 1: the query is empty\n\(Self.operand)")
  }

  @Test func onlyLineWithErrorIsRendered() {
    #expect(rendered("a\r\nb AND\nc )\nd") == "line 3, column 3: ')' closes nothing\n  c )\n    ^")
  }

  @Test func longLineIsTruncatedAroundError() {
    let text =
      (0..<1000).map { "w\($0)" }.joined(separator: " ") + " OR) " + String(repeating: "x", count: 500)
    let lines = (rendered(text) ?? "").split(separator: "\n")
    #expect(lines[1] == "  … w993 w994 w995 w996 w997 w998 w999 OR) xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…")
    #expect(lines[2] == "                                       ^^")
    #expect(lines[1].count == 78)
  }

  @Test func controlCharactersAreRenderedVisibly() {
    #expect(
      rendered("\u{1B}[31m\0\t\u{202E}x )") == """
        line 1, column 11: ')' closes nothing
          ␛[31m␀ �x )
                    ^
        """)
  }

  @Test func errorHasKindAndSpan() throws {
    let error = try #require(throws: QuerySyntaxError.self) { try MatchParser().parse("title: (red OR") }
    #expect(error.kind == .missingRightOperand)
    #expect(error.span == SourceSpan(12..<14))
    #expect(error.found == "OR")
    #expect(error.location.column == 13)
    #expect(error.expected == [.element("a word"), .element("a \"phrase\""), .symbol("(")])
    let renderer = DiagnosticRenderer()
    #expect(renderer.headline(error.diagnostic, in: error.source) == "'OR' has nothing on its right")
    #expect(renderer.hint(error.diagnostic) == nil)
  }

  private func rendered(_ text: String) -> String? {
    do {
      _ = try MatchParser().parse(text)
      return nil
    } catch {
      return error.description
    }
  }
}
