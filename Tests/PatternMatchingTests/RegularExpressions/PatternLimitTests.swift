import Foundation
import PatternMatching
import Synchronization
import TestSupport
import Testing

/// Matching that could take forever, or all memory, ends with a result or with an error that quotes the pattern.
@Suite struct PatternLimitTests {
  private func result(_ pattern: String, _ text: String, _ change: (inout PatternOptions.Limits) -> Void = { _ in })
    throws
    -> Result<Bool, PatternError>
  {
    var options = PatternOptions()
    change(&options.limits)
    let matcher = try PatternMatcher(Pattern(pattern, options: options))
    var text = text
    // In place, because some texts are large.
    return text.withUTF8 { bytes in
      Result { () throws(PatternError) in try matcher.matches(UnsafeRawBufferPointer(bytes)) }
    }
  }

  private func kind(_ result: Result<Bool, PatternError>) -> PatternError.Kind? {
    if case .failure(let error) = result { return error.kind }
    return nil
  }

  @Test(arguments: [true, false]) func nestedRepetitionEndsWithResultOrError(usesJIT: Bool) throws {
    let text = String(repeating: "a", count: 10_000) + "b"
    let result = try result("(a+)+$", text) {
      $0.usesJIT = usesJIT
      $0.match = 100_000
    }
    #expect(kind(result) == .matchLimit(100_000))
  }

  @Test(arguments: [true, false]) func overlappingBranchesEndWithResultOrError(usesJIT: Bool) throws {
    let result = try result("^(.|..)+$Z", String(repeating: "a", count: 10_000) + "Z") {
      $0.usesJIT = usesJIT
      $0.match = 100_000
    }
    #expect(kind(result) == .matchLimit(100_000))
  }

