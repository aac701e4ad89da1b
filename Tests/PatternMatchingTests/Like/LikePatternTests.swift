import PatternMatching
import TestSupport
import Testing

@Suite struct LikePatternTests {
  private func matches(_ pattern: String, _ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { LikePattern(pattern).matches($0) }
  }

  @Test(arguments: [
    ("abc", "abc", true), ("abc", "ABC", false), ("a%", "abc", true), ("%c", "abc", true), ("%b%", "abc", true),
    ("a_c", "abc", true), ("a_c", "aéc", true), ("a_c", "a😀c", true), ("a__c", "aéc", false), ("", "", true),
    ("", "a", false), ("%", "", true), ("_", "", false), ("_%", "é", true), ("%_", "é", true), ("%%", "", true),
    (#"50\%"#, "50%", true), (#"50\%"#, "50x", false), (#"a\_b"#, "a_b", true), (#"a\_b"#, "axb", false),
    (#"a\\b"#, #"a\b"#, true), (#"\a"#, "a", true), (#"a\"#, #"a\"#, true), ("a%a", "a", false),
    ("ab%bc", "abc", false),
    ("%ab_%", "xaxabc", true), ("a%b%c", "aXbYbZc", true), ("%a\u{0}b%", "xa\u{0}by", true),
  ]) func patternsMatch(pattern: String, text: String, expected: Bool) {
    #expect(matches(pattern, text) == expected)
  }

  @Test func matcherAgreesWithReferenceImplementation() {
    let alphabet = ["a", "b", "é", "😀", "%", "_", "\\"]
    for seed in 0..<20_000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let pattern = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? ""
      }.joined()
      let text = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        alphabet.prefix(4).randomElement(using: &generator) ?? ""
      }.joined()
      let expected = naive(Array(pattern.unicodeScalars)[...], Array(text.unicodeScalars)[...])
      #expect(matches(pattern, text) == expected, "seed \(seed): \(text) LIKE \(pattern)")
    }
  }

  /// Many runs in a long text would take years with backtracking.
  @Test func manyWildcardsMatchInLinearTime() {
    let text = String(repeating: "a", count: 100_000)
    #expect(!matches(String(repeating: "%a", count: 30) + "%b", text))
    #expect(!matches(String(repeating: "%_a", count: 30) + "b%", text))
  }

  @Test func literalPrefixIsFound() {
    #expect(LikePattern("ab%").literalPrefix == Array("ab".utf8))
    #expect(LikePattern("%ab").literalPrefix.isEmpty)
  }

  private func naive(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    switch first {
    case "%":
      return naive(pattern.dropFirst(), text) || (!text.isEmpty && naive(pattern, text.dropFirst()))
    case "_": return !text.isEmpty && naive(pattern.dropFirst(), text.dropFirst())
    case "\\":
      let escaped = pattern.dropFirst().first ?? "\\"
      return text.first == escaped && naive(pattern.dropFirst(2), text.dropFirst())
    default: return text.first == first && naive(pattern.dropFirst(), text.dropFirst())
    }
  }
}
