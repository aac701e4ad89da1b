import QueryModel
import Testing

struct SearchBoxParserTests {
  private let parser = SearchBoxParser(fields: ["title", "geo.alt", "dc:title", "Body"])

  @Test(
    arguments: [
      // Words and phrases
      ("red", "red"), ("red shoe", "[red shoe]"), ("  red\tshoe\n", "[red shoe]"),
      ("\"red shoe\"", "'red shoe'"), ("\"red shoe\" x", "['red shoe' x]"), ("\"red\"shoe", "['red' shoe]"),
      ("“red shoe”", "'red shoe'"), ("„red shoe“ x", "['red shoe' x]"), ("東京\u{3000}大阪", "[東京 大阪]"),
      // Unbalanced quotes
      ("\"red shoe", "'red shoe'"), ("red \"large shoe", "[red 'large shoe']"), ("red \"", "red"),
      ("27\" monitor", "[27\" monitor]"), ("\"\" red", "red"), ("\"\"\"red shoe\"", "'red shoe'"),
      ("(\"red shoe\" OR x)", "or('red shoe', x)"),
      // OR
      ("a OR b", "or(a, b)"), ("a OR b OR c", "or(a, b, c)"), ("a b OR c d", "and(a, or(b, c), d)"),
      ("a OR \"b c\"", "or(a, 'b c')"), ("a OR OR b", "or(a, b)"), ("a or b", "[a or b]"),
      ("OR", "OR"), ("OR a", "[OR a]"), ("a OR", "[a OR]"), ("OR OR OR", "[OR OR OR]"),
      ("\"OR\" OR a", "or('OR', a)"),
      ("a OR -b", "nil"), ("a -b OR c", "not(a, not(b, c))"), ("x a OR -b", "not(x, not(b, a))"),
      ("title:OR OR a", "or(in(title: OR), a)"),
      // AND and NOT
      ("a AND b", "and(a, b)"), ("a AND b AND c", "and(a, b, c)"), ("a AND AND b", "and(a, b)"),
      ("a and b not c", "[a and b not c]"), ("a b AND c d", "and(a, and(b, c), d)"),
      ("a AND b OR c", "or(and(a, b), c)"), ("a OR b AND c", "or(a, and(b, c))"),
      ("a b OR c AND d", "and(a, or(b, and(c, d)))"),
      ("a NOT b", "not(a, b)"), ("a AND NOT b", "not(a, b)"), ("NOT b a", "not(a, b)"), ("NOT b AND a", "not(a, b)"),
      ("a NOT NOT b", "[a b]"), ("a NOT -b", "and(a, b)"), ("NOT b", "nil"), ("a OR NOT b", "nil"),
      ("x a OR NOT b", "not(x, not(b, a))"),
      ("x NOT a OR NOT b", "not(x, and(a, b))"), ("a NOT title:b", "not(a, in(title: b))"),
      ("a NOT \"b c\"", "not(a, 'b c')"), ("AND*", "AND*"), ("NOT~ a", "[NOT~ a]"), ("\"NOT\" a", "['NOT' a]"),
      // Operators without terms are words
      ("AND", "AND"), ("NOT", "NOT"), ("a AND", "[a AND]"), ("AND a", "[AND a]"), ("a NOT", "[a NOT]"),
      ("a NOT NOT", "[a NOT NOT]"),
      ("a AND OR b", "[a AND OR b]"), ("NOT AND a", "and(NOT, a)"), ("a AND NOT", "[a AND NOT]"),
      ("(AND) a", "[AND a]"),
      ("a OR (b AND)", "or(a, [b AND])"),
      // Groups
      ("(a)", "a"), ("(red shoe)", "[red shoe]"), ("(a OR b) c", "and(or(a, b), c)"), ("a (b c)", "and(a, [b c])"),
      ("(a OR b)(c OR d)", "and(or(a, b), or(c, d))"), ("((a OR b) AND (c d)) OR e", "or(and(or(a, b), [c d]), e)"),
      ("a NOT (b OR c)", "not(a, or(b, c))"), ("a -(b c)", "not(a, [b c])"), ("(a -b) OR c", "or(not(a, b), c)"),
      ("a NOT (b -c)", "not(a, not(b, c))"), ("a NOT (-b)", "and(a, b)"), ("(a b)^2 c", "and([a b], c)"),
      ("(title:a OR b) c", "and(or(in(title: a), b), c)"), ("() a ( )", "a"),
      ("(\"b :) c\" OR d) e", "and(or('b :) c', d), e)"),
      // Brackets that are text
      ("(a", "(a"), ("a)", "a)"), ("(a OR b", "or((a, b)"), ("f(a b)", "[f(a b)]"), ("(*p).x y", "[(*p).x y]"),
      ("(a OR b).c", "or((a, b).c)"), ("a :)", "[a :)]"),
      // Exclusion
      ("a -b", "not(a, b)"), ("-b a", "not(a, b)"), ("a -b -c", "not(a, or(b, c))"),
      ("a -\"b c\"", "not(a, 'b c')"),
      ("a -title:b", "not(a, in(title: b))"), ("a title:-b", "not(a, in(title: b))"), ("title:-a", "nil"),
      ("a title:-\"b c\"", "not(a, in(title: 'b c'))"), ("a -title:-b", "not(a, in(title: b))"),
      ("a title:--help", "and(a, in(title: --help))"), ("a title:->b", "and(a, in(title: ->b))"),
      ("a \u{2013}b", "not(a, b)"), ("\u{2212}b a", "not(a, b)"), ("a \u{2013}“b c”", "not(a, 'b c')"),
      ("a \u{2013} b", "[a \u{2013} b]"), ("3\u{2013}5 a\u{2013}b \u{2212}5", "[3\u{2013}5 a\u{2013}b \u{2212}5]"),
      ("a \u{2014}b", "[a \u{2014}b]"), ("a -b*", "not(a, b*)"), ("a -x b", "not([a b], x)"),
      ("a - b", "[a b]"), ("a-b", "a-b"), ("--help", "--help"), ("p->next -> q", "[p->next -> q]"),
      ("x -= 1", "[x -= 1]"),
      ("a -", "a"), ("-", "nil"), ("- -", "nil"), ("-\"\"", "nil"), ("a -\"", "a"), ("a -*", "a"),
      // Prefixes
      ("pre*", "pre*"), ("pre**", "pre*"), ("\"one pre\"*", "'one pre'*"), ("*", "nil"), ("* *", "nil"),
      ("a * b", "[a b]"),
      ("*foo", "*foo"), ("a*b", "a*b"), ("title:pre*", "in(title: pre*)"), ("OR*", "OR*"),
      // Typos
      ("word~", "word~"), ("word~ x", "[word~ x]"), ("-word~", "nil"), ("a -word~", "not(a, word~)"),
      ("title:word~", "in(title: word~)"), ("word~*", "word~*"), ("OR~ a", "[OR~ a]"), ("\"a b\"~", "'a b'"),
      // Fields
      ("title:a", "in(title: a)"), ("TITLE:a body:b", "and(in(title: a), in(Body: b))"),
      ("title:\"a b\"", "in(title: 'a b')"),
      ("title:a OR geo.alt:5", "or(in(title: a), in(geo.alt: 5))"), ("x title:a y", "and(x, in(title: a), y)"),
      ("title:a:b", "in(title: a:b)"), ("dc:title:x", "in(dc:title: x)"),
      ("title:http://x", "in(title: http://x)"),
      ("title:", "title:"), ("title: a", "[title: a]"), ("title:\"\"", "nil"), ("title:*", "nil"), (":a", ":a"),
      ("foo:bar", "foo:bar"), ("http://x", "http://x"), ("12:30", "12:30"),
      ("foo:\"bar baz\"", "[foo: 'bar baz']"),
      ("xtitle:a", "xtitle:a"),
      // Groups in a field
      ("title:(red shoe)", "in(title: [red shoe])"), ("title:(red OR shoe) x", "and(in(title: or(red, shoe)), x)"),
      ("title:(red -wide)", "not(in(title: red), in(title: wide))"), ("x -title:(a b)", "not(x, in(title: [a b]))"),
      ("x title:-(a b)", "not(x, in(title: [a b]))"), ("title:(\"red shoe\" pre*)", "in(title: ['red shoe' pre*])"),
      ("title:(red body:x)", "in(title: [red body:x])"), ("title:(f(x) y)z", "and(in(title: [f(x) y]), z)"),
      ("title:(a) OR title:(b)", "or(in(title: a), in(title: b))"),
      ("x a OR title:(-b) OR c", "not(x, not(in(title: b), or(a, c)))"),
      ("x -title:(-b)", "and(x, in(title: b))"), ("title:(red\"wide shoe)", "in(title: [red\"wide shoe])"),
      ("title:(red \"wide shoe)", "in(title: [red 'wide shoe'])"),
      ("title:(red shoe)^2 x", "and(in(title: [red shoe]), x)"),
      ("title:() x", "x"), ("title:( )", "nil"), ("title:(a", "in(title: (a)"), ("title:a)", "in(title: a))"),
      ("title:(a AND b) c", "and(in(title: and(a, b)), c)"),
      // Lucene's suffixes.
      ("\"red shoe\"~3 x", "['red shoe' x]"), ("\"red shoe\"^2.5", "'red shoe'"), ("\"red sho\"*~2", "'red sho'*"),
      ("(\"red shoe\"~3)", "'red shoe'"), ("\"red\"~a", "['red' ~a]"),
      ("shoe~1", "shoe~"), ("shoe~0.8 x", "[shoe~ x]"), ("shoe^2", "shoe"), ("shoe~1^2", "shoe~"), ("sho*^2", "sho*"),
      ("x^2 10^6 5~10 shoe^ a^b shoe^2x", "[x^2 10^6 5~10 shoe^ a^b shoe^2x]"), ("v1.2", "v1.2"),
      // Everything else is text
      ("don't", "don't"), ("C++ C# .NET", "[C++ C# .NET]"), ("a.b tcp/ip user@x", "[a.b tcp/ip user@x]"),
      ("NEAR(a b, 3)", "[NEAR(a b, 3)]"),
      ("^a {b}", "[^a {b}]"), ("w~2 a~b ~ ~~", "[w~2 a~b ~ ~~]"), ("a\0b", "a\0b"), ("😀 OR 🎉", "or(😀, 🎉)"),
      ("", "nil"), (" \n ", "nil"), ("\"", "nil"), ("\"  \"", "nil"),
    ] as [(String, String)])
  func searchBoxSyntaxParses(text: String, expected: String) {
    #expect(shape(parser.parse(text).query) == expected)
  }

