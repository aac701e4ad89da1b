import Foundation
import Testing

@testable import TextIndex

/// Compares the automaton and the traversal of the vocabulary with the definition of the distance.
@Suite struct TypoTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func neighborsAgreeWithDistance(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let alphabet: [Unicode.Scalar] = seed == 1 ? ["a", "b"] : ["a", "b", "c", "é", "語", "😀"]
    func word() -> [Unicode.Scalar] {
      (0..<Int.random(in: 1...8, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a" }
    }
    let words = Set((0..<400).map { _ in word().text }).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let list = TermList(words)
    for edits in 0...2 {
      for _ in 0..<60 {
        let target = word()
        let automaton = try #require(LevenshteinAutomaton(target, edits: edits))
        let found = list.neighbors(automaton).map { "\(list.text($0.number)) \($0.edits)" }
        let expected = words.compactMap { other in
          let distance = alignmentDistance(target, Array(other.unicodeScalars))
          return distance <= edits ? "\(other) \(distance)" : nil
        }
        #expect(found == expected, "\(target.text), \(edits) edits")
      }
    }
  }

  @Test func termsWithLongCommonPrefixAreSkipped() throws {
    // No match can begin with the prefix that these terms share, and one step does not compare all of them.
    let words = (0..<1000).map { "commonbeginning" + String($0 + 10_000) } + ["harbinger", "harbour"]
    let list = TermList(words.sorted())
    let automaton = try #require(LevenshteinAutomaton(Array("harbuor".unicodeScalars), edits: 1))
    #expect(list.neighbors(automaton).map { list.text($0.number) } == ["harbour"])
  }

  @Test func overlongWordsHaveNoAutomaton() {
    let letters = [Unicode.Scalar](repeating: "a", count: LevenshteinAutomaton.maximumLength)
    #expect(LevenshteinAutomaton(letters, edits: 2) != nil)
    #expect(LevenshteinAutomaton(letters + ["a"], edits: 2) == nil)
    #expect(LevenshteinAutomaton([], edits: 2) == nil)
  }

  @Test(arguments: [
    // Transposed and doubled letters are more likely than other errors, a wrong first letter is less likely.
    ("recieve", "receive", "recitve"), ("acomodate", "accomodate", "alcomodate"), ("wimg", "wing", "limg"),
    ("harbour", "harbour", "harbor"),
  ])
  func likelierErrorsCostLess(typed: String, likely: String, unlikely: String) {
    func cost(_ word: String) -> Double {
      SpellingErrorModel.cost(Array(word.unicodeScalars), typed: Array(typed.unicodeScalars))
    }
    #expect(cost(likely) < cost(unlikely))
  }

  @Test func commonWordsArePreferredOnlyAmongEqualErrors() {
    func score(_ word: String, _ frequency: UInt32) -> Double {
      SpellingErrorModel.score(Array(word.unicodeScalars), typed: Array("barier".unicodeScalars), frequency: frequency)
    }
    #expect(score("barrier", 20) > score("barker", 10))
    #expect(score("barrier", 1) > score("carrier", 100))
  }
}

/// Returns the optimal string alignment distance, calculated from its definition.
func alignmentDistance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
  var rows = [Array(0...other.count)]
  for (i, letter) in one.enumerated() {
    var row = [i + 1]
    for (j, opposite) in other.enumerated() {
      var best = min(rows[i][j] + (letter == opposite ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, letter == other[j - 1], one[i - 1] == opposite { best = min(best, rows[i - 1][j - 1] + 1) }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[one.count][other.count]
}

extension [Unicode.Scalar] {
  var text: String { String(String.UnicodeScalarView(self)) }
}

extension TermList {
  /// Creates a list from words in byte order.
  init(_ words: [String], frequency: UInt32 = 1) {
    self.init()
    for word in words { Array(word.utf8).withUnsafeBufferPointer { append($0, frequency: frequency) } }
  }
}

extension TermList {
  /// Returns the terms that an automaton accepts, in order: the traversal of `matches(_:)` without its conditions.
  func neighbors(_ automaton: LevenshteinAutomaton) -> [FuzzyMatch] {
    var found: [FuzzyMatch] = []
    walk(automaton) { state, _, _ in
      state.isDead
    } accept: { number, _, isWhole, edits in
      if isWhole { found.append(FuzzyMatch(number: number, edits: edits)) }
      return false
    }
    return found
  }
}
