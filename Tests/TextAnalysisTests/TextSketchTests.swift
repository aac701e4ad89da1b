import TextAnalysis
import Testing

/// Hashes and similarities of texts, compared with exact sets of word pairs.
@Suite struct TextSketchTests {
  private static func pairs(_ words: [String]) -> Set<String> {
    Set(zip(words, words.dropFirst()).map { "\($0) \($1)" })
  }

  private static func similarity(_ a: [String], _ b: [String]) -> Double {
    let (a, b) = (pairs(a), pairs(b))
    return Double(a.intersection(b).count) / Double(a.union(b).count)
  }

  @Test func caseAndPunctuationAreIgnored() {
    let a = TextSketch(of: ["The ships leave at dawn."])
    let b = TextSketch(of: ["the ships LEAVE,\n at (dawn)"])
    #expect(a.hash == b.hash && a.wordCount == 5 && a.similarity(to: b) == 1)
    #expect(a.hash != TextSketch(of: ["the ships leave dawn at"]).hash)
    #expect(TextSketch(of: ["ab c"]).hash != TextSketch(of: ["a bc"]).hash)
  }

  @Test func shortTextsHaveTheirExactSimilarity() {
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    for count in 2...10 {
      let part = Array(words.prefix(count))
      let estimate = TextSketch(of: [words.joined(separator: " ")]).similarity(
        to: TextSketch(of: [part.joined(separator: " ")]))
      #expect(estimate == Self.similarity(words, part))
    }
  }

  @Test func longTextsHaveAnEstimate() {
    let words = (0..<5000).map { "w\($0)" }
    for changed in [0, 50, 500, 2500] {
      var other = words
      for index in 0..<changed { other[index] = "x\(index)" }
      let estimate = TextSketch(of: [words.joined(separator: " ")]).similarity(
        to: TextSketch(of: [other.joined(separator: " ")]))
      // Five standard errors.
      #expect(abs(estimate - Self.similarity(words, other)) < 0.22)
    }
  }

  @Test func charactersWithoutSpacesAreWords() {
    #expect(TextSketch(of: ["灯台守は船"]).wordCount == 5)
    #expect(TextSketch(of: ["маяк корабль"]).wordCount == 2)
    #expect(TextSketch(of: [""]).similarity(to: TextSketch(of: ["..."])) == 1)
    #expect(TextSketch(of: ["one"]).similarity(to: TextSketch(of: ["two"])) == 0)
  }

  @Test func groupsContainTextsThatAreNearlyTheSame() {
    let base = (0..<40).map { "word\($0)" }
    var near = base
    near[7] = "other"
    var far = base
    for index in 0..<20 { far[index] = "far\(index)" }
    var groups = SketchGroups()
    for words in [base, far, near, base] { groups.add(TextSketch(of: [words.joined(separator: " ")])) }
    #expect(groups.members == [[0, 2, 3], [1]])
  }

  /// Texts of all lengths with common beginnings, compared with each group one by one.
  @Test func groupsAgreeWithExhaustiveComparison() {
    var random = SeededGenerator(state: 110)
    let boilerplate = (0..<30).map { "common\($0)" }
    var bases: [[String]] = []
    var groups = SketchGroups()
    var leaders: [TextSketch] = []
    for number in 0..<600 {
      var words: [String]
      if let base = bases.randomElement(using: &random), Bool.random(using: &random) {
        words = base
        for _ in 0..<Int.random(in: 0...max(1, words.count / 12), using: &random) where !words.isEmpty {
          words[Int.random(in: 0..<words.count, using: &random)] = "x\(Int.random(in: 0..<9, using: &random))"
        }
      } else {
        let own = (0..<Int.random(in: 0...60, using: &random)).map { "w\(number)x\($0)" }
        words = Array(boilerplate.prefix(Int.random(in: 0...30, using: &random))) + own
        bases.append(words)
      }
      let sketch = TextSketch(of: [words.joined(separator: " ")])
      let expected = leaders.firstIndex { leader in
        let isSame = leader.hash == sketch.hash && leader.wordCount == sketch.wordCount
        return isSame || leader.similarity(to: sketch) >= SketchGroups.threshold
      }
      if expected == nil { leaders.append(sketch) }
      let group = groups.add(sketch)
      #expect(group == (expected ?? leaders.count - 1), "\(words)")
    }
    #expect(leaders.count > 100 && groups.members.contains { $0.count > 1 })
  }
}
