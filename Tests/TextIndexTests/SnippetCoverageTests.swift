import TextAnalysis
import Testing

@testable import TextIndex

@Suite struct SnippetCoverageTests {
  private let filler = String(repeating: "lorem ipsum dolor sit amet ", count: 10)

  @Test func snippetShowsRarerWord() throws {
    let index = try TestIndex(["text"])
    for row in 1...20 as ClosedRange<Int64> { try index.insert(row, #"{"text":"common words"}"#) }
    try index.insert(21, #"{"text":"rare words"}"#)
    let text = "common \(filler) rare \(filler)"
    let snippets = try index.highlight("common OR rare", "{\"text\":\"\(text)\"}", length: 40).snippets
    #expect(snippets.map { $0.text.contains("rare") } == [true])
    // If the other word is the rare one, the other word is shown.
    try index.insert(22, #"{"text":"rare"}"#)
    let other = try TestIndex(["text"])
    for row in 1...20 as ClosedRange<Int64> { try other.insert(row, #"{"text":"rare words"}"#) }
    try other.insert(21, #"{"text":"common"}"#)
    let swapped = try other.highlight("common OR rare", "{\"text\":\"\(text)\"}", length: 40).snippets
    #expect(swapped.map { $0.text.contains("common") } == [true])
  }

  @Test func snippetsOfExtremeLengthsAreCut() throws {
    let index = try TestIndex(["text"])
    let json = #"{"text":"one two three four"}"#
    #expect(try index.highlight("two", json, length: .max).snippets.map(\.text) == ["one two three four"])
    #expect(try index.highlight("three", json, snippets: 2, length: .min).snippets.map(\.text) == ["three"])
  }

  @Test func repeatedCommonWordDoesNotOutweighRareWord() throws {
    let index = try TestIndex(["text"])
    for row in 1...50 as ClosedRange<Int64> { try index.insert(row, #"{"text":"common"}"#) }
    try index.insert(51, #"{"text":"rare"}"#)
    let text = "common common common \(filler) rare \(filler)"
    let snippets = try index.highlight("common OR rare", "{\"text\":\"\(text)\"}", length: 40).snippets
    #expect(snippets.map { $0.text.contains("rare") } == [true])
  }

  @Test func snippetsTogetherCoverAllWords() throws {
    let index = try TestIndex(["text"])
    let text = "alpha beta \(filler) alpha beta alpha \(filler) gamma \(filler) alpha \(filler) delta"
    let snippets = try index.highlight(
      "alpha OR beta OR gamma OR delta", "{\"text\":\"\(text)\"}", snippets: 3, length: 40
    ).snippets
    let all = snippets.map(\.text).joined(separator: " | ")
    #expect(snippets.count == 3)
    for word in ["alpha", "beta", "gamma", "delta"] { #expect(all.contains(word)) }
  }

  @Test func snippetsDoNotRepeatText() throws {
    let index = try TestIndex(["text"])
    let words = (0..<60).map { $0 % 6 == 0 ? "alpha\($0 / 6)" : "w\($0)" }
    let query = (0..<10).map { "alpha\($0)" }.joined(separator: " OR ")
    let text = words.joined(separator: " ")
    let snippets = try index.highlight(query, "{\"text\":\"\(text)\"}", snippets: 4, length: 50).snippets
    let shown = snippets.flatMap { $0.text.split(separator: " ") }
    #expect(snippets.count == 4)
    #expect(Set(shown).count == shown.count)
    let indexes = shown.compactMap { words.firstIndex(of: String($0)) }
    #expect(indexes.count == shown.count && indexes == indexes.sorted())
  }

  /// Creates and compares all windows, as the rule is defined.
  @Test(arguments: [1, 2, 3] as [UInt64]) func chosenWindowIsBest(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let texts = (0..<Int.random(in: 1...3, using: &random)).map { number in
        var marks: [HighlightedText.Mark] = []
        var offset = 0
        for _ in 0..<Int.random(in: 0...25, using: &random) {
          let start = offset + Int.random(in: 0...12, using: &random)
          offset = start + Int.random(in: 1...5, using: &random)
          marks.append(.init(phrase: Int.random(in: 0..<6, using: &random), range: start..<offset))
        }
        return HighlightedText(
          path: "\(number)", bytes: Array(repeating: 0x61, count: offset + Int.random(in: 0...9, using: &random)),
          weight: Double(Int.random(in: 1...2, using: &random)), marks: marks)
      }
      let idfs = (0..<6).map { _ in Double.random(in: 0.5...3, using: &random) }
      let length = Int.random(in: 1...40, using: &random)
      var windows = SnippetWindows(texts, length: length, idfs: SnippetWindows.integers(idfs))
      var shown: [Int: [Range<Int>]] = [:]
      var seen = Set<Int>()
      for _ in 0..<5 {
        let expected = Self.best(texts, length, idfs, shown, seen)
        let found = windows.takeBest(excluding: shown)
        #expect(found.map { "\($0.text) \($0.marks)" } == expected.map { "\($0.text) \($0.marks)" })
        guard let expected else { break }
        let marks = texts[expected.text].marks[expected.marks]
        seen.formUnion(marks.map(\.phrase))
        let (first, last) = (try #require(marks.first), try #require(marks.last))
        shown[expected.text, default: []].append(first.range.lowerBound..<last.range.upperBound + 2)
        shown[expected.text]?.sort { $0.lowerBound < $1.lowerBound }
      }
    }
  }

  private static func best(
    _ texts: [HighlightedText], _ length: Int, _ idfs: [Double], _ shown: [Int: [Range<Int>]], _ seen: Set<Int>
  ) -> (text: Int, marks: Range<Int>)? {
    var best: (rank: [Double], text: Int, marks: Range<Int>)?
    for (number, text) in texts.enumerated() {
      for (first, mark) in text.marks.enumerated() {
        let ranges = shown[number] ?? []
        if ranges.contains(where: { $0.overlaps(mark.range) }) { continue }
        let limit = ranges.map(\.lowerBound).filter { $0 >= mark.range.upperBound }.min() ?? .max
        let end = min(limit, max(mark.range.lowerBound + length, mark.range.upperBound))
        let inside = text.marks[first...].prefix { $0.range.upperBound <= end }
        let phrases = Set(inside.map(\.phrase))
        func weight(_ phrases: Set<Int>) -> Double {
          phrases.reduce(0) { $0 + (idfs[$1] * Double(1 << 32)).rounded(.down) }
        }
        let rank = [
          weight(phrases.subtracting(seen)), weight(phrases), text.weight, Double(inside.count),
          Double(text.bytes.count),
        ]
        if best.map({ $0.rank.lexicographicallyPrecedes(rank) }) ?? true {
          best = (rank, number, first..<inside.endIndex)
        }
      }
    }
    return best.map { ($0.text, $0.marks) }
  }

  @Test func numberOfSnippetsIsLimitedTo100() throws {
    let index = try TestIndex(["text"])
    let text = String(repeating: "needle and much hay ", count: 150)
    let snippets = try index.highlight("needle", "{\"text\":\"\(text)\"}", snippets: .max, length: 7).snippets
    #expect(snippets.count == 100)
  }

  @Test func phrasesInDifferentFieldsAreDistinct() throws {
    let index = try TestIndex(["title", "text"])
    let json = "{\"title\":\"alpha\",\"text\":\"beta \(filler) gamma beta\"}"
    let snippets = try index.highlight("title: alpha OR text: beta OR text: gamma", json, snippets: 2, length: 40)
      .snippets
    #expect(snippets.map(\.path) == ["title", "text"])
    #expect(snippets.last?.text.contains("gamma beta") == true)
  }

  @Test func defaultIDFsAreEqual() throws {
    let idfs = PhraseIDFs()
    #expect(idfs[CompiledPhrase(positions: [["a"]])] == idfs[CompiledPhrase(positions: [["b"], ["c"]])])
  }
}
