import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

/// Compares phrase occurrences with a search that tries every phrase at every position.
@Suite struct PhraseFinderTests {
  private typealias Occurrence = PhraseFinder.Occurrence

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func occurrencesAgreeWithExhaustiveSearch(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // Stems share the positions of their words, so a position has several terms.
    let index = try TestIndex(["text"], AnalyzerConfiguration(language: "en"))
    let tokenizer = GroupTokenizers(index.index)[0]
    let buffer = TokenBuffer()
    for _ in 0..<60 {
      let hasOnlyWords = Bool.random(using: &random)
      let groups = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        Self.group(&random, isWord: hasOnlyWords)
      }
      var words = WordStream(groups)
      #expect(!hasOnlyWords || groups.flatMap { $0.phrases[0].positions[0] }.count > 16 || words != nil)
      var foundWords: [WordStream.Occurrence] = []
      var terms = PositionedTerms(TermFilter(groups))
      var all: [Int: [PositionedTerms.Entry]] = [:]
      var position = -1
      for number in 0..<Int.random(in: 1...3, using: &random) {
        let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in Self.word(&random) }
        buffer.removeAll()
        text.joined(separator: " ").withUTF8Bytes { tokenizer.tokenize($0, into: buffer) }
        terms.append(buffer, text: number)
        words?.append(buffer, text: number, offset: 0, followsGap: false) { foundWords.append($0) }
        // There is an unused position between two texts.
        if position >= 0, !buffer.tokens.isEmpty { position += 1 }
        for token in buffer.tokens {
          if !token.isColocated { position += 1 }
          let textRange = PositionedTerms.TextRange(text: number, range: Int(token.start)..<Int(token.end))
          all[position, default: []].append(
            .init(position: position, term: Array(buffer.term(token)), textRange: textRange))
        }
      }
      let expected = Self.occurrences(of: groups, in: all)
      #expect(PhraseFinder(groups).occurrences(in: terms) == expected, "\(groups)")
      words?.finish { foundWords.append($0) }
      if words != nil {
        let expectedWords = expected.map { "\($0.phrase) \($0.textRange.text) \($0.textRange.range)" }
        #expect(foundWords.map { "\($0.phrase) \($0.text) \($0.range)" } == expectedWords, "\(groups)")
      }
    }
  }

  @Test func columnsAreHighlightedWithTheirOwnPhrases() throws {
    let index = try TestIndex(
      ["title", "text"], fieldAnalyzers: ["title": AnalyzerConfiguration(language: "en")])
    let json = #"{"title":"running boats","text":"running boats run"}"#
    for _ in 0..<2 {
      let found = try index.highlight("run OR text: boats", json).matches
      #expect(found.map { "\($0.path) \($0.range)" } == ["title 0..<7", "text 8..<13", "text 14..<17"])
    }
  }

  private static func occurrences(
    of groups: [PhraseGroup], in all: [Int: [PositionedTerms.Entry]]
  ) -> [Occurrence] {
    var found: [Occurrence] = []
    for (number, phrase) in groups.flatMap(\.phrases).enumerated() {
      for start in all.keys where !phrase.isInitial || start == 0 {
        let entries = phrase.positions.enumerated().compactMap { offset, forms in
          all[start + offset]?.first { entry in
            let term = String(decoding: entry.term, as: UTF8.self)
            let isPrefix = phrase.isPrefix && offset == phrase.positions.count - 1
            return forms.contains { isPrefix ? term.hasPrefix($0) : term == $0 }
          }
        }
        guard entries.count == phrase.positions.count, let first = entries.first?.textRange,
          let last = entries.last?.textRange
        else { continue }
        #expect(first.text == last.text)
        let textRange = PositionedTerms.TextRange(
          text: first.text, range: first.range.lowerBound..<last.range.upperBound)
        found.append(Occurrence(phrase: number, positions: start..<(start + entries.count), textRange: textRange))
      }
    }
    return found.sorted { ($0.positions.lowerBound, $0.phrase) < ($1.positions.lowerBound, $1.phrase) }
  }

  private static func group(_ random: inout SeededGenerator, isWord: Bool) -> PhraseGroup {
    let positions = (0..<(isWord ? 1 : [1, 1, 2, 3].randomElement(using: &random) ?? 1)).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.form(&random) }
    }
    let phrase = CompiledPhrase(
      positions: positions, isPrefix: Int.random(in: 0..<3, using: &random) == 0,
      isInitial: !isWord && Int.random(in: 0..<8, using: &random) == 0)
    return PhraseGroup(phrases: [phrase], distance: 0)
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    ["run", "running", "runs", "ran", "boat", "boats", "boating", "b", "bo", "élan"].randomElement(using: &random) ?? ""
  }

  private static func form(_ random: inout SeededGenerator) -> String {
    let word = word(&random)
    return Bool.random(using: &random) ? word : String(word.prefix(Int.random(in: 1...3, using: &random)))
  }
}

extension String {
  fileprivate func withUTF8Bytes(_ body: (UnsafeRawBufferPointer) -> Void) { Array(utf8).withUnsafeBytes(body) }
}
