import Testing

@testable import TextAnalysis

@Suite struct SegmentationTests {
  @Test(arguments: [
    ("Don't stop: 3.14, 1,000;5 a.b", "don't|stop|3.14|1,000;5|a|b"),
    ("std::vector barriers.txt example.com", "std|vector|barriers|txt|example|com"),
    ("user@example.com @mention", "user|example|com|mention"),
    ("foo_bar _ __init__ x'", "foo_bar|__init__|x"),
    ("a1.2b 1.b 'quoted'", "a1.2b|1|b|quoted"),
    ("naïve—dash “quoted”", "naive|dash|quoted"),
    ("Mot\u{202F}! 10\u{202F}000", "mot|10|000"),
    ("don’t l’été", "don't|l'ete"),
    ("צה\"ל ג'", "צה\"ל|ג'"), ("צה”ל צה“ל צה״ל", "צה\"ל|צה\"ל|צה\"ל"), ("“צה” ל", "צה|ל"),
    ("", ""), ("  \t\n.,;", ""),
    ("\u{1B}[31mERROR\u{1B}[0m x", "error|x"), ("\u{1B}[1;32mgreen\u{1B}[Kword don't\u{1B}[m", "green|word|don't"),
    ("\u{1B}[38;5;1mé\u{1B}[m\u{1B}[?25hé", "e|e"), ("a\u{1B}b \u{1B}", "a|b"), ("\u{1B}[12", "12"),
    ("\u{1B}[1 2\u{1B}[1\nx", "1|2|1|x"),
  ])
  func wordsFollowUAX29(_ text: String, _ expected: String) throws {
    #expect(try Analysis().stream(text) == expected)
  }

  @Test(arguments: [
    ("gen-itgc后50", "gen|itgc|后|50"), ("abcабв", "abc|абв"), ("abc1абв", "abc1|абв"), ("1абв", "1абв"),
    ("한글abc", "한글|abc"), ("a'б", "a|б"),
  ])
  func scriptChangesSeparateWords(_ text: String, _ expected: String) throws {
    #expect(try Analysis().stream(text) == expected)
  }

  @Test func emojiAreTokens() throws {
    #expect(try Analysis().stream("ok 👍🏽, 👨‍👩‍👧 🇩🇪🇫🇷 ❤️ © ™ x") == "ok|👍|👨‍👩‍👧|🇩🇪|🇫🇷|❤|x")
    let kept = try Analysis(AnalyzerConfiguration(accents: .keep))
    #expect(kept.stream("👍🏽 👨‍👩‍👧 ❤️") == "👍🏽|👨‍👩‍👧|❤")
  }

  @Test func termOfAnEmojiIsFoundIfItIsTyped() throws {
    let analysis = try Analysis()
    let scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
    for emoji in ["👨‍👩‍👧", "👩🏽‍🚀", scotland, "❤️‍🔥"] {
      let term = analysis.stream(emoji)
      #expect(analysis.stream(term) == term)
      #expect(!term.contains("|"))
    }
    #expect(analysis.finds("👍", in: "👍🏽") && analysis.finds("👍🏿", in: "👍"))
    #expect(analysis.finds("👩‍🚀", in: "👩🏽‍🚀") && !analysis.finds("👩", in: "👩‍🚀"))
    #expect(analysis.stream("👍\u{200E} 👍\u{200D}") == "👍|👍")
    #expect(analysis.stream("㊗") == "祝")
  }

  @Test func dictionaryScriptsAreSegmented() throws {
    let analysis = try Analysis()
    #expect(analysis.stream("ภาษาไทย") == "ภาษา|ไทย")
    #expect(analysis.finds("ไทย", in: "ฉันพูดภาษาไทยได้"))
    #expect(analysis.stream("ខ្ញុំចង់ទៅ").hasPrefix("ខ្ញុំ|ចង់"))
    #expect(analysis.stream("abcไทย5def") == "abc|ไทย|5def")
    #expect(analysis.stream("ไทย H₂O x² ไทย") == "ไทย|h2o|x|ไทย")
  }
}
