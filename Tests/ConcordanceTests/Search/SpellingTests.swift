import Concordance
import Testing

/// Misspelt words are corrected, and other words are not changed.
@Suite struct SpellingTests {
  /// The minimum share of 500 misspelt words for which a search returns the hits of the correct word, in the same
  /// order.
  private static let requiredRate = 0.9

  @Test func misspeltWordsOfTheHandbook() throws { try check(.handbook) }

  @Test(.enabled(if: EnglishTexts.cranfield != nil, Comment(rawValue: EnglishTexts.absence)))
  func misspeltWordsOfCranfield() throws { try check(#require(EnglishTexts.cranfield)) }

  private func check(_ texts: EnglishTexts) throws {
    let files = try texts.database()
    var misspelled = MisspeltWords(seed: 500)
    let pairs = try misspelled.pairs(500, from: texts.words) { try !found($0, relaxes: false, files).hits.isEmpty }
    var wrong: [String] = []
    for pair in pairs {
      let right = try found(pair.right, relaxes: true, files)
      #expect(!right.isRelaxed && right.didYouMean == nil, "\(pair.right) is a word")
      let results = try found(pair.typed, relaxes: true, files)
      if results.hits.map(\.id) != right.hits.map(\.id) {
        wrong.append("\(pair.typed) \(results.didYouMean ?? "-") \(pair.right)")
      }
    }
    let rate = 1 - Double(wrong.count) / Double(pairs.count)
    #expect(pairs.count == 500)
    #expect(rate >= Self.requiredRate, "\(texts.name) \(rate): \(wrong)")
  }

  /// Correctly spelt words are hardly ever replaced. In the handbook, which is small, none is.
  @Test func existingWordsAreRarelyReplaced() throws {
    let handbook = EnglishTexts.handbook
    #expect(try doubted(of: handbook, step: 1).isEmpty)
  }

  @Test(.enabled(if: EnglishTexts.cranfield != nil, Comment(rawValue: EnglishTexts.absence)))
  func existingWordsOfCranfieldAreRarelyReplaced() throws {
    let cranfield = try #require(EnglishTexts.cranfield)
    let words = try doubted(of: cranfield, step: 4)
    let count = Set(cranfield.words).count / 4
    #expect(Double(words.count) <= 0.004 * Double(count), "\(words)")
  }

  private func doubted(of texts: EnglishTexts, step: Int) throws -> [String] {
    let files = try texts.database()
    let words = Set(texts.words).sorted()
    return try stride(from: 0, to: words.count, by: step).compactMap { number in
      let results = try found(words[number], relaxes: true, files)
      #expect(results.didYouMean == nil)
      return results.suggestedQuery.map { "\(words[number]) \($0)" }
    }
  }

  private func found(_ query: String, relaxes: Bool, _ files: TemporaryDatabase) throws -> SearchResults {
    var request = SearchRequest(query)
    request.relaxes = relaxes
    request.snippetCount = 0
    return try files.collection.search(request)
  }

  /// Words that never occur together, so that every query is relaxed; all are spelt as in some document.
  @Test func noWordOfTheTextsIsChanged() throws {
    let texts = EnglishTexts.handbook
    let files = try texts.database()
    let words = Set(texts.words).sorted()
    var relaxed = 0
    for start in stride(from: 0, to: words.count, by: 12) {
      let query = words[start..<min(start + 12, words.count)].joined(separator: " ")
      let results = try found(query, relaxes: true, files)
      #expect(results.didYouMean == nil, "\(query)")
      #expect(results.relaxation?.corrections.isEmpty != false)
      if results.isRelaxed { relaxed += 1 }
    }
    #expect(relaxed > words.count / 24)
  }
}
