import Foundation
import PatternMatching
import TestSupport
import Testing

@testable import LineSearch

struct LineScannerTests {
  /// Returns the lines shown, in the format of `grep -n`.
  private func grep(_ query: LineQuery, _ text: String) throws -> [String] {
    let scanner = try LineScanner(query)
    let bytes = Array(text.utf8)
    var lines: [String] = []
    try bytes.withUnsafeBytes { bytes in
      try scanner.forEachLine(of: scanner.prepare(bytes)) { line in
        if line.followsGap { lines.append("--") }
        let mark = line.kind == .match ? ":" : "-"
        lines.append("\(line.number ?? 0)\(mark)" + String(decoding: bytes[line.range], as: UTF8.self))
        return true
      }
    }
    return lines
  }

  private func query(_ patterns: String..., change: (inout LineQuery) -> Void = { _ in })
    -> LineQuery
  {
    var query = LineQuery()
    query.patterns = patterns
    change(&query)
    return query
  }

  @Test func lastLineNeedsNoLineBreak() throws {
    #expect(try grep(query("b"), "ab\ncb") == ["1:ab\n", "2:cb"])
  }

  @Test func emptyTextHasNoLines() throws {
    #expect(try grep(query("^"), "").isEmpty)
    #expect(try grep(query("x*") { $0.isInverted = true }, "").isEmpty)
  }

  @Test func noLineFollowsLastLineBreak() throws {
    #expect(try grep(query("^$"), "a\n").isEmpty)
    #expect(try grep(query("^$"), "\n\n") == ["1:\n", "2:\n"])
  }

  @Test func carriageReturnBelongsToLine() throws {
    #expect(try grep(query("b$"), "ab\r\nb\n") == ["2:b\n"])
    #expect(try grep(query("b\\r$"), "ab\r\n") == ["1:ab\r\n"])
  }

  @Test func noPatternMatchesNothing() throws {
    #expect(try grep(query(), "a\n").isEmpty)
    #expect(try grep(query { $0.isInverted = true }, "a\n") == ["1:a\n"])
  }

  @Test func severalPatternsAreAlternatives() throws {
    #expect(try grep(query("a", "^c"), "xa\nb\nc\nbc\n") == ["1:xa\n", "3:c\n"])
  }

