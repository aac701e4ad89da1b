import Foundation
import QueryModel
import SQLiteAccess
import TextAnalysis
import Testing

@testable import TextIndex

/// Ranking models, compared with a straightforward evaluation of their published formulas.
@Suite struct RankingModelTests {
  private static let words = ["a", "a", "a", "a", "b", "b", "b", "c", "c", "d", "e", "f", "rare"]
  private static let models: [RankingModel] = [
    .dirichlet(mu: 20), .dirichlet(mu: 2000), .jelinekMercer(lambda: 0.1), .jelinekMercer(lambda: 0.8), .dph, .pl2(),
    .pl2(c: 7), .sequentialDependence(), narrowWindows,
  ]
  private static var narrowWindows: RankingModel {
    var dependence = SequentialDependence()
    dependence.windowLength = 3
    (dependence.wordWeight, dependence.orderedWeight, dependence.unorderedWeight) = (0.4, 0.1, 0.5)
    dependence.mu = 50
    return .sequentialDependence(dependence)
  }

  private static func corpus(_ count: Int, seed: UInt64) -> FormulaCorpus {
    var random = SeededGenerator(seed: seed)
    var documents: [UInt32: [[String]]] = [:]
    for row in 1...UInt32(count) {
      documents[row * 2] = [4, 20].map { limit in
        (0..<Int.random(in: 0...limit, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      }
    }
    return FormulaCorpus(documents: documents, weights: [2, 1])
  }

  /// 2,500 documents: enough for windows with score bounds.
  private static let large = corpus(2500, seed: 11)

  private static func ranking(_ model: RankingModel) -> Ranking {
    var ranking = Ranking(weights: ["f0": 2])
    ranking.model = model
    return ranking
  }

  @Test(arguments: models) func scoresAreThoseOfTheFormula(model: RankingModel) throws {
    let index = try TestIndex(["f0", "f1"])
    let corpus = RankingModelTests.large
    let reader = IndexReader(index.index, corpus.store)
    for words in [
      ["a"], ["rare"], ["a", "b"], ["b", "a", "rare"], ["c", "d", "a", "f"], ["b", "b", "e", "nosuch"],
      ["a", "b", "a", "c"], ["c", "a", "c", "a"],
    ] {
      for needsAll in [false, true] {
        let text = words.joined(separator: needsAll ? " AND " : " OR ")
        let query = try FullTextQuery(MatchParser().parse(text), in: index.index)
        let matches = { try query.matches(reader, ranking: RankingModelTests.ranking(model)) }
        let expected = corpus.scores(words, needsAll: needsAll, model)
        let all = try matches().best(10_000)
        #expect(all.count == expected.count, "\(text)")
        // One expectation for all hits: the macro takes longer than the comparison.
        let wrong = all.filter { hit in
          guard let score = expected[UInt32(hit.rowID)] else { return true }
          return !(abs(hit.score - score) <= 1e-9 * max(1, abs(score)))
        }
        #expect(wrong.isEmpty, "\(text)")
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.isBetter(than: $1) })
        // The page is found with bounds, the list above by scoring every match.
        for limit in [1, 10, 60] { #expect(try matches().best(limit) == Array(all.prefix(limit)), "\(text)") }
        let some = all.map(\.rowID).sorted().prefix(50)
        let found = try matches().best(50, among: Array(some))
        #expect(found == all.filter { $0.rowID <= some.last ?? 0 }, "\(text)")
        for hit in all.prefix(3) + all.suffix(3) {
          #expect(try matches().explanation(ofRow: hit.rowID)?.score == hit.score, "\(text)")
        }
      }
    }
  }

  @Test(arguments: [RankingModel.dph, .dirichlet(mu: 20)])
  func documentsWithNegativeScoresAreFound(model: RankingModel) throws {
    let index = try TestIndex(["f0", "f1"])
    let corpus = RankingModelTests.large
    let expected = corpus.scores(["a", "b"], needsAll: false, model)
    #expect(expected.values.contains { $0 < 0 })
    let query = try FullTextQuery(MatchParser().parse("a OR b"), in: index.index)
    let matches = try query.matches(
      IndexReader(index.index, corpus.store), ranking: RankingModelTests.ranking(model))
    #expect(try matches.best(10_000).count == expected.count)
    #expect(try matches.best(10_000).last.map { $0.score < 0 } == true)
  }

  /// Sums over many terms are computed window by window, where a sum may be negative or 0.
  @Test(arguments: models.prefix(7)) func manyWordsAreRankedLikeFew(model: RankingModel) throws {
    let index = try TestIndex(["f0", "f1"])
    let corpus = RankingModelTests.large
    let ranking = try ResolvedRanking(RankingModelTests.ranking(model), for: index.index)
    let words = ["a", "b", "c", "d", "e", "f", "rare"]
    let search = try MatchSearch(
      .or(words.map { .weighted(.phrase(CompiledPhrase(positions: [[$0]])), 0.5) }), corpus.store)
    guard case .or(let operands) = search.node else { return }
    let leaves = operands.compactMap { if case .leaf(let leaf) = $0 { leaf } else { nil } }
    var hits = TopHits(capacity: 10_000)
    try #require(AccumulatingSearch(leaves, search.state, search.state.scorer(ranking))).run(&hits)
    let all = search.all(ranking)
    let expected = zip(all.rows, all.scores).map { RankedRow(rowID: Int64($0), score: $1) }
      .sorted { $0.isBetter(than: $1) }
    #expect(hits.ranked == expected)
  }

  /// A document with a word as typed precedes those with similar words, even if scores are negative.
  @Test(arguments: models) func wordsAsTypedComeFirst(model: RankingModel) throws {
    let index = try TestIndex(["f0", "f1"])
    let corpus = RankingModelTests.corpus(300, seed: 3)
    let ranking = try ResolvedRanking(RankingModelTests.ranking(model), for: index.index)
    func phrase(_ words: [String]) -> CompiledMatch { .phrase(CompiledPhrase(positions: [words])) }
    let search = try MatchSearch(
      .and([.fuzzy(phrase(["rare"]), phrase(["rare", "a"])), phrase(["b"])]), corpus.store)
    let found = search.ranked(limit: 1000, ranking).map { UInt32($0.rowID) }
    let areTyped = found.map { corpus.documents[$0]?.joined().contains("rare") == true }
    #expect(areTyped.contains(true) && areTyped.contains(false))
    #expect(areTyped == areTyped.sorted { $0 && !$1 })
  }

  /// The word as typed may itself have negative scores.
  @Test(arguments: models) func commonWordsAsTypedComeFirst(model: RankingModel) throws {
    let index = try TestIndex(["f0", "f1"])
    let corpus = RankingModelTests.corpus(300, seed: 3)
    let ranking = try ResolvedRanking(RankingModelTests.ranking(model), for: index.index)
    func phrase(_ words: [String]) -> CompiledMatch { .phrase(CompiledPhrase(positions: [words])) }
    for typed in ["a", "b", "c", "d"] {
      for other in ["a", "b", "f", "rare"] where other != typed {
        let search = try MatchSearch(.fuzzy(phrase([typed]), phrase([typed, other])), corpus.store)
        let found = search.ranked(limit: 1000, ranking).map { UInt32($0.rowID) }
        let areTyped = found.map { corpus.documents[$0]?.joined().contains(typed) == true }
        #expect(areTyped.contains(true) && areTyped == areTyped.sorted { $0 && !$1 }, "\(typed), \(other)")
      }
    }
  }

  /// Windows raise the scores of documents that do not contain the word as typed.
  @Test func wordsAsTypedComeBeforeDocumentsWithWindows() throws {
    let index = try TestIndex(["f0", "f1"])
    let corpus = RankingModelTests.corpus(300, seed: 3)
    var dependence = SequentialDependence()
    (dependence.wordWeight, dependence.orderedWeight, dependence.unorderedWeight) = (0.01, 1, 1)
    let ranking = try ResolvedRanking(RankingModelTests.ranking(.sequentialDependence(dependence)), for: index.index)
    func phrase(_ words: [String]) -> CompiledMatch { .phrase(CompiledPhrase(positions: [words])) }
    let windows = DependenceWindows(dependence: dependence, source: .and([phrase(["b"]), phrase(["c"])]), weight: 1)
    let search = try MatchSearch(
      .and([.fuzzy(phrase(["rare"]), phrase(["rare", "a"])), phrase(["b"]), phrase(["c"])]), windows: windows,
      corpus.store)
    let found = search.ranked(limit: 1000, ranking).map { UInt32($0.rowID) }
    let areTyped = found.map { corpus.documents[$0]?.joined().contains("rare") == true }
    #expect(areTyped.contains(true) && areTyped.contains(false))
    #expect(areTyped == areTyped.sorted { $0 && !$1 })
    #expect(search.prepared(for: ranking).ranked(limit: 1000, ranking).map { UInt32($0.rowID) } == found)
  }

  /// The product of a weight and a negative score may be rounded to negative zero, which marks rows without a match.
  @Test func wordsWithTinyWeightsMatch() throws {
    let index = try TestIndex(["f0", "f1"])
    let ranking = try ResolvedRanking(RankingModelTests.ranking(.dph), for: index.index)
    let words = ["a", "b"].map { CompiledMatch.phrase(CompiledPhrase(positions: [[$0]])) }
    let search = try MatchSearch(
      .or(words.map { .weighted($0, .leastNonzeroMagnitude) }), RankingModelTests.large.store)
    var hits = TopHits(capacity: 10_000)
    let leaves = try #require(search.leaves)
    try #require(AccumulatingSearch(leaves, search.state, search.state.scorer(ranking))).run(&hits)
    #expect(hits.ranked.count == search.all(nil).rows.count)
  }

  /// A word and its synonyms are alternatives, not successive words.
  @Test(arguments: [false, true]) func synonymsFormNoPairs(relaxing: Bool) throws {
    var analyzer = AnalyzerConfiguration()
    analyzer.synonyms = [try SynonymRule("a, b, c d")]
    let index = try TestIndex(["f0"], analyzer)
    func pairs(_ words: String...) throws -> Set<WordPair> {
      let query = MatchQuery.words(words.map { MatchPhrase.word($0) })
      return Set(try FullTextQuery(query, relaxing: relaxing, in: index.index).windowSource.successivePairs)
    }
    #expect(try pairs("a").isEmpty)
    #expect(try pairs("a", "x").count == 1)
    #expect(try pairs("x", "a", "y") == pairs("x", "a").union(pairs("a", "y")))
    #expect(try pairs("c", "d").count == 1)
  }

  @Test func windowsExplainTheirPairs() throws {
    let index = try TestIndex(["f0", "f1"])
    let store = FormulaCorpus(
      documents: [1: [["a", "b"], []], 2: [[], ["b", "x", "a"]], 3: [["a"], ["b"]]], weights: [1, 1]
    ).store
    let query = try FullTextQuery(MatchParser().parse("a b"), in: index.index)
    var ranking = Ranking()
    ranking.model = .sequentialDependence()
    let matches = try query.matches(IndexReader(index.index, store), ranking: ranking)
    func terms(_ row: Int64) throws -> [String] {
      guard case .sum(let parts)? = try matches.explanation(ofRow: row)?.content else { return [] }
      return parts.compactMap { if case .term(let term) = $0.content { term.text } else { nil } }
    }
    #expect(try terms(1) == ["\"a b\"", "#uw8(a b)"])
    #expect(try terms(2) == ["#uw8(a b)"])
    #expect(try terms(3) == [])
  }

  @Test(
    arguments: [
      (.dirichlet(mu: 0), "mu"), (.dirichlet(mu: .nan), "mu"), (.jelinekMercer(lambda: 1), "lambda"),
      (.pl2(c: -1), "c"), (badWindow, "window length"),
    ] as [(RankingModel, String)])
  func badParametersAreNamed(model: RankingModel, name: String) throws {
    let index = try TestIndex(["f0"])
    let error = #expect(throws: TextIndexError.self) {
      _ = try ResolvedRanking(RankingModelTests.ranking(model, fields: [:]), for: index.index)
    }
    #expect(error?.kind == .badRanking)
    #expect(error?.message.contains(name) == true)
  }

