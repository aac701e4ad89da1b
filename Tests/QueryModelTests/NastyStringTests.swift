import QueryModel
import TestSupport
import Testing

/// Texts that have broken query parsers. No parser may crash on any of them; the search box must accept all; a query
/// that the match parser accepts must survive printing and parsing.
struct NastyStringTests {
  static let strings: [String] = [
    "", " ", "\"", "\"\"", "\"\"\"", "\"\"\"\"", "\" \"", "\"a", "a\"", "\"a\"\"", "a\"b\"c", "“", "”a“", "'",
    "''", "`",
    "AND", "OR", "NOT", "NEAR", "AND AND", "OR OR", "NOT NOT", "AND OR NOT", "a AND", "AND a", "a NOT",
    "NOT a",
    "a AND NOT b", "a OR NOT b", "a NOT NOT b", "near", "NEAR(", "NEAR()", "NEAR(a", "NEAR(a,", "NEAR(a,)",
    "NEAR(a,b)",
    "NEAR(a,-1)", "NEAR(a, 99999999999999999999999)", "NEAR(NEAR(a b))", "NEAR(\"\" \"\")", "a NEAR/ b",
    "a NEAR/x b",
    "a NEAR/3", "NEAR/3 a", "a NEAR NEAR NEAR b", "a NEAR/3 b NEAR/4 c", "^", "^^", "^a^", "^*", "a^",
    "^NEAR(a b)",
    "*", "**", "* *", "*a", "a*", "a**", "a*b*c", "+", "++", "a+", "+a", "a++", "a+++b", "a + + b", "a +\"\"",
    "(", ")", "()", "((", "))", ")(", "(a", "a)", "(a))", "a ( b", "(((((a)))))", "{", "}", "{}", "{a", "{a}",
    "{a}:",
    "{a}:b", "{{a}}:b", ":", "::", "a:", ":a", "a::b", "a:b:c", "col:", "-", "--", "-a", "- a", "a -", "-(",
    "-\"", "-*",
    "-a:", "-{a}:b", "-a:-b", ",", "a,b", ";", "a; DROP TABLE x; --", "http://x/?q=a&b=c#d", "C:\\dir\\file",
    "<b>&amp;</b>",
    "\0", "a\0b", "\"\0\"", "\u{FEFF}a", "\u{200B}", "\u{202E}abc", "\u{301}", "\"\u{301}a\"", "a\u{301}*",
    "e\u{301}:e\u{301}",
    "😀", "👩‍👩‍👧‍👦*", "🇩🇪🇫", "東京:大阪", "ｆｕｌｌ：ｗｉｄｔｈ", "\u{3000}", "\u{85}\u{2028}\u{A0}", "\r\n\r\n", "İıß:ſ",
    "\u{10FFFF}", "\u{FFFE}",
    String(repeating: "a", count: 100_000), String(repeating: "\"", count: 10_001),
    String(repeating: "-", count: 10_000),
    String(repeating: "*", count: 10_000), String(repeating: ":", count: 10_000),
    String(repeating: "(", count: 10_000),
    String(repeating: "a ", count: 10_000), String(repeating: "a NOT ", count: 10_000),
    String(repeating: "f:(", count: 10_000),
    String(repeating: "a NEAR ", count: 10_000), String(repeating: "a + ", count: 10_000),
    String(repeating: "-a ", count: 10_000),
    String(repeating: "OR ", count: 10_000), String(repeating: "title:", count: 10_000),
    String(repeating: "{a}:(", count: 300),
  ]

  @Test(arguments: strings.indices)
  func parsersAcceptOrRejectNastyStrings(index: Int) {
    checkParsers(Self.strings[index])
  }

  @Test func enoughNastyStringsAreLoaded() {
    #expect(Self.strings.count >= 100)
    #expect(Set(Self.strings).count == Self.strings.count)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func parsersAcceptOrRejectRandomTokens(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "b*", "\"", "\"x y\"", "AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR/2", "(", ")", "{", "}", ":", "+",
      "*", "^",
      ",", "-", "3", "title:", "-title:", "\"\"", "é", "\u{301}", "\0", "😀", "“", "”", "//",
    ]
    for _ in 0..<2000 {
      let separator = Bool.random(using: &random) ? " " : ""
      let count = Int.random(in: 1...12, using: &random)
      let picked = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }
      checkParsers(picked.joined(separator: separator))
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func parsersAcceptOrRejectRandomBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed + 1000)
    for _ in 0..<1000 {
      let count = Int.random(in: 0...40, using: &random)
      // Half of the texts are ASCII, because all syntax is ASCII.
      let highest: UInt8 = Bool.random(using: &random) ? 0x7F : 0xFF
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...highest, using: &random) }
      checkParsers(String(decoding: bytes, as: UTF8.self))
    }
  }

  private func checkParsers(_ text: String) {
    switch Result(catching: { () throws(QuerySyntaxError) in try MatchParser().parse(text) }) {
    case .success(let query):
      #expect((try? MatchParser().parse(query.description)) == query, "\(text.debugDescription)")
    case .failure(let error):
      #expect(error.span.end <= text.utf8.count)
      let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count >= (text.isEmpty ? 1 : 3))
      #expect(lines.allSatisfy { $0.count < 200 })
    }
    for parser in [SearchBoxParser(), SearchBoxParser(fields: ["title", "a"])] {
      let box = parser.parse(text)
      #expect((box.query == nil) == (box.wanted == nil))
      // Every search box query, printed for FTS5, is valid in the match language.
      if let query = box.query { #expect(throws: Never.self) { try MatchParser().parse(query.description) } }
    }
  }
}
