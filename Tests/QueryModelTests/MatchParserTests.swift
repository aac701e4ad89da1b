import QueryModel
import Testing

struct MatchParserTests {
  @Test(arguments: [
    // Phrases.
    ("red", "red"), ("  red\t\n", "red"), ("\"red shoe\"", "'red shoe'"),
    ("\"say \"\"hi\"\"\"", "'say \"hi\"'"),
    ("red + shoe", "red+shoe"), ("red+\"large shoe\"+x", "red+'large shoe'+x"),
    ("pre*", "pre*"), ("pre *", "pre*"), ("\"one pre\" *", "'one pre'*"), ("a* + b", "a*+b"),
    ("^a", "^a"), ("^ a + b*", "^a+b*"), ("a^b", "[a ^b]"), ("one\"two\"three", "[one 'two' three]"),
    ("and or not near", "[and or not near]"), ("\"AND\"", "'AND'"),
    // Quotes without text.
    ("\"\"", "nothing"), ("\"\" + \"\"", "nothing"), ("a \"\" b", "[a b]"), ("a AND \"\"", "and(a, nothing)"),
    ("a + \"\" *", "a*"), ("f:\"\"", "in(f: nothing)"), ("f:\"\" a", "a"), ("NEAR(\"\")", "nothing"),
    // NEAR
    ("NEAR(a b)", "near10(a b)"), ("NEAR (a \"b c\" d*, 3)", "near3(a 'b c' d*)"), ("NEAR(a)", "near10(a)"),
    ("NEAR(a+b c,007)", "near7(a+b c)"), ("NEAR(a b, 99999999999999999999)", "near2147483647(a b)"),
    ("NEAR", "NEAR"), ("NEAR a", "[NEAR a]"), ("a NEAR", "[a NEAR]"), ("a OR NEAR b", "or(a, [NEAR b])"),
    ("a NEAR(b c)", "and(a, near10(b c))"),
    // Fields
    ("f:a", "in(f: a)"), ("f : a b", "and(in(f: a), b)"), ("{f g}:a", "in(f g: a)"), ("-f:a", "out(f: a)"),
    ("- {f \"g h\"} : (a b)", "out(f g h: [a b])"), ("f:NEAR(a b)", "in(f: near10(a b))"),
    ("f:^a", "in(f: ^a)"), ("f:(g:a OR b)", "in(f: or(in(g: a), b))"), ("a -f:b", "and(a, out(f: b))"),
    ("\"f\"\"g\":a", "in(f\"g: a)"),
  ])
  func fts5SyntaxParses(text: String, expected: String) throws {
    #expect(shape(try MatchParser().parse(text)) == expected)
  }

  @Test(arguments: [
    ("a NOT b NOT c", "not(not(a, b), c)"), ("a AND b NOT c", "and(a, not(b, c))"),
    ("a NOT b AND c", "and(not(a, b), c)"), ("a OR b AND c", "or(a, and(b, c))"),
    ("a AND b OR c", "or(and(a, b), c)"), ("a OR b NOT c", "or(a, not(b, c))"),
    ("a NOT b c", "not(a, [b c])"), ("a b NOT c d", "not([a b], [c d])"), ("a OR b c", "or(a, [b c])"),
    ("a AND b AND c", "and(a, b, c)"), ("a OR b OR c", "or(a, b, c)"),
    ("(a OR b) AND c", "and(or(a, b), c)"), ("a NOT (b OR c)", "not(a, or(b, c))"),
    ("a AND (b AND c)", "and(a, and(b, c))"), ("((a))", "a"), ("(a b) AND c", "and([a b], c)"),
    ("f:a AND b", "and(in(f: a), b)"), ("f:a b NOT c", "not(and(in(f: a), b), c)"),
  ])
  func operatorsFollowPrecedence(text: String, expected: String) throws {
    #expect(shape(try MatchParser().parse(text)) == expected)
  }

