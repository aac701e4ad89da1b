import Foundation
import PatternMatching
import TestSupport
import Testing

@Suite struct PatternAnalysisTests {
  @Test(arguments: [
    ("mutex_lock", "mutex_lock"), (#"spin_(lock|unlock)_irq\w+"#, "lock_irq"), ("(?i)abc", ""),
    ("(?i)123_456", "123_456"),
    ("a.bcd", "bcd"), ("(abc)?de", "de"), ("(abc)+d", "abcd"), ("abc|abd", "ab"), ("abc|xbc", "bc"),
    ("abc(?!x)", "abc"), ("x*", ""),
  ]) func requiredLiteralsAreFound(pattern: String, expected: String) {
    #expect(PatternAnalysis(pattern).requiredLiteral == Array(expected.utf8))
  }

  @Test(arguments: [
    ("a.b", false), (#"a\s+b"#, true), (#"a\nb"#, true), ("[^a]", true), (#"[^a\n]"#, false), (#"[^\s]"#, false),
    (#"\w+\d\S"#, false),
    ("(?s)a.b", true), (#"\x0a"#, true), ("a\nb", true), (#"[\x00-\x20]"#, true), (#"\p{Lu}\pN"#, false),
    (#"\p{Cc}"#, true),
    ("(?x)a # b\n c", false), ("(a)(?1)", true),
  ]) func newlineMatchesAreDetected(pattern: String, expected: Bool) {
    #expect(PatternAnalysis(pattern).canMatchNewline == expected)
  }

  @Test(arguments: [
    ("a(b|c)*d", true), (#"^\s*\bint\b.*$"#, true), ("(?i)a", true), ("(?m)a", true), ("(?-m)a", false),
    ("a(?=b)", false),
    ("a(?!b)", false), ("(?<=b)a", false), (#"\Aa"#, false), (#"a\z"#, false), (#"a\Z"#, false), (#"\Ga"#, false),
    (#"a\Kb"#, false),
    ("(?>a+)b", false), ("a++b", false), (#"(a)\1"#, true), (#"(?<n>a)\k<n>\g{-1}"#, true), (#"(a)\10"#, false),
    ("(a)(?1)", false), (#"(a)\g<1>"#, false), ("(?(?=a)b|c)", false),
    (#"a\R$"#, false),
    ("(*UTF)a", false), ("a(*SKIP)b", false),
  ]) func lineSafetyIsDetected(pattern: String, expected: Bool) {
    #expect(PatternAnalysis(pattern).isLineSafe == expected)
  }

  @Test(arguments: [
    (#"a\nb"#, true), ("a\nb", true), (#"a\x0ab"#, true), (#"\Q\n\E"#, false), ("\\Q\n\\E", true), ("(?#\n)foo", false),
    (#"[a[:alpha:]\n]"#, false), ("[^\n]", false), (#"a\\n"#, false), ("(?x)a\nb", false), (#"a(?!\n)b"#, false),
    (#"(?<=\n)b"#, true), (#"[]\n]"#, false),
  ]) func literalNewlinesAreDetected(pattern: String, expected: Bool) {
    #expect(PatternAnalysis(pattern).requiresNewline == expected)
  }

  @Test(arguments: [
    ("foo", ""), (#"\Qfoo"#, #"\E"#), (#"\Qfoo\E"#, ""), ("(?x)foo # c", "\n"), ("(?x:a # )\n)", ""), (#"\Q"#, #"\E"#),
    (#"(?x)a \Qb"#, "\\E\n"), ("(?-x)a", ""), ("a(*SKIP)", nil),
  ]) func openQuotationsAndCommentsAreDetected(pattern: String, expected: String?) {
    #expect(PatternAnalysis(pattern).terminator == expected)
  }

  @Test(arguments: [
    ("[^a]b", #"[^\na]b"#), ("[^]a]", #"[^\n\]a]"#), ("[^]-a]", #"[^\n\]-a]"#), ("[[^]", "[[^]"),
    (#"\[^a]"#, #"\[^a]"#),
    (#"é[^\W][^-a]"#, #"é[^\n\W][^\n\-a]"#), ("[^--a]", #"[^\n\--a]"#), (#"[^-\d]"#, #"[^\n\-\d]"#),
    (#"\Q[^a]\E"#, #"\Q[^a]\E"#),
    ("a.b", "a.b"), ("(?s)a.*b", #"(?s)a[^\n]*b"#), ("(?s:.)+.", #"(?s:[^\n])+."#), (#"\.\Q.\E"#, #"\.\Q.\E"#),
    (#"\s+x\S"#, #"[^\S\n]+x\S"#), (#"\W\D\H\v{2}"#, #"[^\w\n][^\d\n][^\h\n][^\V\n]{2}"#),
    (#"[\s,]*"#, #"(?:(?!\n)[\s,])*"#), ("[a-f]", "[a-f]"), (#"[\t-\r]?"#, #"(?:(?!\n)[\t-\r])?"#),
    (#"\p{Lu}\P{Lu}\p{Cc}+"#, #"\p{Lu}(?:(?!\n)\P{Lu})(?:(?!\n)\p{Cc})+"#), (#"a\cJ"#, #"a(?:(?!\n)\cJ)"#),
  ]) func patternsCanExcludeNewlines(pattern: String, expected: String) throws {
    let analysis = PatternAnalysis(pattern)
    #expect(analysis.withoutNewlines == expected)
    _ = try Pattern(expected)
  }

  @Test(arguments: [
    "[^-a]", "[^--a]", "[^-]", "[^-a-c]", #"[^-\d]"#, "[^]]", "[^]-a]", "[^]-]", "[^a-]", "[^^-a]",
    "[^a]", "[^[:alpha:]-]",
  ]) func excludingNewlinesKeepsOtherMatches(pattern: String) throws {
    let original = try PatternMatcher(Pattern(pattern))
    let edited = try PatternMatcher(Pattern(PatternAnalysis(pattern).withoutNewlines))
    func matches(_ matcher: PatternMatcher, _ byte: UInt8) throws -> Bool {
      try [byte].withUnsafeBytes { try matcher.matches($0) }
    }
    for byte in UInt8(0)..<0x80 where byte != 0x0A {
      #expect(try matches(edited, byte) == matches(original, byte), "byte \(byte)")
    }
    #expect(try !matches(edited, 0x0A))
  }

  @Test(arguments: [
    ("a(?=b)c", "a(?:)c"), ("(?<!a)b(?!(?=c)d)*", "(?:)b(?:)*"), (#"(?<=\w)[(?!a)]\(?=b"#, #"(?:)[(?!a)]\(?=b"#),
    ("a", nil),
    (#"(?=(a))\1"#, nil), ("(?(?=a)b|c)", nil),
  ]) func lookaroundsAreRemoved(pattern: String, expected: String?) {
    #expect(PatternAnalysis(pattern).withoutLookarounds == expected)
  }

  @Test(arguments: [
    ("foo", true, false), ("Foo", true, true), ("[[:upper:]]+", false, false), (#"\w\W\p{Lu}"#, false, false),
    (#"\x41"#, true, true), ("[A-z]", true, true), ("(?<Name>a)", true, false), (#"\Q+\E"#, true, false),
    (#"a(*MARK:X)"#, true, true),
  ]) func literalCharactersAreDetected(pattern: String, containsLiteral: Bool, containsUppercase: Bool) {
    let analysis = PatternAnalysis(pattern)
    #expect(analysis.containsLiteral == containsLiteral)
    #expect(analysis.containsUppercase == containsUppercase)
  }

  @Test func factsHoldForEveryMatch() throws {
    var matches = 0
    try RandomPatternCase.forEach(10_000..<14_000) { test in
      let analysis = test.pattern.analysis
      for text in test.texts {
        guard let match = test.match(in: text) else { continue }
        matches += 1
        #expect(analysis.canMatchNewline || !text[match].contains(0x0A), "\(test.label)")
        #expect(ByteSearch.first(analysis.requiredLiteral, in: text) != nil, "\(test.label)")
      }
    }
    #expect(matches > 4000)
  }

  /// Searching the whole text and matching each found line by itself finds exactly the lines that match by themselves.
  @Test func lineSafePatternsFindEveryLine() throws {
    var (lines, safe) = (0, 0)
    for seed in 20_000..<24_000 {
      var random = RandomPattern(SeededGenerator(seed: UInt64(seed)))
      let text = random.pattern()
      var options = random.options
      options.usesPrefilter = false
      guard PatternAnalysis(text, options: options).isLineSafe,
        let alone = try? PatternMatcher(Pattern(text, options: options))
      else { continue }
      options.isMultiline = true
      let everywhere = try PatternMatcher(Pattern(text, options: options))
      safe += 1
      for _ in 0..<5 {
        let subject = Array((random.text() + "\n" + random.text()).utf8)
        let starts = [0] + subject.indices.filter { subject[$0] == 0x0A }.map { $0 + 1 }
        try? subject.withUnsafeBytes { subject in
          let line = { (start: Int) in
            UnsafeRawBufferPointer(rebasing: subject[start..<(subject[start...].firstIndex(of: 0x0A) ?? subject.count)])
          }
          let expected = try starts.filter { try alone.matches(line($0)) }
          var found: [Int] = []
          var offset = 0
          while offset <= subject.count, let match = try everywhere.firstMatch(in: subject, from: offset) {
            guard let start = starts.last(where: { $0 <= match.lowerBound }) else { break }
            if try alone.matches(line(start)) { found.append(start) }
            offset = start + line(start).count + 1
          }
          lines += expected.count
          #expect(
            found.filter { $0 < subject.count } == expected.filter { $0 < subject.count },
            "seed \(seed): \(text.debugDescription)")
        }
      }
    }
    #expect(safe > 1000)
    #expect(lines > 3000)
  }

  /// PCRE2 defines which characters match in another case, so all code points are tried.
  @Test func caseVariantsAgreeWithPCRE2() throws {
    var options = PatternOptions()
    options.ignoresCase = true
    let all = String(String.UnicodeScalarView((0...0x10FFFF).compactMap(Unicode.Scalar.init)))
    let bytes = Array(all.utf8)
    let asked: [Unicode.Scalar] = [
      "a", "i", "k", "s", "z", "é", "ß", "ÿ", "σ", "µ", "Å", "İ", "ı", "ǆ", "ა", "Ⅳ", "ⓐ", "\u{345}", "語", "\u{10400}",
    ]
    for scalar in asked {
      var literal = options
      literal.isLiteral = true
      let matcher = try PatternMatcher(Pattern(String(scalar), options: literal))
      var expected: Set<String> = []
      try bytes.withUnsafeBytes { text in
        try matcher.forEachMatch(in: text) { match in
          expected.insert(String(decoding: text[match], as: UTF8.self))
          return true
        }
      }
      for variant in expected {
        let query = TrigramQuery(literal: "语" + String(scalar) + "语", ignoresCase: true)
        let held = Array("语\(variant)语".utf8)
        let trigrams = Set((2..<held.count).map { Trigram(held[$0 - 2], held[$0 - 1], held[$0]) })
        #expect(query.isSatisfied(by: trigrams.contains), "\(scalar) matches \(variant)")
      }
      #expect(!expected.isEmpty)
    }
  }

  /// The candidates for case variants: no character with a case may be missing, whatever its code point.
  @Test func everyCharacterWithCaseIsACandidate() throws {
    let candidate = try PatternMatcher(Pattern(#"[\p{L&}\p{Nl}\p{So}\p{Mn}]"#))
    // A newer Unicode version may have letters that PCRE2 does not know; PCRE2 gives them no case.
    let unassigned = try PatternMatcher(Pattern(#"\p{Cn}"#))
    var count = 0
    for scalar in (0...0x10FFFF).compactMap(Unicode.Scalar.init) where scalar.properties.changesWhenCaseMapped {
      count += 1
      let isKnown = try Array(String(scalar).utf8).withUnsafeBytes {
        try candidate.matches($0) || unassigned.matches($0)
      }
      #expect(isKnown && scalar.value < 0x20000, "\(scalar)")
    }
    #expect(count > 2700)
  }

  /// The ASCII letters with non-ASCII case variants: `k` and `s`, no others.
  @Test func asciiLettersHaveKnownCaseVariants() throws {
    let all = Array(String(String.UnicodeScalarView((0x80...0x10FFFF).compactMap(Unicode.Scalar.init))).utf8)
    let matcher = try PatternMatcher(Pattern("[\\x00-\\x7f]", options: PatternOptions(flags: "i")))
    var found: [String] = []
    try all.withUnsafeBytes { text in
      try matcher.forEachMatch(in: text) { match in
        found.append(String(decoding: text[match], as: UTF8.self))
        return true
      }
    }
    #expect(found == ["\u{17F}", "\u{212A}"])
  }

  /// PCRE2 reads bounds of any length, so they are not literal text.
  @Test func longBoundsAreNotText() throws {
    let pattern = "a{" + String(repeating: "0", count: 40) + "2}"
    let matcher = try PatternMatcher(Pattern(pattern))
    #expect(try Array("xaax".utf8).withUnsafeBytes { try matcher.firstMatch(in: $0) } == 1..<3)
    #expect(PatternAnalysis(pattern).requiredLiteral.isEmpty)
    #expect(PatternAnalysis(pattern).trigrams == .all)
    let text = "a{" + String(repeating: "0", count: 31) + "x}"
    #expect(PatternAnalysis(text).requiredLiteral == Array(text.utf8))
  }

  /// A thread may have a stack of only 512 KiB.
  @Test func deepPatternsNeedLittleStack() {
    let pattern = String(repeating: "(?:a|b(?=", count: 5000) + String(repeating: ")c)*", count: 5000)
    let shallow = String(repeating: "(?:a|", count: 28) + "xyz" + String(repeating: ")", count: 28)
    nonisolated(unsafe) var isUnderstood: [Bool] = []
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      isUnderstood = [PatternAnalysis(pattern).isLineSafe, PatternAnalysis(shallow).isLineSafe]
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    #expect(isUnderstood == [false, true])
  }
}