  private static var badWindow: RankingModel {
    var dependence = SequentialDependence()
    dependence.windowLength = 1
    return .sequentialDependence(dependence)
  }

  private static func ranking(_ model: RankingModel, fields: [String: Double]) -> Ranking {
    var ranking = Ranking(weights: fields)
    ranking.model = model
    return ranking
  }

  @Test(arguments: RankingModel.all + [narrowWindows, .dirichlet(mu: 7), .pl2(c: 3)])
  func definitionsStoreTheModel(model: RankingModel) throws {
    var ranking = Ranking()
    ranking.model = model
    let definition = try FullTextDefinition(fields: ["text"], ranking: ranking)
    #expect(try FullTextDefinition(json: definition.json).ranking.model == model)
    #expect(try definition.json.contains("\"model\"") == (model != .bm25))
    #expect(RankingModel(name: model.name)?.name == model.name)
  }
}

/// Documents as lists of words, and the formulas of the models evaluated over them.
private struct FormulaCorpus {
  let documents: [UInt32: [[String]]]
  let weights: [Double]

  var store: MemoryStore {
    MemoryStore(documents.mapValues { columns in columns.map { $0.map { [$0] } } }, columnCount: weights.count)
  }

  /// Returns a number of each field of a document, weighted and summed.
  private func sum(_ document: [[String]], _ number: ([String]) -> Int) -> Double {
    zip(document, weights).reduce(0) { $0 + Double(number($1.0)) * $1.1 }
  }

