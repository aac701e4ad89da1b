import PatternMatching
import TestSupport
import Testing

@testable import LineSearch

/// Compares line search with ``LineOracle`` on random patterns and texts.
struct LineDifferentialTests {
  private static let atoms = [
    "a", "b", "ab", "é", "1", "_", " ", ".", "\\s", "\\S", "\\w", "\\W", "\\d", "\\D", "[ab]", "[^a]", "[^\\s]",
    "[^\\S]",
    "[\\w-]", "[[:alpha:]]", "[^[:space:]]", "\\h", "\\r", "\\b", "\\B", "^", "$", "\\A", "\\z", "\\Z", "(?=b)",
    "(?!a)",
    "(?<=a)", "(?<!b)", "\\R", "\\x0a", "[\\t-\\r]", "\\p{L}", "\\N", "\\K", "\\x{e9}", "(a|b )\\1", "(?:ab|b)",
    "(?s:.)", "\\v", "\\H", "\\P{L}", "\\p{Cc}", "[\\s,]", "\\cJ",
    "(?>a*)", "(?i)A", "(?-m)^", "x",
  ]
  private static let quantifiers = ["", "", "", "", "*", "+", "?", "{2}", "*?", "+?", "++", "*+", "{0,2}"]
  private static let letters = ["a", "b", "B", "é", "1", "_", " ", "\n", "\n", "\r", "-", "\t", "ab", "\u{2028}"]

  @Test(arguments: 0..<8) func linesAgreeWithOracle(block: Int) throws {
    var random = SeededGenerator(seed: UInt64(block) &+ 77)
    var strategies: [LinePattern.Strategy: Int] = [:]
    var (cases, filterCount) = (0, 0)
    while cases < 250 {
      let query = query(&random)
      guard query.patternRequiringLineBreak == nil, let oracle = try? LineOracle(query) else { continue }
      let compiled = try LinePattern(query)
      strategies[compiled.strategy, default: 0] += 1
      if compiled.filter != nil { filterCount += 1 }
      cases += 1
      for _ in 0..<4 {
        let text = text(&random)
        let scanner = try LineScanner(query)
        var lines: [LineOracle.Line] = []
        try text.withUnsafeBytes { bytes in
          let prepared = scanner.prepare(bytes)
          try scanner.forEachLine(of: prepared) { line in
            lines.append(
              LineOracle.Line(
                isMatch: line.kind == .match, range: line.range, number: line.number ?? 0, followsGap: line.followsGap))
            let submatches = try scanner.matches(in: line, of: scanner.prepareForMatches(bytes))
            #expect(try submatches == oracle.submatches(text, line.range), "\(query.patterns) \(text)")
            return true
          }
        }
        let expected = try oracle.lines(of: text)
        #expect(lines == expected, "\(query) in \(String(decoding: text, as: UTF8.self).debugDescription)")
        guard lines == expected else { return }
      }
    }
    // Every strategy was used.
    for strategy in [LinePattern.Strategy.wholeText, .lineByLine] {
      #expect(strategies[strategy, default: 0] > 5, "\(strategy)")
    }
    #expect(filterCount > 5)
  }

  @Test(arguments: 0..<4) func multilineMatchesAgreeWithOracle(block: Int) throws {
    var random = SeededGenerator(seed: UInt64(block) &+ 7070)
    var acrossCount = 0
    for _ in 0..<1000 {
      var query = LineQuery(pattern(&random))
      query.isMultiline = true
      query.dotMatchesNewlines = Bool.random(using: &random)
      guard !query.patterns[0].contains("\\K"), let oracle = try? LineOracle(query) else { continue }
      if try LinePattern(query).strategy == .acrossLines { acrossCount += 1 }
      let text = text(&random)
      let scanner = try LineScanner(query)
      var numbers: Set<Int> = []
      try text.withUnsafeBytes { bytes in
        try scanner.forEachLine(of: scanner.prepare(bytes)) { line in
          let number = try #require(line.number)
          numbers.formUnion(
            number..<(number + text[line.range].split(separator: 0x0A, omittingEmptySubsequences: false).count))
          if text[line.range].last == 0x0A {
            numbers.remove(number + text[line.range].split(separator: 0x0A, omittingEmptySubsequences: false).count - 1)
          }
          return true
        }
      }
      #expect(
        try numbers == oracle.linesAcross(text),
        "\(query.patterns[0]) in \(String(decoding: text, as: UTF8.self).debugDescription)")
    }
    #expect(acrossCount > 200)
  }

  private func query(_ random: inout SeededGenerator) -> LineQuery {
    var query = LineQuery()
    query.patterns = (0..<Int.random(in: 3..<7, using: &random) / 3).map { _ in pattern(&random) }
    if Int.random(in: 0..<6, using: &random) == 0 { query.letterCase = .insensitive }
    if Int.random(in: 0..<6, using: &random) == 0 { query.matchesWords = true }
    if Int.random(in: 0..<8, using: &random) == 0 { query.matchesWholeLines = true }
    if Int.random(in: 0..<5, using: &random) == 0 { query.isInverted = true }
    if Int.random(in: 0..<3, using: &random) == 0 {
      query.linesBefore = Int.random(in: 0..<3, using: &random)
      query.linesAfter = Int.random(in: 0..<3, using: &random)
    }
    if Int.random(in: 0..<4, using: &random) == 0 { query.maximumCount = Int.random(in: 1..<4, using: &random) }
    return query
  }

  private func pattern(_ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 1..<5, using: &random) {
      text += LineDifferentialTests.atoms.randomElement(using: &random) ?? ""
      text += LineDifferentialTests.quantifiers.randomElement(using: &random) ?? ""
    }
    if Int.random(in: 0..<5, using: &random) == 0 {
      text = "(\(text))" + (LineDifferentialTests.quantifiers.randomElement(using: &random) ?? "")
    }
    return text
  }

  private func text(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0..<30, using: &random)).flatMap { _ in
      Array((LineDifferentialTests.letters.randomElement(using: &random) ?? "").utf8)
    }
  }
}