  /// Texts that FTS5 rejects, and `a NEAR b`, which it parses as three words.
  @Test(arguments: [
    ("don't", "don't"), ("a.b", "a.b"), ("tcp/ip", "tcp/ip"), ("user@x", "user@x"),
    ("multi-agent", "multi-agent"), ("c++", "c++"), ("c++ + d", "c+++d"), ("g++-12", "g++-12"),
    ("a-*", "a-*"),
    ("geo.alt:5", "in(geo.alt: 5)"), ("reviews[0].author:x", "in(reviews[0].author: x)"),
    ("-reviews[0].author:x", "out(reviews[0].author: x)"), ("$5 #tag 100%", "[$5 #tag 100%]"),
    ("http://x", "in(http: //x)"), ("東京\u{3000}大阪", "[東京 大阪]"), ("a\u{A0}b\u{B}c", "[a b c]"),
    ("x\0y", "x\0y"), ("😀 👩‍👩‍👧", "[😀 👩‍👩‍👧]"),
    ("a (b OR c)", "and(a, or(b, c))"), ("(a) (b)", "and(a, b)"), ("a (b c) d e", "and(a, [b c], [d e])"),
    ("a (b) AND c", "and(a, b, c)"), ("a (b) NOT c", "not(and(a, b), c)"), ("f:(a) (b)", "and(in(f: a), b)"),
    ("a NEAR b", "near10(a b)"), ("a NEAR/3 b", "near3(a b)"),
    ("a NEAR \"b c\" d", "and(near10(a 'b c'), d)"),
    ("a b NEAR c", "and(a, near10(b c))"), ("f:a NEAR b", "in(f: near10(a b))"),
    ("a NEAR/2 b NEAR c", "and(near2(a b), near10(b c))"), ("a NEAR NEAR", "near10(a NEAR)"),
  ])
  func syntaxBeyondFTS5Parses(text: String, expected: String) throws {
    #expect(shape(try MatchParser().parse(text)) == expected)
  }

  @Test func spansReferToText() throws {
    let text = "Größe: ^\"sehr groß\" + x*"
    guard case .fields(let filter, .phrase(let phrase)) = try MatchParser().parse(text) else {
      Issue.record("not a phrase in a field")
      return
    }
    #expect(filter.names.first?.span?.text(in: text) == "Größe")
    #expect(phrase.parts.map { $0.span?.text(in: text) } == ["\"sehr groß\"", "x"])
    #expect(phrase.span?.text(in: text) == "\"sehr groß\" + x")
    #expect(phrase.isInitial)
    #expect(phrase.isPrefix)
    #expect(!phrase.isBareWord)
  }

  @Test func equalityIgnoresSpans() throws {
    #expect(try MatchParser().parse("f:a  b") == MatchParser().parse("  f : a b"))
    #expect(try MatchParser().parse("a") == .phrase(.word("a")))
    #expect(try MatchParser().parse("\"a\"") == .phrase(.quoted("a")))
    #expect(try MatchParser().parse("\"a\"") != .phrase(.word("a")))
  }

  @Test(arguments: [" ", " AND ", " OR "])
  func tenThousandWordsDoNotNest(separator: String) throws {
    let words = (0..<10_000).map { "w\($0)" }
    let query = try MatchParser().parse(words.joined(separator: separator))
    #expect(query.phrases.map(\.parts[0].text) == words)
    #expect(query.description == words.joined(separator: separator))
  }

  @Test func nestingIsLimited() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(shape(try MatchParser().parse(nested(256))) == "a")
    #expect(throws: QuerySyntaxError.self) { try MatchParser().parse(nested(257)) }
    #expect(throws: QuerySyntaxError.self) { try MatchParser().parse(nested(100_000)) }

    func chain(_ operators: Int) -> String {
      "a" + String(repeating: " NOT b", count: operators)
    }
    #expect(try MatchParser().parse(chain(255)).phrases.count == 256)
    #expect { try MatchParser().parse(chain(256)) } throws: {
      ($0 as? QuerySyntaxError)?.kind == .tooDeep(limit: 256)
    }
    // Each of them is within the limit, but not both together.
    #expect(throws: QuerySyntaxError.self) {
      try MatchParser().parse(
        "a" + String(repeating: " AND f:(b", count: 200) + String(repeating: ")", count: 200))
    }
  }
}
