import Foundation
import PatternMatching
import Testing

@Suite struct PatternTests {
  private func bytes<T>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    try Array(text.utf8).withUnsafeBytes { try body($0) }
  }

  private func matcher(_ pattern: String, _ change: (inout PatternOptions) -> Void = { _ in }) throws
    -> PatternMatcher
  {
    var options = PatternOptions()
    change(&options)
    return try PatternMatcher(Pattern(pattern, options: options))
  }

  @Test func matchRangesAreInBytes() throws {
    let matcher = try matcher("ö+")
    #expect(try bytes("Möönd") { try matcher.firstMatch(in: $0) } == 1..<5)
    #expect(try bytes("Mond") { try matcher.firstMatch(in: $0) } == nil)
    #expect(try bytes("") { try matcher.matches($0) } == false)
  }

  @Test func wholeMatchTriesAllAlternatives() throws {
    let matcher = try matcher("a|ab")
    #expect(try bytes("ab") { try matcher.matchesWhole($0) })
    #expect(try !bytes("abc") { try matcher.matchesWhole($0) })
    // $ alone would ignore a newline at the end.
    #expect(try !bytes("ab\n") { try matcher.matchesWhole($0) })
  }

  @Test func optionsChangeMatches() throws {
    #expect(try bytes("STRASSE ÄÖ") { try self.matcher("äö") { $0.ignoresCase = true }.matches($0) })
    #expect(try !bytes("ab") { try self.matcher("a.") { $0.isLiteral = true }.matches($0) })
    #expect(try bytes("x\na") { try self.matcher("^a") { $0.isMultiline = true }.matches($0) })
    #expect(try bytes("a\nb") { try self.matcher("a.b") { $0.dotMatchesNewlines = true }.matches($0) })
    #expect(try bytes("a\nb") { try self.matcher("a.b").matches($0) } == false)
    #expect(try bytes("é") { try self.matcher(#"^\w$"#).matches($0) })
  }

  @Test func syntaxErrorsHaveOffsetAndCaret() throws {
    let error = try #require(throws: PatternError.self) { try Pattern("aé(b") }
    #expect(error.kind == .syntax(offset: 5))
    #expect(
      error.description == """
        the regular expression is invalid: missing closing parenthesis at byte 5
          aé(b
              ^
        """)
    #expect(throws: PatternError.self) { try Pattern(#"a\Cb"#) }
  }

  @Test(arguments: [true, false]) func limitsThrow(usesJIT: Bool) throws {
    let matcher = try matcher("(a+)+$") {
      $0.limits.usesJIT = usesJIT
      $0.limits.match = 1000
    }
    let error = try #require(throws: PatternError.self) {
      try bytes(String(repeating: "a", count: 40) + "b") { try matcher.matches($0) }
    }
    #expect(error.kind == .matchLimit(1000))
    #expect(error.description.contains("\"(a+)+$\" needs more than 1000 steps"))
  }

  @Test func depthAndHeapAreLimited() throws {
    let depth = try matcher(#"(?:a|b)*\d"#) {
      $0.limits.usesJIT = false
      $0.limits.depth = 10
    }
    let text = String(repeating: "ab", count: 1000)
    var error = try #require(throws: PatternError.self) { try bytes(text) { try depth.matches($0) } }
    #expect(error.kind == .depthLimit(10))
    let heap = try matcher(#"((a|b))*\d"#) {
      $0.limits.usesJIT = false
      $0.limits.heap = 1
    }
    error = try #require(throws: PatternError.self) { try bytes(text) { try heap.matches($0) } }
    #expect(error.kind == .heapLimit(1))
  }

  @Test func invalidUTF8IsSafe() throws {
    let matcher = try matcher("a.b")
    let text: [UInt8] = [0x61, 0xC3, 0x62, 0xFF, 0x61, 0x78, 0x62]
    #expect(try text.withUnsafeBytes { try matcher.firstMatch(in: $0) } == 4..<7)
  }

  @Test(arguments: [
    ("a*", "baac", 4), ("", "äb", 3), ("b", "abab", 2), ("^", "abc", 1), ("$", "abc", 1), ("x*", "", 1),
  ]) func emptyMatchesAreCountedLikePerl(pattern: String, text: String, count: Int) throws {
    #expect(try bytes(text) { try self.matcher(pattern).count(in: $0) } == count)
  }

  @Test(arguments: [
    ("(\\w)(\\w)", "$2$1", "abcd", Int.max, "badc"), ("(?<x>b)", "[${x}]", "abab", 1, "a[b]ab"),
    ("b", "$$1", "abc", Int.max, "a$1c"), ("b", "${0}${0}", "abc", Int.max, "abbc"), ("b", "$", "abc", Int.max, "a$c"),
    ("(x)?b", "<$1>", "abc", Int.max, "a<>c"), ("a", "b", "aaa", 0, "aaa"), ("", "-", "ab", Int.max, "-a-b-"),
    ("b", "$7", "abc", Int.max, "ac"), ("b", "${", "abc", Int.max, "a${c"),
  ]) func matchesAreReplaced(pattern: String, template: String, text: String, limit: Int, expected: String) throws {
    let matcher = try matcher(pattern)
    let result = try bytes(text) {
      try matcher.replacing(in: $0, with: ReplacementTemplate(template), limit: limit)
    }
    #expect(result.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test func cacheReturnsSameObject() throws {
    let cache = PatternCache(capacity: 2)
    let one = try cache.pattern("a")
    #expect(try cache.pattern("a") === one)
    _ = try cache.pattern("b")
    #expect(try cache.pattern("a") === one)
    _ = try cache.pattern("c")
    #expect(try cache.pattern("a") === one)
    // Canonically equivalent, but other bytes.
    #expect(try cache.pattern("é") !== cache.pattern("e\u{301}"))
  }

  @Test func patternIsSharedBetweenThreads() async throws {
    let pattern = try Pattern("(\\d+)-(\\d+)")
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<8 {
        group.addTask {
          let matcher = try PatternMatcher(pattern)
          let text = Array("1-2 \(index)-44 x".utf8)
          return try (0..<1000).reduce(0) { sum, _ in try sum + text.withUnsafeBytes { try matcher.count(in: $0) } }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 2000, count: 8))
  }
}