  @Test func queryPrintsInMatchLanguage() {
    let box = parser.parse("title:red \"large shoe\" -wide")
    #expect(box.query?.description == "(title:red AND \"large shoe\") NOT wide")
    #expect(parser.parse("a:b AND c -\"x").query?.description == "(\"a:b\" AND c) NOT \"x\"")
  }

  @Test func unclosedPhrasesAreMarked() {
    func isUnclosed(_ text: String) -> [Bool] { parser.parse(text).query?.phrases.map { $0.parts[0].isUnclosed } ?? [] }
    #expect(isUnclosed("\"red\" „shoe“ x \"large shoe") == [false, false, false, true])
    #expect(isUnclosed("title:(\"red shoe) \"x\"") == [true, false])
    #expect(parser.parse("\"a").query != parser.parse("\"a\"").query)
  }

  @Test(arguments: ["\"", "“", "”"]) func quotationMarksInHebrewAcronymsDoNotEndPhrases(mark: String) {
    let acronym = "\u{5E6}\u{5D4}\(mark)\u{5DC}"
    #expect(shape(parser.parse("\"\(acronym) x\" y").query) == "['\(acronym) x' y]")
    #expect(shape(parser.parse("\"\(acronym)\" y").query) == "['\(acronym)' y]")
    #expect(shape(parser.parse("(\"\(acronym) :)\" OR x) y").query) == "and(or('\(acronym) :)', x), y)")
    #expect(shape(parser.parse("\"\u{5E6}\u{5D4}\(mark) y").query) == "['\u{5E6}\u{5D4}' y]")
    #expect(shape(parser.parse("\"\u{5E6}\(mark)a").query) == "['\u{5E6}' a]")
    #expect(shape(parser.parse(acronym).query) == acronym)
  }

