import PatternMatching
import TestSupport

/// An expression of a seed, a matcher for it that does nothing but match, and five texts.
struct RandomPatternCase {
  let seed: Int
  let pattern: Pattern
  let matcher: PatternMatcher
  let texts: [[UInt8]]

  /// Calls `body` with the cases of some seeds, one at a time. Expressions that PCRE2 refuses are left out.
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

  /// The first match in a text; nil if there is none, or a limit is reached, which is no answer.
  func match(in text: [UInt8]) -> Range<Int>? {
    let match = try? text.withUnsafeBytes { try matcher.firstMatch(in: $0) }
    return match ?? nil
  }

  /// What to say of a failure.
  var label: String { "seed \(seed): \(pattern.text.debugDescription)" }
}
