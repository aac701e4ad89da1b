import TestSupport
import Testing

@testable import PatternMatching

/// The matches do not depend on the way the bytes are passed.
@Suite struct PatternTextTests {
  /// Returns the ranges of the groups of all matches, or nil if a limit was reached. Group 0 is the match.
  private func matches(_ matcher: PatternMatcher, _ text: PatternText) -> [[Range<Int>?]]? {
    var found: [[Range<Int>?]] = []
    let isComplete: Void? = try? matcher.forEachMatch(in: text) { _ in
      found.append((0...matcher.pattern.groupCount).map { matcher.range(of: $0) })
      return true
    }
    return isComplete.map { found }
  }

  @Test func everyVariantFindsSameMatches() throws {
    var count = 0
    for seed in 30_000..<34_000 {
      var random = RandomPattern(SeededGenerator(seed: UInt64(seed)))
      let text = random.pattern()
      // PCRE2's JIT and its interpreter disagree about these.
      guard !["(?R", "(?1", "(?+", "(?&", "(?P>", "\\g<", "{0}"].contains(where: text.contains),
        let pattern = try? Pattern(text, options: random.options)
      else { continue }
      var options = random.options
      options.limits.usesJIT = false
      options.usesPrefilter = false
      let interpreter = try PatternMatcher(Pattern(text, options: options))
      let compiled = try PatternMatcher(pattern)
      for _ in 0..<5 {
        let subject = Array((random.text() + random.text()).utf8)
        subject.withUnsafeBytes { subject in
          let safe = PatternText(subject)
          let expected = matches(interpreter, PatternText(valid: subject))
          let others = [
            (compiled, safe), (compiled, PatternText(subject, isValidUTF8: true)),
            (compiled, PatternText(valid: subject)),
            (interpreter, safe),
          ]
          for (matcher, text) in others {
            guard let expected, let found = matches(matcher, text) else { continue }
            count += found.count
            #expect(found == expected, "seed \(seed): \(pattern.text.debugDescription) in \(Array(subject))")
          }
        }
      }
    }
    #expect(count > 20_000)
  }

  /// Texts longer than a step, with the match before, across and after the end of the step.
  @Test(arguments: [0, 100, 32_766, 32_767, 32_768, 32_769, 200_000, 999_000])
  func longTextsAreSearchedToTheirEnd(offset: Int) throws {
    for (filler, pattern, text) in [
      ("x", "needle", "needle"), ("é", "na+del", "naaadel"), ("x", #"\w*_lock"#, "_lock"),
      ("x", "[0-9]{7}$", "1234567"), ("\n", "^.+ck$", "_lock"),
    ] {
      var bytes = Array(String(repeating: filler, count: 1_000_000 / filler.utf8.count).utf8)
      let start = offset / 2 * 2
      bytes.replaceSubrange(start..., with: Array(text.utf8))
      var options = PatternOptions()
      options.isMultiline = true
      let matcher = try PatternMatcher(Pattern(pattern, options: options))
      let range = try bytes.withUnsafeBytes { try matcher.firstMatch(in: $0) }
      #expect(range?.upperBound == start + text.utf8.count, "\(pattern)")
    }
  }

  /// Matching the whole text must not continue at later offsets.
  @Test func wholeMatchOfLongText() throws {
    let matcher = try PatternMatcher(Pattern("a+"))
    for count in [32_767, 32_768, 32_769, 32_770] {
      let text = Array((String(repeating: "b", count: count) + "aaa").utf8)
      #expect(try !text.withUnsafeBytes { try matcher.matchesWhole($0) })
    }
    #expect(try Array(repeating: UInt8(ascii: "a"), count: 100_000).withUnsafeBytes { try matcher.matchesWhole($0) })
  }

  @Test func patternsWithGMatchOnlyAtStart() throws {
    let matcher = try PatternMatcher(Pattern(#"\Gabc"#))
    let text = String(repeating: "x", count: 100_000) + "abc"
    #expect(try !Array(text.utf8).withUnsafeBytes { try matcher.matches($0) })
  }

  @Test func invalidUTF8IsSafeInEveryVariant() throws {
    let matcher = try PatternMatcher(Pattern(#"(?i)é\w+|.{3}x"#))
    for length in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(length))
      let bytes = (0..<length).map { _ in UInt8.random(in: 0x78...0xFF, using: &generator) }
      _ = try bytes.withUnsafeBytes { try matcher.count(in: $0) }
    }
    let bytes: [UInt8] = [0x61, 0x80, 0xC3, 0xA9, 0x78]
    #expect(
      try bytes.withUnsafeBytes {
        try PatternMatcher(Pattern(#"É\w"#, options: PatternOptions(flags: "i"))).firstMatch(in: $0)
      } == 2..<5)
  }
}
