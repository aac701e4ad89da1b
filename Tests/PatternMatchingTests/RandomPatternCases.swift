import PatternMatching
import TestSupport

/// The expression of a seed, a matcher for it without optimizations, and five texts.
struct RandomPatternCase {
  let seed: Int
  let pattern: Pattern
  let matcher: PatternMatcher
  let texts: [[UInt8]]

  /// Calls `body` with the cases of some seeds, one at a time. Expressions that PCRE2 rejects are skipped.
  static func forEach(_ seeds: Range<Int>, _ body: (RandomPatternCase) throws -> Void) throws {
    for seed in seeds {
      var random = RandomPattern(SeededGenerator(seed: UInt64(seed)))
      let text = random.pattern()
      var options = random.options
      options.usesPrefilter = false
      guard let pattern = try? Pattern(text, options: options) else { continue }
      let texts = (0..<5).map { _ in Array(random.text().utf8) }
      try body(RandomPatternCase(seed: seed, pattern: pattern, matcher: PatternMatcher(pattern), texts: texts))
    }
  }

  /// Returns the first match in a text; nil if there is none, or if a limit is reached, in which case the result is
  /// unknown.
  func match(in text: [UInt8]) -> Range<Int>? {
    let match = try? text.withUnsafeBytes { try matcher.firstMatch(in: $0) }
    return match ?? nil
  }

  /// The description of the case for failures.
  var label: String { "seed \(seed): \(pattern.text.debugDescription)" }
}