  /// The scores of the documents that match.
  func scores(_ words: [String], needsAll: Bool, _ model: RankingModel) -> [UInt32: Double] {
    let counts = words.reduce(into: [String: Double]()) { $0[$1, default: 0] += 1 }
    var features = counts.sorted { $0.key < $1.key }.map { word, count in
      (weight: count, frequency: { (field: [String]) in field.count { $0 == word } })
    }
    if case .sequentialDependence(let dependence) = model {
      features = features.map { ($0.weight * dependence.wordWeight, $0.frequency) }
      for (first, second) in zip(words, words.dropFirst()) where first != second {
        features.append((dependence.orderedWeight, { FormulaCorpus.ordered(first, second, $0) }))
        features.append(
          (dependence.unorderedWeight, { FormulaCorpus.unordered(first, second, $0, dependence.windowLength) }))
      }
    }
    let lengths = documents.mapValues { sum($0, \.count) }
    let total = lengths.values.reduce(0, +)
    let frequencies = features.map { feature in documents.mapValues { sum($0, feature.frequency) } }
    let collection = frequencies.map { $0.values.reduce(0, +) }
    var scores: [UInt32: Double] = [:]
    for (row, document) in documents {
      let all = Set(document.joined())
      let found = counts.keys.count { all.contains($0) }
      guard needsAll ? found == counts.count : found > 0, let length = lengths[row] else { continue }
      var score = 0.0
      for (number, feature) in features.enumerated() where collection[number] > 0 {
        score +=
          feature.weight
          * FormulaCorpus.score(
            model, f: frequencies[number][row] ?? 0, l: length, collection: collection[number], total: total,
            count: Double(documents.count))
      }
      scores[row] = score
    }
    return scores
  }

