import TextAnalysis
import Testing

@testable import TextIndex

@Suite struct SnippetCoverageTests {
  private let filler = String(repeating: "lorem ipsum dolor sit amet ", count: 10)

  @Test func theRarerWordIsShown() throws {
    let index = try TestIndex(["text"])
    for row in 1...20 as ClosedRange<Int64> { try index.insert(row, #"{"text":"common words"}"#) }
    try index.insert(21, #"{"text":"rare words"}"#)
    let text = "common \(filler) rare \(filler)"
    let snippets = try index.highlight("common OR rare", "{\"text\":\"\(text)\"}", length: 40).snippets
    #expect(snippets.map { $0.text.contains("rare") } == [true])
    // Where the other is the rare one, the other is shown.
    try index.insert(22, #"{"text":"rare"}"#)
    let other = try TestIndex(["text"])
    for row in 1...20 as ClosedRange<Int64> { try other.insert(row, #"{"text":"rare words"}"#) }
    try other.insert(21, #"{"text":"common"}"#)
    let swapped = try other.highlight("common OR rare", "{\"text\":\"\(text)\"}", length: 40).snippets
    #expect(swapped.map { $0.text.contains("common") } == [true])
  }

  @Test func severalCommonWordsDoNotOutweighARareOneByNumberOfMatches() throws {
    let index = try TestIndex(["text"])
    for row in 1...50 as ClosedRange<Int64> { try index.insert(row, #"{"text":"common"}"#) }
    try index.insert(51, #"{"text":"rare"}"#)
    let text = "common common common \(filler) rare \(filler)"
    let snippets = try index.highlight("common OR rare", "{\"text\":\"\(text)\"}", length: 40).snippets
    #expect(snippets.map { $0.text.contains("rare") } == [true])
  }

  @Test func togetherSnippetsCoverAsManyWordsAsTheyCan() throws {
    let index = try TestIndex(["text"])
    let text = "alpha beta \(filler) alpha beta alpha \(filler) gamma \(filler) alpha \(filler) delta"
    let snippets = try index.highlight(
      "alpha OR beta OR gamma OR delta", "{\"text\":\"\(text)\"}", snippets: 3, length: 40
    ).snippets
    let all = snippets.map(\.text).joined(separator: " | ")
    #expect(snippets.count == 3)
    for word in ["alpha", "beta", "gamma", "delta"] { #expect(all.contains(word)) }
  }

  @Test func whatIsShownOnceIsNotShownAgain() throws {
    let index = try TestIndex(["text"])
    let words = (0..<60).map { $0 % 6 == 0 ? "alpha\($0 / 6)" : "w\($0)" }
    let query = (0..<10).map { "alpha\($0)" }.joined(separator: " OR ")
    let text = words.joined(separator: " ")
    let snippets = try index.highlight(query, "{\"text\":\"\(text)\"}", snippets: 4, length: 50).snippets
    let shown = snippets.flatMap { $0.text.split(separator: " ") }
    #expect(snippets.count == 4)
    #expect(Set(shown).count == shown.count)
    let places = shown.compactMap { words.firstIndex(of: String($0)) }
    #expect(places.count == shown.count && places == places.sorted())
  }

  @Test func phrasesOfOtherFieldsAreOtherPhrases() throws {
    let index = try TestIndex(["title", "text"])
    let json = "{\"title\":\"alpha\",\"text\":\"beta \(filler) gamma beta\"}"
    let snippets = try index.highlight("title: alpha OR text: beta OR text: gamma", json, snippets: 2, length: 40)
      .snippets
    #expect(snippets.map(\.path) == ["title", "text"])
    #expect(snippets.last?.text.contains("gamma beta") == true)
  }

  @Test func withoutRarityEachWordCountsTheSame() throws {
    let rarities = PhraseRarities()
    #expect(rarities[CompiledPhrase(positions: [["a"]])] == rarities[CompiledPhrase(positions: [["b"], ["c"]])])
  }
}
