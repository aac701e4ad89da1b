import PatternMatching
import Testing

@Suite struct TrigramQueryTests {
  @Test(arguments: [
    ("mutex_lock", #""mutex_lock""#), ("Kbuild", #""kbuild""#), ("ab", "ALL"), ("", "ALL"),
    ("foo.*bar", #"("foo" AND "bar")"#), ("foo|bar", #"("foo" OR "bar")"#), ("foo|ba", "ALL"), ("foo|.", "ALL"),
    (#"spin_(un)?lock"#, #"("spin_" AND "lock" AND ("n_unlo" OR "n_lo"))"#), ("ab(c|d)", #"("abc" OR "abd")"#),
    (#"EXPORT_SYMBOL_GPL\(usb_\w+\)"#, #""export_symbol_gpl(usb_""#),
    (#"struct\s+\w+_ops\s*="#, #"("struct" AND "_ops")"#),
    ("[0-9]{7,}", "ALL"), ("a{3}", #""aaa""#), ("a{3}b{2,}", #""aaabb""#), ("(abc)*def", #""def""#),
    ("(abc)+", #""abc""#),
    ("(abc){0}def", #""def""#), ("abc?d", #"("abcd" OR "abd")"#), ("x[ab]y", #"("xay" OR "xby")"#), ("x[^a]y", "ALL"),
    ("[[:<:]]abc", #""abc""#), ("a[]b]c", #"("a]c" OR "abc")"#), ("日本", #""日本""#), ("日本[語人]", nil),
    (#"^abc$"#, #""abc""#), (#"\babc\b"#, #""abc""#), ("abc(?=def)", #"("def" AND "abc")"#), ("abc(?!def)", #""abc""#),
    ("(?<=abc)def", #"("abc" AND "def")"#), (#"(abc)\1"#, #""abc""#), ("(?>abc|abd)e", #"("abce" OR "abde")"#),
    ("(?<name>abc)d", #""abcd""#), ("(?P<name>abc)d", #""abcd""#), ("(?i)abc(?-i)def", #""abcdef""#),
    ("(?x) a b c # d", #""abc""#), ("a(?#x)bc", #""abc""#), (#"\Qa.b\E+cd"#, #"("a.b" AND "bcd")"#),
    (#"\x61\x{62}\143"#, "ALL"),
    (#"\x61\x{62}\o{143}"#, #""abc""#), (#"a\.b"#, #""a.b""#), (#"abc\ndef"#, #"("abc" AND "def")"#),
    ("a\0bcd", #""bcd""#),
    ("a{,3}bcd", "ALL"), ("a{x}b", #""a{x}b""#), ("abc(*ACCEPT)def", "ALL"), ("(?(?=a)abc|def)", "ALL"),
    ("(*UTF)abc", #""abc""#),
    ("(*CRLF)abc", "ALL"), ("abc(?1)(def)", #"("abc" AND "def")"#),
  ]) func patternsGiveQueries(pattern: String, expected: String?) throws {
    _ = try Pattern(pattern)
    guard let expected else { return }
    #expect(TrigramQuery(pattern: pattern).description == expected)
  }

  @Test(arguments: [
    ("abc", #""abc""#), ("xky", #"("xky" OR "xKy")"#), ("isa", #"("isa" OR "iſa")"#), ("éa", #"("éa" OR "Éa")"#),
    ("語a", #""語a""#),
  ]) func caseVariantsAreIncluded(pattern: String, expected: String) {
    #expect(TrigramQuery(literal: pattern, ignoresCase: true).description == expected)
  }

  @Test(
    arguments: [
      ("%mutex_lock%", .none, #"("mutex" AND "lock")"#), ("ab%cd", .none, "ALL"), (#"a\_bc"#, .none, #""a_bc""#),
      ("Kelvin%", .none, #""kelvin""#), ("%É_abc", .ascii, #""abc""#), ("xky%", .unicode, #"("xky" OR "xKy")"#),
      ("%abc%", .collation, "ALL"),
    ] as [(String, TrigramQuery.LikeFolding, String)])
  func likePatternsGiveQueries(pattern: String, folding: TrigramQuery.LikeFolding, expected: String) {
    #expect(TrigramQuery(like: LikePattern(pattern), folding: folding).description == expected)
  }

  @Test(arguments: [
    ("(?i)xky", #"("xky" OR "xKy")"#), ("(?i:xky)x", #"("xkyx" OR "xKyx")"#), ("(?i:a)xky", #""axky""#),
    ("((?i)x)xky", #""xxky""#), ("(xa(?i)a|xky)", #"("xaa" OR "xky" OR "xKy")"#), ("(?i)x(?-i)ky", #""xky""#),
  ]) func inlineFlagsApplyToRestOfGroup(pattern: String, expected: String) {
    #expect(TrigramQuery(pattern: pattern).description == expected)
  }

  @Test func invalidUTF8IsDescribedAsHexadecimal() {
    #expect(TrigramQuery.trigram(Trigram(0x22, 0xC3, 0x07)).description == #""\"\xC3\x07""#)
  }

  @Test func querySatisfactionFollowsBooleanLogic() {
    let query = TrigramQuery(pattern: "abc(def|xyz)")
    let trigrams = { (text: String) -> Set<Trigram> in
      let bytes = Array(text.utf8)
      return Set((2..<bytes.count).map { Trigram(bytes[$0 - 2], bytes[$0 - 1], bytes[$0]) })
    }
    #expect(query.isSatisfied(by: trigrams("ABCDEF").contains))
    #expect(query.isSatisfied(by: trigrams("__abcxyz__").contains))
    #expect(!query.isSatisfied(by: trigrams("abc def").contains))
    #expect(TrigramQuery.all.isSatisfied(by: trigrams("abc").contains))
    #expect(!TrigramQuery.none.isSatisfied(by: trigrams("abc").contains))
  }

  /// A query has at most `maximumCount` trigrams, and dropping some gives no false negatives.
  @Test func queriesOfLongPatternsAreBounded() {
    let words = (0..<10_000).map { "word\($0)" }
    let patterns: [String] = [
      words.joined(separator: "|"), words.prefix(400).joined(separator: "|"),
      words.prefix(2000).joined(separator: ".*"),
      "(" + words.prefix(1000).joined(separator: "|") + ")x", String(repeating: "abcdefgh.", count: 3000),
      String(repeating: "[ab]", count: 1000), String(repeating: "(a|b)?", count: 1000),
      String(repeating: "ab", count: 500_000),
    ]
    for pattern in patterns { #expect(TrigramQuery(pattern: pattern).count <= TrigramQuery.maximumCount) }
    #expect(TrigramQuery(literal: words.prefix(2000).joined()).count == TrigramQuery.maximumCount)
    #expect(TrigramQuery(pattern: words.prefix(100).joined(separator: "|")) != .all)
  }
}
