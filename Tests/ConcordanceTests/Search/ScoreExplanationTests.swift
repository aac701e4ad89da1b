import Concordance
import Foundation
import Testing

/// Score explanations, whose parts add up to exactly the score.
@Suite struct ScoreExplanationTests {
  private static let corpus = Swift.Result { try RandomCorpus(seed: 5, count: 2500) }
  /// The number of documents that contain each word.
  private static let frequencies = corpus.map { corpus in
    corpus.entries.values.reduce(into: [String: Int]()) { counts, entry in
      for word in Set(entry.words) { counts[word, default: 0] += 1 }
    }
  }

  private static let queries = [
    "common", "common usual", "common OR rare OR third OR word OR other",
    "(common OR rare) AND (usual OR often OR third)",
    "common NOT usual", "NEAR(common usual, 2) OR rare", "\"common usual\" OR wor*", "{text}: (rare AND r*)",
    "common AND (usual OR NEAR(rare third word, 4) OR other) NOT \"often often\"",
  ]

  @Test(arguments: queries)
  func partsAddUpToTheScore(query: String) throws {
    let corpus = try ScoreExplanationTests.corpus.get()
    // One page, and a limit at which all matches are scored.
    for limit in [10, 400] {
      var request = SearchRequest(query, syntax: .fts5)
      request.limit = limit
      request.explains = true
      request.snippetCount = 0
      let hits = try corpus.collection.search(request).hits
      #expect(!hits.isEmpty)
      #expect(hits.map(\.score) == hits.map { $0.explanation?.score })
      for hit in hits.prefix(10) {
        let explanation = try #require(hit.explanation)
        let entry = try #require(corpus.entries[hit.id])
        check(explanation, entry)
      }
    }
  }

  @Test(arguments: RankingModel.all)
  func partsAddUpInEveryModel(model: RankingModel) throws {
    let corpus = try ScoreExplanationTests.corpus.get()
    var request = SearchRequest("common usual rare")
    request.model = model
    request.explains = true
    let hits = try corpus.collection.search(request).hits
    #expect(!hits.isEmpty)
    #expect(hits.map(\.score) == hits.map { $0.explanation?.score })
    for hit in hits {
      guard let explanation = hit.explanation, let entry = corpus.entries[hit.id] else { continue }
      check(explanation, entry, isWeighted: model != .bm25)
    }
  }

  /// Checks the sums, and compares the term counts with the document.
  private func check(_ explanation: ScoreExplanation, _ entry: RandomCorpus.Entry, isWeighted: Bool = false) {
    switch explanation.content {
    case .length(let part, let queryWeight): #expect(explanation.score == queryWeight * part)
    case .all(let parts), .any(let parts), .sum(let parts):
      #expect(!parts.isEmpty)
      #expect(explanation.score == parts.dropFirst().reduce(parts[0].score) { $0 + $1.score })
      for part in parts { check(part, entry, isWeighted: isWeighted) }
    case .term(let term):
      if isWeighted {
        #expect(abs(explanation.score - term.weight * term.idf * term.saturation) < 1e-12)
      } else {
        #expect(explanation.score == term.idf * term.saturation)
      }
      let frequency = term.fields.reduce(0) { $0 + $1.weightedFrequency }
      if let occurrences = term.occurrences { return #expect(occurrences.frequency == frequency) }
      #expect(abs(term.saturation - frequency * (term.k1 + 1) / (term.k1 + frequency)) < 1e-12)
      #expect(term.fields.map(\.name) == ["text"])
      #expect(term.fields[0].length == entry.words.count)
      if term.positions.count == 1, !term.isPrefix {
        #expect(term.documentFrequency == (try? ScoreExplanationTests.frequencies.get()[term.text]))
        #expect(term.documentCount == 2500)
        // In a NEAR group, only the occurrences near the other phrases count.
        #expect(term.fields[0].frequency <= entry.words.count { $0 == term.text })
      }
    }
  }

  @Test func termsAreShownAsTheyAreSearchedFor() throws {
    let files = try TemporaryDatabase()
    var config = FullTextIndexConfiguration(["title", "text"], language: "en")
    config.weights = ["title": 4]
    try files.collection.createIndex(withName: "search", config: config)
    try files.save("a", #"{"title":"Long streets","text":"a street, long, with libraries"}"#)
    var request = SearchRequest(#""long street" libr*"#)
    request.explains = true
    let hit = try #require(try files.collection.search(request).hits.first)
    guard case .all(let parts)? = hit.explanation?.content, parts.count == 2,
      case .term(let phrase) = parts[0].content, case .term(let prefix) = parts[1].content
    else {
      Issue.record("\(String(describing: hit.explanation))")
      return
    }
    #expect(phrase.text.hasPrefix("\"long") && prefix.text == "libr*")
    #expect(phrase.fields.map(\.name) == ["title"] && phrase.fields.map(\.weight) == [4])
    #expect(phrase.fields.map(\.frequency) == [1] && prefix.fields.map(\.name) == ["text"])
    request.explains = false
    #expect(try files.collection.search(request).hits.first?.explanation == nil)
  }
}
