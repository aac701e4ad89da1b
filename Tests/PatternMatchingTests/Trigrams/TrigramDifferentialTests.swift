import PatternMatching
import TestSupport
import Testing

/// The trigram query has no false negatives, for random patterns and texts.
@Suite struct TrigramDifferentialTests {
  private let collector = TrigramCollector()

  private func trigrams(_ text: [UInt8]) -> Set<Trigram> {
    text.withUnsafeBytes { collector.add($0) }
    defer { collector.removeAll() }
    return collector.withTrigrams { Set($0) }
  }

  @Test func patternQueryHasNoFalseNegatives() throws {
    var (matches, refused) = (0, 0)
    try RandomPatternCase.forEach(0..<4000) { test in
      let query = test.pattern.analysis.trigrams
      for text in test.texts {
        let isLetThrough = query.isSatisfied(by: trigrams(text).contains)
        if !isLetThrough { refused += 1 }
        guard test.match(in: text) != nil else { continue }
        matches += 1
        #expect(isLetThrough, "\(test.label) in \(text), \(query)")
      }
    }
    // Both must happen often for the test to be meaningful.
    #expect(matches > 4000)
    #expect(refused > 2000)
  }

  @Test func likeQueryHasNoFalseNegatives() {
    let alphabet = ["a", "b", "k", "K", "é", "😀", "%", "_", "\\", "\n"]
    var matches = 0
    for seed in 0..<20_000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let pattern = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? ""
      }.joined()
      // A text made from the pattern by filling in its wildcards.
      let text = Array(
        pattern.flatMap { character in
          switch character {
          case "%": (0..<Int.random(in: 0...2, using: &generator)).map { _ in Character("b") }
          case "_": [Character("é")]
          default: [character]
          }
        }.map(String.init).joined().utf8)
      let like = LikePattern(pattern)
      guard text.withUnsafeBytes({ like.matches($0) }) else { continue }
      matches += 1
      let query = TrigramQuery(like: like)
      #expect(query.isSatisfied(by: trigrams(text).contains), "seed \(seed): \(pattern), \(query)")
    }
    #expect(matches > 5000)
  }
}