  private static func score(
    _ model: RankingModel, f: Double, l: Double, collection: Double, total: Double, count: Double
  ) -> Double {
    let (p, mean) = (collection / total, total / count)
    switch model {
    case .dirichlet(let mu): return log((f + mu * p) / (l + mu)) - log(p)
    case .sequentialDependence(let dependence): return log((f + dependence.mu * p) / (l + dependence.mu)) - log(p)
    case .jelinekMercer(let lambda): return log((1 - lambda) * f / l + lambda * p) - log(lambda * p)
    case .dph:
      if f == 0 || f == l { return 0 }
      let norm = (1 - f / l) * (1 - f / l) / (f + 1)
      return norm * (f * log2((f * mean / l) * (count / collection)) + 0.5 * log2(2 * Double.pi * f * (1 - f / l)))
    case .pl2(let c):
      if f == 0 { return 0 }
      let (tf, lambda) = (f * log2(1 + c * mean / l), collection / count)
      let information =
        tf * log2(1 / lambda) + lambda / log(2) + 0.5 * log2(2 * Double.pi * tf) + tf * (log2(tf) - 1 / log(2))
      return information / (tf + 1)
    case .bm25: return .nan
    }
  }

  private static func ordered(_ first: String, _ second: String, _ field: [String]) -> Int {
    zip(field, field.dropFirst()).count { $0 == first && $1 == second }
  }

  private static func unordered(_ first: String, _ second: String, _ field: [String], _ window: Int) -> Int {
    var one = field.indices.filter { field[$0] == first }
    var other = field.indices.filter { field[$0] == second }
    var count = 0
    while let a = one.first, let b = other.first {
      if abs(a - b) + 1 <= window {
        count += 1
        one.removeFirst()
        other.removeFirst()
      } else if a < b {
        one.removeFirst()
      } else {
        other.removeFirst()
      }
    }
    return count
  }
}
