import Concordance
import Testing

/// Strings that break the parsers of other search engines. Each is a valid query of the search box.
@Suite struct HostileQueryTests {
  private static let quotes: [String] = [
    "\"", "\"\"", "\"\"\"", "\"\"\"\"", "\"a", "a\"", "a\"b", "\"a\"b\"", "\"a\" \"b", "'", "''", "'a", "a'", "don't",
    "don't \"can't", "l'été", "`a`", "“a”", "“a", "a”", "„a“", "«a»", "5\" disk", "6'2\"", "\\\"", "\\", "a\\",
    "\"\\\"",
    "\"a\\\"b\"", "\" OR \"", "\"*", "\"a\"*", "\"a\"~", "\"a\"~2", "\"a\"^2", "-\"a", "-\"", "title:\"", "title:\"a",
    "\"title:a\"", "'; DROP TABLE concordance_ft_1; --",
  ]
  private static let operators: [String] = [
    "AND", "OR", "NOT", "NEAR", "AND AND", "OR OR OR", "NOT NOT", "a AND", "AND a", "a OR", "OR a", "a NOT", "NOT a",
    "a AND NOT b", "a AND OR b", "a OR OR b", "NEAR(", "NEAR(a", "NEAR(a b", "NEAR(a b,", "NEAR(a b, 5", "NEAR(a b, x)",
    "NEAR/5", "a NEAR/0 b", "(", ")", "()", "(()", ")(", "((((((((((", "))))))))))", "(a", "a)", "(a OR",
    "a OR (b AND (c",
    "+", "-", "--", "---", "+a", "-a", "--a", "- a", "a -", "a - b", "a +b -c", "-a -b", "->", "<-", "a->b", "^", "^a",
    "a^",
    "a^2", "~", "~a", "a~", "a~~", "a~0", "a~99999999999999999999", "*", "**", "a*", "*a", "a*b", "a**", "* a", "-*",
    "?", "a?b",
    "a??", "[a TO b]", "{a b}: c", "{a", "- {a}: b", ":", "::", "a:", ":a", "a:b", "a::b", "title:", "title: a",
    "title:title:a",
    "title:-a", "-title:a", "text:*", "nofield:a", "c0:a", "rowid:1", "rank:a", "concordance:a", "a,b", ",", ";", "a;b",
    "|",
    "a|b", "||", "a || b", "&", "&&", "a && b", "!", "!a", "a!b", "=", "==", "a=b", "<", ">", "<b>a</b>", "<script>",
  ]
  private static let texts: [String] = [
    "c++", "C#", ".NET", "F#", "a.b", "a.b.c", "std::vector<int>", "http://x.y/z?q=1&r=%20#f", "user@example.com",
    "#tag",
    "@name", "$PATH", "%s %d", "%", "%%", "_", "__", "a_b", "_a", "a/b", "/", "//", "\\n", "a\\b", "C:\\temp",
    "~/.profile",
    "1", "0", "-1", "1.5", "1e400", "0x1F", "1,000,000", "12:30", "2024-01-01", "99999999999999999999999999", "NaN",
    "NULL",
    "null", "true", "a\tb", "a\nb", "\r\n", "\u{0B}", " ", "", "\u{A0}", "\u{3000}", "\u{FEFF}", "\u{200B}", "\u{00AD}",
  ]
  private static let characters: [String] = [
    "\0", "a\0b", "\0\0", "a\0", "\"a\0b\"", "\u{1}", "\u{1F}", "a\u{1F}b", "\u{7F}", "\u{80}", "\u{FFFD}", "\u{FFFF}",
    "\u{10FFFF}", "\u{E000}", "😀", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "a😀b", "😀*", "-😀", "\"😀", "\u{301}", "\u{301}\u{302}\u{303}",
    "e\u{301}", "\u{301}e", "\u{20E3}", "\u{FE0F}", "\u{200D}", "\u{200F}", "\u{202E}abc", "\u{2066}a\u{2069}", "שלום",
    "مرحبا",
    "שלום abc \"מה", "مرحبا -بك", "日本語", "東", "東京*", "\"東京", "한국어", "ไทย", "ภาษาไทย", "हिन्दी", "ស្រុកខ្មែរ", "Ελληνικά", "ß",
    "ẞ", "İ", "ı",
    "ﬁ", "ﷺ", "𝕬𝖇𝖈", "Ⅷ", "①", "½", "²", "٣", "ｆｕｌｌ", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́O̵̹̻̝̳͂̌̌",
  ]
  private static let long: [String] = [
    String(repeating: "a", count: 100_000), String(repeating: "a ", count: 10_000),
    String(repeating: "\"", count: 10_001),
    String(repeating: "(", count: 10_000), String(repeating: "-", count: 10_000),
    String(repeating: "* ", count: 10_000),
    String(repeating: "a OR ", count: 5_000), String(repeating: "-a ", count: 5_000),
    String(repeating: "e\u{301}", count: 5_000),
    "\"" + String(repeating: "a ", count: 5_000) + "\"", (0..<10_000).map { "word\($0)" }.joined(separator: " "),
    (0..<10_000).map { "w\($0)x OR" }.joined(separator: " "), String(repeating: "title:", count: 2_000),
    String(repeating: "é", count: 300) + "~", (0..<200).map { "memry\($0 % 7)~" }.joined(separator: " "),
  ]

  static let all = quotes + operators + texts + characters + long

  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(
      withName: "search", config: FullTextIndexConfiguration(["title", "text"], ignoreAccents: true, language: "en"))
    try files.save(
      "a", #"{"title":"Don't panic","text":"C++ and a.b, 😀 AND 東京 (or) שלום: a memory barrier, word1 word2."}"#)
    try files.save("b", #"{"title":"a b c","text":"NEAR the end NOT null, true OR rank 1.5 5\" disk."}"#)
  }

  @Test func thereAreTwoHundredQueries() {
    #expect(Set(Self.all).count >= 200)
  }

  @Test func eachQueryReturnsAResult() throws {
    for query in Self.all {
      do {
        let results = try files.collection.search(query)
        // A query without words, or with a field or an operator that is treated as text, has a notice. All other
        // queries must be understood completely.
        let isUnderstood = results.notice.map { $0.contains("treated as text") } ?? true
        #expect(results.hits.isEmpty || isUnderstood || results.isRelaxed, "\(query.prefix(80).debugDescription)")
        _ = try files.collection.count(matching: SearchRequest(query))
        _ = try files.collection.suggestions(for: query)
      } catch {
        Issue.record("\(query.prefix(80).debugDescription): \(error)")
      }
    }
  }

  @Test(arguments: [
    ("c++", "a"), ("\"don't", "a"), ("a.b", "a"), ("😀", "a"), ("(or", "a"), ("שלום", "a"), ("5\" disk", "b"),
    ("東京*", "a"),
    ("null NOT", "b"), ("dont\0panic AND", "a"),
  ])
  func unusualQueriesFindDocuments(query: String, id: String) throws {
    #expect(try files.found(query).contains(id))
  }
}
