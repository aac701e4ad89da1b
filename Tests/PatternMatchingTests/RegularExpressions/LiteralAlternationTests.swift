import PatternMatching
import TestSupport
import Testing

struct LiteralAlternationTests {
  private static let spellings: [([String], String)] = [
    (["foo", "bar", "fob"], "fo(?:o|b)|bar"), (["a", "ab"], "a(?:|b)"), (["ab", "a", "ac"], "a(?:b||c)"),
    (["a.b", "a(b"], #"a(?:\.b|\(b)"#), ([""], ""), (["x", "x"], "x"), (["é1", "é2"], "é(?:1|2)"),
  ]

  @Test(arguments: spellings) func commonPrefixesAreFactoredOut(texts: [String], pattern: String) {
    #expect(LiteralAlternation.pattern(of: texts, ignoringCase: false) == pattern)
  }

  /// The matches are those of the plain alternation of the texts, even if the text after it makes PCRE2 backtrack to
  /// the next alternative.
  @Test(arguments: [("", ""), ("(?<!\\w)(?:", ")(?!\\w)"), ("^(?:", ")$"), ("(?:", ")b")])
  func alternationMatchesLikePlainAlternatives(before: String, after: String) throws {
    var random = SeededGenerator(seed: 11)
    var found = 0
    for _ in 0..<600 {
      let letters = ["a", "b", "A", "k", "\u{212A}", " ", "é", "É"]
      func text(_ range: ClosedRange<Int>) -> String {
        (0..<Int.random(in: range, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
      }
      let texts = (0..<Int.random(in: 1...8, using: &random)).map { _ in text(0...4) }
      var options = PatternOptions()
      options.ignoresCase = Bool.random(using: &random)
      let trie = LiteralAlternation.pattern(of: texts, ignoringCase: options.ignoresCase)
      func ranges(_ inner: String, _ subject: [UInt8]) throws -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        try subject.withUnsafeBytes { bytes in
          try PatternMatcher(Pattern(before + inner + after, options: options)).forEachMatch(in: bytes) {
            ranges.append($0)
            return true
          }
        }
        return ranges
      }
      let subject = Array(text(0...12).utf8)
      let expected = try ranges(texts.joined(separator: "|"), subject)
      found += expected.count
      #expect(try ranges(trie, subject) == expected, "\(texts) in \(subject)")
    }
    #expect(found > 20)
  }
}
