import PatternMatching
import TestSupport
import Testing

@Suite struct CaselessLikeMatcherTests {
  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    let matcher = try CaselessLikeMatcher(LikePattern(pattern))
    return try Array(text.utf8).withUnsafeBytes { try matcher.matches($0) }
  }

  @Test(arguments: [
    ("abc", "ABC", true), ("abc", "abcd", false), ("%LOCK%", "mutex_lock(x)", true), ("É%", "école", true),
    ("e%", "école", false),
    ("%straße", "HAUPTSTRAẞE", true), ("%strasse", "straße", false), ("a_c", "AÉC", true), ("%k", "300 \u{212A}", true),
    ("", "", true),
    ("%", "", true), ("_", "", false), ("a%b%c", "AxxBxxC", true), ("a%a", "A", false), ("%a.b%", "xA.Bx", true),
    ("%a.b%", "xAxBx", false),
    (#"50\%"#, "50%", true), (#"50\%"#, "50x", false), ("%a\nb", "x\nA\nB", true), ("_%_", "a", false),
    ("%σ", "ΟΔΟΣ", true), ("a\u{0}%", "A\u{0}b", true),
  ]) func patternsMatchIgnoringCase(pattern: String, text: String, expected: Bool) throws {
    #expect(try matches(pattern, text) == expected)
  }

  /// If all letters are lower case, ILIKE is LIKE.
  @Test func agreesWithLikeOnLowerCaseText() throws {
    let alphabet = ["a", "b", "é", "😀", "%", "_", "\\", "."]
    var count = 0
    for seed in 0..<4000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let parts = { (length: Int, letters: [String], generator: inout SeededGenerator) in
        (0..<length).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
      }
      let pattern = parts(Int.random(in: 0...6, using: &generator), alphabet, &generator)
      let text = parts(Int.random(in: 0...8, using: &generator), ["a", "b", "é", "."], &generator)
      let expected = Array(text.utf8).withUnsafeBytes { LikePattern(pattern).matches($0) }
      if expected { count += 1 }
      #expect(try matches(pattern, text.uppercased()) == expected, "seed \(seed): \(text) ILIKE \(pattern)")
    }
    #expect(count > 150)
  }

  @Test func trigramQueryHasNoFalseNegatives() throws {
    let query = TrigramQuery(like: LikePattern("%Kelvin ÉCOLE%"), folding: .unicode)
    for text in ["kelvin école", "\u{212A}elvin École", "KELVIN ÉCOLE"] {
      #expect(try matches("%Kelvin ÉCOLE%", text))
      let bytes = Array(text.utf8)
      let trigrams = Set((2..<bytes.count).map { Trigram(bytes[$0 - 2], bytes[$0 - 1], bytes[$0]) })
      #expect(query.isSatisfied(by: trigrams.contains), "\(text), \(query)")
    }
  }

  @Test func manyWildcardsMatchInLinearTime() throws {
    let text = String(repeating: "a", count: 100_000)
    #expect(try !matches(String(repeating: "%a", count: 30) + "%b", text))
    #expect(try !matches(String(repeating: "%_a", count: 30) + "b%", text))
  }

  @Test func patternTooLongForPCRE2Throws() {
    #expect(throws: PatternError.self) { try CaselessLikeMatcher(LikePattern(String(repeating: "ab", count: 100_000))) }
  }
}