  @Test func colonsAreTextWithoutFields() {
    #expect(shape(SearchBoxParser().parse("title:a").query) == "title:a")
  }

  @Test func ambiguousFieldNamesNeedExactCase() {
    let parser = SearchBoxParser(fields: ["id", "ID"])
    #expect(shape(parser.parse("ID:1 id:2 Id:3").query) == "and(in(ID: 1), in(id: 2), Id:3)")
  }

  @Test func onlyExclusionsGiveNoQuery() {
    let box = parser.parse("-a -title:\"b c\"")
    #expect(box.onlyNegative)
    #expect(box.query == nil)
    #expect(box.wanted == nil)
    #expect(shape(box.excluded) == "or(a, in(title: 'b c'))")
    #expect(!parser.parse("").onlyNegative)
    #expect(!parser.parse("a -b").onlyNegative)
  }

  @Test func wantedAndExcludedAreSeparate() {
    let box = parser.parse("a -b c")
    #expect(shape(box.wanted) == "[a c]")
    #expect(shape(box.excluded) == "b")
  }

  @Test func spansReferToText() {
    let text = "größer -title:„sehr groß“* x*"
    let box = parser.parse(text)
    let phrases = box.query?.phrases ?? []
    #expect(phrases.map { $0.span?.text(in: text) } == ["größer", "x", "„sehr groß“"])
    guard case .fields(let filter, _) = box.excluded else {
      Issue.record("no field")
      return
    }
    #expect(filter.names.first?.span?.text(in: text) == "title")
  }