  @Test func literalPatternsMatchExactly() throws {
    #expect(try grep(query("a.c(") { $0.isLiteral = true }, "abc(\na.c(\n") == ["2:a.c(\n"])
    #expect(try grep(query("a.", "[") { $0.isLiteral = true }, "ab\na.\n[\n") == ["2:a.\n", "3:[\n"])
    #expect(
      try grep(
        query("a.") {
          $0.isLiteral = true; $0.matchesWholeLines = true
        }, "a.b\na.\n") == ["2:a.\n"])
  }

  @Test(arguments: [("foo", ["foo", "x foo!", "-foo-"]), ("foo|foobar", ["foo", "x foo!", "-foo-", "foobar"])])
  func wordMatchesNeedWordBoundaries(pattern: String, found: [String]) throws {
    let text = "foo\nfoobar\nx foo!\nfoo_\n-foo-\nafoo\n"
    let lines = try grep(
      query(pattern) {
        $0.matchesWords = true; $0.numbersLines = false
      }, text)
    #expect(Set(lines.map { String($0.dropFirst(2).dropLast()) }) == Set(found))
  }

  @Test(arguments: [
    ("foo", "FOO", true), ("Foo", "FOO", false), ("\\Wfoo", " FOO", true), ("\\p{Lu}x", "AX", true),
    ("(?<Name>x)", "X", true), ("[A]b", "aB", false), ("é", "É", true), ("É", "é", false),
  ]) func smartCaseDependsOnUpperCaseLiterals(pattern: String, text: String, matches: Bool) throws {
    #expect(try grep(query(pattern) { $0.letterCase = .smart }, text).isEmpty == !matches)
  }

  @Test func contextOfNearbyMatchesIsMerged() throws {
    let text = "1\n2a\n3\n4a\n5\n6\n7\n8\n9a\n"
    let lines = try grep(
      query("a") {
        $0.linesBefore = 1; $0.linesAfter = 1
      }, text)
    #expect(lines == ["1-1\n", "2:2a\n", "3-3\n", "4:4a\n", "5-5\n", "--", "8-8\n", "9:9a\n"])
  }

  @Test func matchesInLastContextAreShown() throws {
    let text = "a1\na2\nb\na3\na4\n"
    let lines = try grep(
      query("a") {
        $0.maximumCount = 1; $0.linesAfter = 3
      }, text)
    #expect(lines == ["1:a1\n", "2:a2\n", "3-b\n", "4:a3\n"])
    #expect(try grep(query("a") { $0.maximumCount = 2 }, text) == ["1:a1\n", "2:a2\n"])
    #expect(try grep(query("a") { $0.maximumCount = 0 }, text).isEmpty)
  }

  @Test func allLinesAreShown() throws {
    #expect(try grep(query("b") { $0.showsAllLines = true }, "a\nb\nc") == ["1-a\n", "2:b\n", "3-c"])
    #expect(try grep(query("x") { $0.showsAllLines = true }, "a\nb") == ["1-a\n", "2-b"])
  }

  @Test func multilineMatchesCrossLines() throws {
    let text = "aa\nbb cc\n  dd\nbb\ncc\n"
    let found = try grep(query("b+\\s+[cd]+") { $0.isMultiline = true }, text)
    #expect(found == ["2:bb cc\n", "4:bb\ncc\n"])
    #expect(try grep(query("b+\\s+[cd]+"), text) == ["2:bb cc\n"])
    let dotAll = try grep(
      query("aa.*dd") {
        $0.isMultiline = true; $0.dotMatchesNewlines = true
      }, text)
    #expect(dotAll == ["1:aa\nbb cc\n  dd\n"])
  }

  @Test func touchingMultilineMatchesAreMerged() throws {
    #expect(try grep(query("a\\nb") { $0.isMultiline = true }, "a\nba\nb\nc\n") == ["1:a\nba\nb\n"])
    let inverted = try grep(
      query("a\\nb") {
        $0.isMultiline = true; $0.isInverted = true
      }, "x\na\nb\nc\n")
    #expect(inverted == ["1:x\n", "4:c\n"])
  }

  @Test func multilineMatchesOnOneLineAreMerged() throws {
    let query = query(#"",\s*""#) { $0.isMultiline = true }
    #expect(try grep(query, #"["a","b", "c"]"#) == [#"1:["a","b", "c"]"#])
    let text = "\"a\",\"b\",\n\"c\"\n\"d\", \"e\"\nf\n\"g\",\"h\"\n"
    #expect(try grep(query, text) == ["1:\"a\",\"b\",\n\"c\"\n\"d\", \"e\"\n", "5:\"g\",\"h\"\n"])
  }

  @Test func manyMultilineMatchesOnOneLineTakeLinearTime() throws {
    let query = query(#"",\s*""#) {
      $0.isMultiline = true; $0.numbersLines = false; $0.timeLimit = .seconds(600)
    }
    let isLinear = try takesLinearTime(50_000) { count in
      let text = String(repeating: #""abc","#, count: count)
      try #expect(grep(query, text) == ["0:\(text)"])
    }
    #expect(isLinear)
  }

  @Test(arguments: ["a\\nb", "a\nb"]) func lineBreakInPatternThrows(pattern: String) throws {
    let error = #expect(throws: LineQueryError.self) { _ = try LineScanner(LineQuery(pattern)) }
    #expect(error?.pattern == pattern)
  }

  @Test(arguments: ["[^\\n]x", "(?x)a\nb", "a\\\\n"]) func nonLiteralLineBreakIsAllowed(pattern: String) throws {
    _ = try LineScanner(LineQuery(pattern))
  }

  @Test func syntaxErrorHasOffsetInOriginalPattern() throws {
    let error = #expect(throws: PatternError.self) { _ = try LineScanner(LineQuery("[^a](")) }
    #expect(error?.description.contains("  [^a](\n       ^") == true, "\(error?.description ?? "")")
  }

  @Test func syntaxErrorQuotesFaultyPattern() throws {
    let query = query("a", "b(c")
    let error = #expect(throws: PatternError.self) { _ = try LineScanner(query) }
    #expect(error?.description.contains("  b(c\n     ^") == true, "\(error?.description ?? "")")
  }

  /// More patterns than PCRE2 accepts as one expression.
  @Test(arguments: [true, false]) func tenThousandPatternsAreSearchedTogether(isLiteral: Bool) throws {
    var query = LineQuery()
    query.patterns = (0..<10_000).map { isLiteral ? "w.\($0)x" : "w[.]\($0)(x)" }
    query.isLiteral = isLiteral
    #expect(try LinePattern(query).patterns.count > 1)
    #expect(try grep(query, "w.9999x\nw.10000x\n-w.0x w.5x\n") == ["1:w.9999x\n", "3:-w.0x w.5x\n"])
    query.isInverted = true
    #expect(try grep(query, "w.9999x\nw.10000x\n") == ["2:w.10000x\n"])
  }

  /// Groups are numbered through all patterns, and the first pattern wins at an offset, even if the patterns are
  /// compiled as several expressions because groups with the same name cannot be in one.
  @Test func severalExpressionsMatchLikeOne() throws {
    let query = query("(?<n>b)(c)", "(?<n>a)(b)?", "ab", "(x)y")
    #expect(try LinePattern(query).patterns.count > 1)
    let scanner = try LineScanner(query)
    try Array("abc xy bc\n".utf8).withUnsafeBytes { bytes in
      var results: [String] = []
      try scanner.forEachLine(of: scanner.prepare(bytes)) { line in
        #expect(try scanner.matches(in: line, of: scanner.prepareForMatches(bytes)) == [0..<2, 4..<6, 7..<9])
        let replaced = try scanner.replacing(
          in: line, of: scanner.prepareForMatches(bytes), with: LineReplacement("<$1,$2,$3,$4,$5,$n>"))
        results.append(String(decoding: replaced.bytes, as: UTF8.self))
        return true
      }
      #expect(results == ["<,,a,b,,a>c <,,,,x,> <b,c,,,,b>\n"])
    }
  }

  /// After the matches in a line, a rare expression is not searched for in the rest of the text again.
  @Test func timeOfMatchesOfSeveralExpressionsIsLinear() throws {
    let query = query(#"(\w)\1"#, #"(q)\1zz"#) { $0.timeLimit = .seconds(600) }
    #expect(try LinePattern(query).patterns.count == 2)
    let scanner = try LineScanner(query)
    let isLinear = try takesLinearTime(25_000) { lineCount in
      var count = 0
      try Array((String(repeating: "aa bb\n", count: lineCount) + "qqzz qq\n").utf8).withUnsafeBytes { bytes in
        let text = scanner.prepare(bytes)
        try scanner.forEachLine(of: text) { line in
          count += try scanner.matches(in: line, of: text).count
          return true
        }
      }
      #expect(count == 2 * lineCount + 3)
    }
    #expect(isLinear)
  }

  /// After the matches in each short line, the end of a long line that follows is not searched for again.
  @Test func longLineDoesNotSlowMatchesBeforeIt() throws {
    let scanner = try LineScanner(query(#"\d"#) { $0.timeLimit = .seconds(60) })
    let short = Array(String(repeating: "1\n", count: 16_000).utf8)
    let bytes = short + [UInt8](repeating: UInt8(ascii: "a"), count: 32 << 20)
    var count = 0
    let time = try bytes.withUnsafeBytes { bytes in
      let text = scanner.prepare(bytes)
      return try processorTime {
        try scanner.forEachLine(of: text) { line in
          count += try scanner.matches(in: line, of: text).count
          return true
        }
      }
    }
    #expect(count == 16_000)
    // If each search read the long line, 512 GB would be read.
    #expect(time < .seconds(5))
  }

  /// An error quotes what the user wrote, not the expression that was generated from it.
  @Test func limitErrorsQuotePatternsOfUser() throws {
    let text = String(repeating: "a", count: 40) + "b\n"
    func message(_ query: LineQuery) -> String? {
      let error = #expect(throws: PatternError.self) { _ = try grep(query, text) }
      return error?.description
    }
    let two = query("(a+)+$", "(c+)+$") { $0.timeLimit = .milliseconds(10) }
    let several = try #require(message(two))
    #expect(several.hasPrefix("the 2 patterns need more than"))
    #expect(several.contains("simplify them"))
    // The pattern with a reference is an expression of its own.
    let three = query("(a+)+$", "(c+)+$", #"(d)\1"#) { $0.timeLimit = .milliseconds(10) }
    let part = try #require(message(three))
    #expect(part.hasPrefix("2 of the 3 patterns need more than"))
    let one = query("(a+)+$") {
      $0.timeLimit = .milliseconds(10)
      $0.matchesWords = true
    }
    let single = try #require(message(one))
    #expect(single.hasPrefix(#"the regular expression "(a+)+$" needs more than"#))
  }

  @Test func referencesReferToGroupsOfTheirPattern() throws {
    let query = query("(a)x", #"(b)\1"#)
    #expect(try LinePattern(query).patterns.count == 2)
    #expect(try LinePattern(self.query("x", "y", #"(b)\1"#, "z")).patterns.count == 3)
    #expect(try grep(query, "aa\nbb\nba\nax\n") == ["2:bb\n", "4:ax\n"])
    #expect(try replaced(query, "bb ax\n", "[$1,$2]") == ["[,b] [a,]\n"])
  }

  /// The first match is the one that begins first, even if `\K` moves its start.
  @Test func matchStartsAreMovedInSeveralExpressions() throws {
    let query = query("(?<n>b)", #"(?<n>a)\Kb"#)
    #expect(try LinePattern(query).patterns.count == 2)
    #expect(try replaced(query, "ab b\n", "[$1,$2]") == ["a[,a] [b,]\n"])
    #expect(try replaced(self.query("(?<n>aa)", #"(?<n>a)\Kb"#), "aab ab\n", "[$0]") == ["[aa]b a[b]\n"])
  }

  /// A match that crosses lines may begin on the line of the previous match and, with `\K`, start after it.
  @Test func multilineMatchesWithMovedStartAreFound() throws {
    let query = query(#"a|b[^c]*\Kc"#) { $0.isMultiline = true }
    let text = "ab\nx\nc\nzz\n"
    #expect(try grep(query, text) == ["1:ab\n", "3:c\n"])
    var inverted = query
    inverted.isInverted = true
    #expect(try grep(inverted, text) == ["2:x\n", "4:zz\n"])
  }

  /// Returns the matching lines with their matches replaced.
  private func replaced(_ query: LineQuery, _ text: String, _ template: String) throws -> [String] {
    let scanner = try LineScanner(query)
    var lines: [String] = []
    try Array(text.utf8).withUnsafeBytes { bytes in
      try scanner.forEachLine(of: scanner.prepare(bytes)) { line in
        let replaced = try scanner.replacing(
          in: line, of: scanner.prepareForMatches(bytes), with: LineReplacement(template))
        lines.append(String(decoding: replaced.bytes, as: UTF8.self))
        return true
      }
    }
    return lines
  }

  @Test(arguments: [
    (["(?x)foo # c"], "foo"), (["(?x)foo # c", "zz"], "a zz"), ([#"\Qf(o"#, "zz"], "f(o"), ([#"\Q"#], "- -"),
    (["(*UTF)foo", "zz"], "foo"), (["[^]a]", "b"], "b"), (["(?i)FOO", "zz"], "foo"),
  ]) func openQuotationsAndCommentsAreClosedBeforeJoining(patterns: [String], text: String) throws {
    var query = LineQuery()
    query.patterns = patterns
    #expect(try grep(query, text) == ["1:\(text)"])
    query.matchesWords = true
    #expect(try grep(query, text) == ["1:\(text)"])
    query.patterns = ["nosuch"]
    #expect(try grep(query, text).isEmpty)
  }

  @Test func oversizedPatternThrowsShortError() throws {
    let error = #expect(throws: PatternError.self) {
      _ = try LineScanner(LineQuery("a", String(repeating: "abcdefgh.", count: 20_000)))
    }
    #expect(error?.description.contains("too large") == true)
    #expect(error?.description.count ?? .max < 400)
  }

  @Test func invalidPatternHasIndex() throws {
    for patterns in [["a(b"], ["a", "a(b"]] {
      var query = LineQuery()
      query.patterns = patterns
      let error = #expect(throws: PatternError.self) { _ = try LineScanner(query) }
      #expect(error?.pattern == "a(b" && error?.patternIndex == patterns.count - 1)
    }
  }

  /// One line takes little time; all of them take too much.
  @Test func linesOfTextShareTimeLimit() throws {
    var query = LineQuery("(?=a)(a+)+$")
    query.timeLimit = .milliseconds(20)
    let scanner = try LineScanner(query)
    let text = Array(String(repeating: String(repeating: "a", count: 16) + "b\n", count: 1000).utf8)
    let error = #expect(throws: PatternError.self) {
      try text.withUnsafeBytes { try scanner.forEachLine(of: scanner.prepare($0)) { _ in true } }
    }
    #expect(error?.description.contains("needs more than 0.02 seconds") == true)
    try Array("aaa\n".utf8).withUnsafeBytes { bytes in
      var count = 0
      try scanner.forEachLine(of: scanner.prepare(bytes)) { _ in
        count += 1
        return true
      }
      #expect(count == 1)
    }
  }

  /// Each would backtrack over the whole text, 11 million steps, if it were not confined to its line.
  @Test(arguments: [#"(?s)/\*.*\*/"#, #"/\*[\s\S]*\*/"#, #"(?s:/\*.*)\*/"#, #"/\*[^x]*\*/"#, #"/\*(?:\W|\w)*\*/"#])
  func matchLimitAppliesPerLine(pattern: String) throws {
    let line = String(repeating: "a", count: 109) + "\n"
    let text = "/* licence */\n" + String(repeating: line, count: 100_000) + "/* open\n"
    #expect(try grep(query(pattern), text) == ["1:/* licence */\n"])
  }

  @Test func dotMatchesNewlineOnlyInMultiline() throws {
    let text = "/* a\n b */ /* c */\n"
    #expect(try grep(query(#"(?s)/\*.*\*/"#), text) == ["2: b */ /* c */\n"])
    #expect(try grep(query(#"(?s)/\*.*\*/"#) { $0.isMultiline = true }, text) == ["1:" + text])
  }

  @Test func shortLinesAreSkipped() throws {
    let query = query(".{40}")
    #expect(try LinePattern(query).skipsShortLines)
    let long = String(repeating: "é", count: 40)
    #expect(try grep(query, "short\n\(long)\n\(long.dropLast())\nx\(long)") == ["2:\(long)\n", "4:x\(long)"])
    #expect(try !LinePattern(self.query("abcd.{40}")).skipsShortLines)
  }

  @Test func carriageReturnCanBelongToLineBreak() throws {
    let query = query("b$") { $0.ignoresCarriageReturns = true }
    #expect(try grep(query, "ab\r\nb\nb\rx\n") == ["1:ab\r\n", "2:b\n"])
  }

  @Test func patternsThatAreValidOnlyTogetherThrow() throws {
    #expect(throws: PatternError.self) { _ = try LineScanner(query("a)|(b", "c")) }
  }

  @Test(arguments: [
    ("a", "<a>", "b<a>\n"), ("(a)(x)?", "$1$2$3-", "ba-\n"), ("(?<n>a)", "$n${n}n$nn$$", "baan$\n"), ("z", "q", "ba\n"),
    ("", "-", "-b-a-\n"), ("(a)", "$1a", "b\n"), ("(a)", "${1}a", "baa\n"), ("a", "$", "b$\n"),
    ("(a)", "${1 }", "b${1 }\n"), ("(a)", "${1", "b${1\n"), ("(a)", "${}$1", "b${}a\n"), ("(a)", "$${1}", "b${1}\n"),
  ]) func matchesAreReplaced(pattern: String, template: String, expected: String) throws {
    var query = LineQuery(pattern)
    query.showsAllLines = true
    let scanner = try LineScanner(query)
    try Array("ba\n".utf8).withUnsafeBytes { bytes in
      try scanner.forEachLine(of: scanner.prepare(bytes)) { line in
        let replaced = try scanner.replacing(
          in: line, of: scanner.prepareForMatches(bytes), with: LineReplacement(template))
        #expect(String(decoding: replaced.bytes, as: UTF8.self) == expected)
        return true
      }
    }
  }

  @Test func wordwiseLineCountIsExact() throws {
    // Each of the 256 bytes at each offset of a word, next to line breaks: a borrow must not count a byte twice.
    for byte in UInt8.min...UInt8.max {
      for place in 0..<8 {
        var word = [UInt8](repeating: 0x0A, count: 11)
        word[place] = byte
        let count = word.withUnsafeBytes { Lines.breakCount(in: 0..<11, of: $0) }
        #expect(count == (byte == 0x0A ? 11 : 10))
      }
    }
  }
}
