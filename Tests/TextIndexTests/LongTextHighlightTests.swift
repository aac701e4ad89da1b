import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

/// Matches and snippets of long texts, which are found piece by piece.
@Suite struct LongTextHighlightTests {
  /// The occurrences do not depend on the number of terms that are kept.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func occurrencesDoNotDependOnTheNumberOfKeptTerms(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tokenizer = try GroupTokenizers(TestIndex(["text"]).index)[0]
    let buffer = TokenBuffer()
    for _ in 0..<100 {
      let groups = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.group(&random) }
      let (finder, filter) = (PhraseFinder(groups), TermFilter(groups))
      var terms = PositionedTerms(filter)
      var streams = [1, 3, 10].map { PhraseStream(finder, filter, termCount: $0) }
      var found: [[PhraseFinder.Occurrence]] = [[], [], []]
      for text in 0..<Int.random(in: 1...3, using: &random) {
        var offset = 0
        for _ in 0..<Int.random(in: 0...20, using: &random) {
          let words = (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.word(&random) + " " }
          let piece = words.joined()
          buffer.removeAll()
          Array(piece.utf8).withUnsafeBytes { tokenizer.tokenize($0, into: buffer) }
          terms.append(buffer, text: text, offset: offset)
          for number in streams.indices {
            streams[number].append(buffer, text: text, offset: offset) { found[number].append($0) }
          }
          offset += piece.utf8.count
        }
      }
      let expected = finder.occurrences(in: terms)
      for number in streams.indices {
        streams[number].finish { found[number].append($0) }
        #expect(found[number] == expected, "\(groups)")
      }
    }
  }

  private static func group(_ random: inout SeededGenerator) -> PhraseGroup {
    let phrases = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      CompiledPhrase(
        positions: (0..<([1, 1, 2].randomElement(using: &random) ?? 1)).map { _ in [word(&random)] },
        isPrefix: Bool.random(using: &random), isInitial: Int.random(in: 0..<8, using: &random) == 0)
    }
    return PhraseGroup(phrases: phrases, distance: Int.random(in: 0...5, using: &random))
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    ["a", "ab", "b", "c", "d", "e"].randomElement(using: &random) ?? ""
  }

  @Test(arguments: [AnalyzerConfiguration(), AnalyzerConfiguration(language: "en"), AnalyzerConfiguration(code: true)])
  func piecesHaveTheTermsOfTheWholeText(configuration: AnalyzerConfiguration) throws {
    let tokenizer = try GroupTokenizers(TestIndex(["text"], configuration).index)[0]
    let (whole, part) = (TokenBuffer(), TokenBuffer())
    var random = SeededGenerator(seed: 7)
    let words = [
      "boats", "can't", "3.14", "fooBar_baz", "élan", "e\u{301}lan", "灯台の光", "海岸", "ภาษาไทย", "ไทย", "👩‍🚀", "x", "",
      String(repeating: "plain words ", count: 30), "\r\n", "\n", "\n", "\u{301}",
    ]
    var pieceCount = 0
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0...60, using: &random))
        .map { _ in (words.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "") }.joined()
      whole.removeAll()
      Array(text.utf8).withUnsafeBytes { bytes in
        tokenizer.tokenize(bytes, into: whole)
        var tokens: [[Int]] = []
        var end = 0
        TextPieces.forEach(in: bytes, size: 40) { piece in
          #expect(piece.lowerBound == end)
          end = piece.upperBound
          pieceCount += 1
          part.removeAll()
          tokenizer.tokenize(UnsafeRawBufferPointer(rebasing: bytes[piece]), into: part)
          tokens += part.tokens.map { [piece.lowerBound + Int($0.start), piece.lowerBound + Int($0.end)] }
        }
        #expect(end == bytes.count)
        #expect(tokens == whole.tokens.map { [Int($0.start), Int($0.end)] }, "\(text)")
      }
    }
    #expect(pieceCount > 1000)
  }

  /// Returns a text with matches of the phrases, each one byte long, at every second byte.
  private static func candidates(
    _ phrases: [Int], length: Int, windowLimit: Int, matchLimit: Int
  ) -> [MatchCollector.Match] {
    var candidates = SnippetCandidates(
      length: length, idfs: SnippetWindows.integers([1, 2, 4]), windowLimit: windowLimit, matchLimit: matchLimit)
    for (number, phrase) in phrases.enumerated() {
      candidates.add(.init(text: 0, mark: .init(phrase: phrase, range: 2 * number..<2 * number + 1)))
    }
    var kept: [MatchCollector.Match] = []
    candidates.endColumn { kept = $0 }
    return kept
  }

  @Test func fewMatchesAreAllCandidates() {
    let phrases = (0..<500).map { $0 * 7 % 3 }
    let kept = Self.candidates(phrases, length: 20, windowLimit: 500, matchLimit: 1000)
    #expect(kept.map(\.mark.phrase) == phrases && kept.map(\.mark.range.lowerBound) == phrases.indices.map { 2 * $0 })
  }

  @Test func windowWithRarePhrasesIsACandidateAnywhere() {
    var phrases = [Int](repeating: 0, count: 100_000)
    phrases[70_000] = 1
    phrases[90_000] = 1
    phrases[90_003] = 2
    let kept = Self.candidates(phrases, length: 20, windowLimit: 50, matchLimit: 100)
    #expect(kept.count < 300, "\(kept.count)")
    let starts = Set(kept.map(\.mark.range.lowerBound))
    // The windows around the rare phrases, with the matches that a snippet shows before and after them.
    for number in 89_994...90_009 { #expect(starts.contains(2 * number)) }
    #expect(starts.contains(140_000))
    #expect(kept.map(\.mark.range.lowerBound) == starts.sorted())
  }

  /// After the limit, only windows that are better than all before are kept: the third, but not the fourth.
  @Test func onlyBetterWindowsAreAddedToManyMatches() {
    var phrases = [Int](repeating: 0, count: 4000)
    for (number, phrase) in [(1000, 1), (2000, 2), (3000, 1)] { phrases[number] = phrase }
    let kept = Self.candidates(phrases, length: 2, windowLimit: 100, matchLimit: 50)
    #expect(kept.filter { $0.mark.phrase > 0 }.map(\.mark.range.lowerBound) == [2000, 4000])
  }

  /// The rare word is after more matches of the common one than are kept.
  @Test func snippetOfALongTextShowsARareWord() throws {
    let index = try TestIndex(["text"])
    for row in 1...20 as ClosedRange<Int64> { try index.insert(row, #"{"text":"common words"}"#) }
    try index.insert(21, #"{"text":"rare"}"#)
    let head = String(repeating: "common ", count: 120_000)
    let text = head + "rare common " + String(repeating: "common ", count: 1000)
    let found = try index.highlight("common OR rare", "{\"text\":\"\(text)\"}", length: 60)
    #expect(found.matches.count == MatchCollector.maximumCount)
    #expect(found.matches.last?.range == 69_993..<69_999)
    let snippet = try #require(found.snippets.first)
    #expect(snippet.text.contains("rare") && snippet.continuesBefore && snippet.continuesAfter)
    // Every word of the snippet is a match.
    #expect(snippet.matches.count == snippet.text.split(separator: " ").count, "\(snippet.text)")
  }
}