  @Test(arguments: [
    ("a AND b OR (c NOT d)", []), ("and or not", []), ("\"AND\"", []), ("f(x) (*p).x g()", []), ("a :) 1)", []),
    ("AND", ["AND"]), ("a AND", ["AND"]), ("OR a", ["OR"]), ("a NOT", ["NOT"]), ("a AND OR b", ["AND", "OR"]),
    ("a OR (b AND) NOT", ["AND", "NOT"]), ("OR OR", ["OR"]), ("(a b", ["("]), ("a b)", [")"]), ("(a OR b).c", ["("]),
    ("title:(AND b)", ["AND"]),
  ])
  func literalOperatorsAndBracketsAreReported(text: String, literals: [String]) {
    #expect(parser.parse(text).literals == literals)
  }

  @Test func onlyAndRequiresAllWords() {
    #expect(parser.parse("a AND b").requiresAllWords)
    #expect(parser.parse("c (a AND b)").requiresAllWords)
    for text in ["a b", "a OR b", "a NOT b", "a AND", "\"a AND b\""] {
      #expect(!parser.parse(text).requiresAllWords, "\(text)")
    }
  }

  @Test func groupsBelowMaximumDepthAreText() {
    let depth = SearchBoxParser.maximumDepth
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "a OR b" + String(repeating: ")", count: count) + " c"
    }
    #expect(shape(parser.parse(nested(depth)).query) == "and(or(a, b), c)")
    #expect(parser.parse(nested(depth)).literals.isEmpty)
    #expect(shape(parser.parse(nested(depth + 1)).query) == "and(or((a, b)), c)")
    #expect(parser.parse(nested(depth + 1)).literals == ["("])
  }

  @Test func tenThousandTermsParse() {
    let words = (0..<10_000).map { "w\($0)" }
    #expect(parser.parse(words.joined(separator: " ")).query?.phrases.count == 10_000)
    #expect(shape(parser.parse(words.joined(separator: " OR ")).query).hasPrefix("or(w0, w1, w2"))
    #expect(parser.parse(words.map { "-" + $0 }.joined(separator: " ")).onlyNegative)
    #expect(parser.parse(String(repeating: "OR ", count: 10_000)).query != nil)
    #expect(parser.parse(String(repeating: "title:", count: 10_000)).query != nil)
    #expect(parser.parse(String(repeating: "title:(", count: 10_000)).query != nil)
    let groups = String(repeating: "title:(", count: 10_000) + String(repeating: "a)", count: 10_000)
    #expect(parser.parse(groups).query != nil)
    for word in ["NOT ", "AND ", "(", ")", "( a ", "a AND ", "a OR NOT "] {
      let box = parser.parse(String(repeating: word, count: 10_000) + "a")
      #expect(box.wanted != nil || box.excluded != nil, "\(word)")
    }
    let nested = String(repeating: "( a OR ", count: 10_000) + "a" + String(repeating: " )", count: 10_000)
    #expect(parser.parse(nested).query != nil)
  }
}
