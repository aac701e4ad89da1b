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
    ("צה\"ל ג'", "צה\"ל|ג'"),
    ("", ""), ("  \t\n.,;", ""),
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
    #expect(try Analysis().stream("ok 👍🏽, 👨‍👩‍👧 🇩🇪🇫🇷 ❤️ © ™ x") == "ok|👍🏽|👨👩👧|🇩🇪|🇫🇷|❤|x")
  }

  @Test func dictionaryScriptsAreSegmented() throws {
    let analysis = try Analysis()
    #expect(analysis.stream("ภาษาไทย") == "ภาษา|ไทย")
    #expect(analysis.finds("ไทย", in: "ฉันพูดภาษาไทยได้"))
    #expect(analysis.stream("ខ្ញុំចង់ទៅ").hasPrefix("ខ្ញុំ|ចង់"))
    #expect(analysis.stream("abcไทย5def") == "abc|ไทย|5def")
  }
}