  /// Few steps from each offset, but many offsets: only the clock can end the search.
  @Test(arguments: [true, false]) func timeLimitAppliesAcrossStartOffsets(usesJIT: Bool) throws {
    let text = String(repeating: "a", count: 200_000)
    let result = try result("a.*[XY]", text) {
      $0.usesJIT = usesJIT
      $0.time = .milliseconds(50)
    }
    guard case .failure(let error) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error.kind == .timeLimit(.milliseconds(50)))
    #expect(error.description.contains(#""a.*[XY]" needs more than 0.05 seconds for a text"#))
  }

  /// Loops that do not backtrack take no steps. In a long line, the clock must be read after few start offsets, even if
  /// short lines precede it.
  @Test(arguments: [#"(\w|-)++@"#, #"(?>\w+,?)+;"#, #"(?!\w+@)\w+;"#], [0, 20_000])
  func timeLimitAppliesToLoopsWithoutSteps(pattern: String, shortLines: Int) throws {
    let text =
      String(repeating: "short line\n", count: shortLines) + String(repeating: "QUJD0w9Z", count: 250_000)
    let time = try processorTime {
      try #expect(kind(result(pattern, text) { $0.time = .milliseconds(50) }) == .timeLimit(.milliseconds(50)))
    }
    #expect(time < .seconds(5))
  }

  /// A step of the search may contain the whole line.
  @Test(arguments: [(0, 0), (100, 0), (0, 10_000), (100, 10_000)])
  func timeLimitAppliesToLinesWithinStep(linesBefore: Int, linesAfter: Int) throws {
    let text =
      String(repeating: "short line\n", count: linesBefore) + String(repeating: "QUJD0w9Z", count: 3800) + " @\n"
      + String(repeating: "short line\n", count: linesAfter)
    let pattern = #"(?:(?=[a-zA-Z0-9])(?:[a-z]|[A-Z]|\d))++@"#
    try #expect(kind(result(pattern, text) { $0.time = .milliseconds(50) }) == .timeLimit(.milliseconds(50)))
    #expect(try result(pattern, text + "x1@") { $0.time = .seconds(60) } == .success(true))
  }

  @Test func matchInLongLineAfterShortLinesIsFound() throws {
    let text = String(repeating: "a b\n", count: 10_000) + String(repeating: "ab ", count: 500_000) + "c1\nd2 d3"
    #expect(try result(#"c\d++$"#, text) { $0.time = .seconds(60) } == .success(false))
    #expect(try result(#"[ab]++ c\d++"#, text) == .success(true))
    #expect(try result(#"d++\d d3"#, text) == .success(true))
  }

  /// Lines whose lengths are around the one from which they are searched in steps of their own.
  @Test func matchesAmongLinesOfSimilarLengthsAreFound() throws {
    func isFound(_ pattern: String, _ text: String) throws -> Bool {
      try result(pattern, text) { $0.time = .seconds(60) }.get()
    }
    for length in [2047, 2048, 2049, 4095, 4096, 4097, 6000] {
      let line = String(repeating: "a", count: length)
      let lines = String(repeating: "\(line)\nb\n", count: 12)
      #expect(try !isFound("a++1", lines))
      #expect(try isFound("a++1", "\(lines)\(line)1\n\(lines)"))
      #expect(try isFound("b++1", "\(lines)b1\n\(lines)"))
    }
  }

  /// The time limit applies to every pattern: to characters that only look like a verb, and to verbs that prevent
  /// dividing the search.
  @Test(arguments: [
    #"(?:a|b)*[cd]\(*\d"#, #"(?:a|b)*[cd](?:\\G|\d)"#, "(*UTF)(?:a|b)*[cd]", "(?:a|b)*(?:[cd](*SKIP)x|[ef])",
    #"(?:a|b)*[cd]\G"#,
  ])
  func timeLimitAppliesToEveryPattern(pattern: String) throws {
    let result = try result(pattern, String(repeating: "ab", count: 200_000)) { $0.time = .milliseconds(50) }
    #expect(kind(result) == .timeLimit(.milliseconds(50)))
  }

  @Test func undividedSearchesFindSameMatches() throws {
    let text = String(repeating: "ab ", count: 100_000) + "c1"
    #expect(try result(#"[ab ]+(*SKIP)(*FAIL)|c\d"#, text) == .success(true))
    #expect(try result("x(*COMMIT)y|c", text + "xc") == .success(true))
    #expect(try result(#"\Gc"#, text) == .success(false))
    // A verb that skips offsets skips all of them, wherever a part of a text ends.
    let far = String(repeating: "a", count: 100_000) + "b"
    #expect(try result("a+(*SKIP)c|ab", far) == .success(false))
  }

  /// The parts of a text share its time limit.
  @Test func partsOfTextShareTimeLimit() throws {
    var options = PatternOptions()
    options.limits.time = .milliseconds(50)
    let matcher = try PatternMatcher(Pattern("(?=a)(a+)+$", options: options))
    let lines = (0..<3000).map { _ in Array((String(repeating: "a", count: 14) + "b").utf8) }
    func matchAll() throws { for line in lines { try line.withUnsafeBytes { _ = try matcher.matches($0) } } }
    try matchAll()
    matcher.beginTexts(size: 0)
    let error = #expect(throws: PatternError.self) { try matchAll() }
    #expect(error?.kind == .timeLimit(.milliseconds(50)))
    matcher.beginTexts(size: 10_000)
    #expect(try Array("aaa".utf8).withUnsafeBytes { try matcher.matches($0) })
  }

  /// The times of many matches in one text add up.
  @Test func timeOfManyMatchesAddsUp() throws {
    var options = PatternOptions()
    options.limits.time = .milliseconds(20)
    // Otherwise a fast processor may reach the match limit before the time limit.
    options.limits.match = .max
    let matcher = try PatternMatcher(Pattern("a(?=(?:b*)*b*c|b)", options: options))
    let bytes = Array(String(repeating: "a" + String(repeating: "b", count: 2000), count: 2000).utf8)
    let error = #expect(throws: PatternError.self) { try bytes.withUnsafeBytes { _ = try matcher.count(in: $0) } }
    #expect(error?.kind == .timeLimit(.milliseconds(20)))
    // The next text has a new time limit.
    #expect(try Array("ab".utf8).withUnsafeBytes { try matcher.count(in: $0) } == 1)
  }

  /// Time that other threads use the processors does not count.
  @Test func timeOfOtherThreadsDoesNotCount() throws {
    let text = String(repeating: String(repeating: "a", count: 100) + " ", count: 4000)
    let alone = try processorTime {
      try #expect(result(#"\w{150,}"#, text) { $0.time = .seconds(60) } == .success(false))
    }
    let failures = Mutex<[PatternError.Kind]>([])
    let group = DispatchGroup()
    for _ in 0..<8 * ProcessInfo.processInfo.activeProcessorCount {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        guard let result = try? result(#"\w{150,}"#, text, { $0.time = alone * 4 }), let kind = kind(result) else {
          return
        }
        failures.withLock { $0.append(kind) }
      }
    }
    group.wait()
    #expect(failures.withLock { $0 } == [])
  }

  @Test(arguments: ["x", "xé"]) func tenMegabyteLineMatches(filler: String) throws {
    let text = String(repeating: filler, count: 10_000_000 / filler.utf8.count) + "needle"
    #expect(try result("needle$", text) == .success(true))
    #expect(try result("[^n]*needle", text) == .success(true))
    #expect(try result("(?:x|é)+y", String(repeating: filler, count: 100_000)) == .success(false))
  }

  @Test(arguments: [true, false]) func memoryIsBounded(usesJIT: Bool) throws {
    let result = try result("(?:(x)|y)*[zw]", String(repeating: "x", count: 400_000)) {
      $0.usesJIT = usesJIT
      $0.depth = .max
      $0.match = .max
      $0.heap = 2048
    }
    switch kind(result) {
    case .stackLimit(let bytes): #expect(usesJIT && bytes == 2 << 20)
    case .heapLimit(let size): #expect(!usesJIT && size == 2048)
    default: Issue.record("\(result)")
    }
  }

  @Test func megabytePatternThrowsShortError() throws {
    let error = #expect(throws: PatternError.self) { try Pattern(String(repeating: "abcdefgh.", count: 110_000)) }
    #expect(error?.reason == "regular expression is too large")
    #expect((error?.description.count ?? .max) < 400)
  }

  @Test func tenThousandBranchesMatchOrThrow() throws {
    let words = (0..<10_000).map { "w\($0)" }
    let error = #expect(throws: PatternError.self) { try Pattern(words.joined(separator: "|")) }
    #expect(error?.reason == "regular expression is too large")
    #expect(try result(words.prefix(2500).joined(separator: "|"), "-w2499-") == .success(true))
  }

  @Test func longPatternIsAbbreviatedAroundError() throws {
    let pattern = String(repeating: "a", count: 5000) + "[b" + String(repeating: "c", count: 5000)
    let error = try #require(throws: PatternError.self) { try Pattern(pattern) }
    #expect(error.kind == .syntax(offset: 10_002))
    let lines = error.description.split(separator: "\n")
    #expect(lines[1] == "  …" + String(repeating: "c", count: 60))
    #expect(lines[2] == "   " + String(repeating: " ", count: 60) + "^")
    let limit = try result("(a+)+$" + String(repeating: "|x", count: 5000), String(repeating: "a", count: 40) + "b") {
      $0.match = 10
    }
    guard case .failure(let error) = limit else {
      Issue.record("\(limit)")
      return
    }
    #expect(error.description.count < 250)
  }
}
