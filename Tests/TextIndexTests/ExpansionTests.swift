import Foundation
import GRDB
import JSONText
import QueryModel
import SQLiteAccess
import TextAnalysis
import Testing

@testable import TextIndex

@Suite struct ExpansionTests {
  private func index(_ texts: [String], language: String? = "en") throws -> TestIndex {
    let index = try TestIndex(["text"], AnalyzerConfiguration(language: language))
    for (number, text) in texts.enumerated() { try index.insert(Int64(number + 1), "{\"text\":\"\(text)\"}") }
    return index
  }

  private func counts(_ text: String, in index: TestIndex) throws -> TermCounts {
    let parser = try JSONParser()
    return try TermCounter(index.index).count(parser.parse(utf8: "{\"text\":\"\(text)\"}"))
  }

  private func word(_ text: String, in index: TestIndex) throws -> FullTextQuery {
    try FullTextQuery(.phrase(.word(text)), in: index.index)
  }

  /// Returns the weights of an expanded query by term.
  private func termWeights(_ query: FullTextQuery) -> [String: Double] {
    let operands = if case .or(let operands) = query.match { operands } else { [query.match] }
    var weights: [String: Double] = [:]
    for case .weighted(.phrase(let phrase), let weight) in operands { weights[phrase.positions[0][0]] = weight }
    return weights
  }

  @Test func termsAreCountedInQueryForm() throws {
    let index = try index([])
    let counts = try counts("The runner was running; he runs.", in: index)
    #expect(counts.counts.first { $0.key.text == "run" }?.value == 2)
    #expect(!counts.counts.keys.contains { $0.text == "the" })
    #expect(counts.length == 6)
    let french = try self.index([], language: "fr")
    #expect(
      try self.counts("les marées", in: french).counts.keys.map(\.match)
        == [.phrase(CompiledPhrase(positions: [["mar", "marees"]]))])
  }

  /// Models other than BM25 have negative scores.
  @Test(arguments: [3.0, -1000]) func weightsFollowRM3Formula(score: Double) throws {
    let index = try index(["kettle steam steam water", "kettle water"] + (0..<9).map { "other\($0)" })
    var model = RelevanceModel(try word("kettle", in: index))
    model.add(try counts("kettle steam steam water", in: index), score: score)
    model.add(try counts("kettle water", in: index), score: score - 2)
    let weights = try index.queue.read { termWeights(try model.expandedQuery(index.index.reader($0))) }
    // The likelihoods of the documents are proportional to e² and 1. The weights of the three words add up to 1.
    let first = 1 / (1 + exp(-2.0))
    let kettle = first / 4 + (1 - first) / 2
    let expected = ["kettl": 0.5 + 0.5 * kettle, "steam": 0.5 * first / 2, "water": 0.5 * kettle]
    #expect(weights.keys.sorted() == expected.keys.sorted())
    for (term, weight) in expected { #expect(abs((weights[term] ?? 0) - weight) < 1e-12) }
  }

  /// Each word of a conjunction or disjunction has an equal share of λ, to which the weight of the model is added.
  @Test(arguments: [
    "kettle water lid", "kettle OR water OR lid", "kettle (water OR lid)",
  ])
  func queryWordsShareOriginalWeight(query: String) throws {
    let index = try index(["kettle steam", "kettle water lid"] + (0..<9).map { "other\($0)" })
    var model = RelevanceModel(try FullTextQuery(MatchParser().parse(query), in: index.index))
    model.add(try counts("kettle steam", in: index), score: 1)
    let weights = try index.queue.read { termWeights(try model.expandedQuery(index.index.reader($0))) }
    let expected = ["kettl": 0.5 / 3 + 0.25, "water": 0.5 / 3, "lid": 0.5 / 3, "steam": 0.25]
    #expect(weights.keys.sorted() == expected.keys.sorted())
    for (term, weight) in expected { #expect(abs((weights[term] ?? 0) - weight) < 1e-12, "\(term)") }
  }

  /// A word that is repeated at another level of the query counts twice.
  @Test(arguments: ["(kettle OR water) AND (kettle OR lid)", "kettle AND kettle water lid"])
  func nestedRepetitionsAreAdded(query: String) throws {
    let index = try index(["kettle steam", "kettle water lid"] + (0..<9).map { "other\($0)" })
    var model = RelevanceModel(try FullTextQuery(MatchParser().parse(query), in: index.index))
    model.add(try counts("kettle steam", in: index), score: 1)
    let expanded = try index.queue.read { try model.expandedQuery(index.index.reader($0)) }
    #expect(termWeights(expanded) == ["kettl": 0.25 + 0.25, "water": 0.125, "lid": 0.125, "steam": 0.25])
    #expect(expanded.windowWeight == 0.5 / 4)
  }

  @Test func queryWeightsDetermineShares() throws {
    let index = try index(["kettle steam"] + (0..<9).map { "other\($0)" })
    func term(_ word: String) -> CompiledMatch { .phrase(CompiledPhrase(positions: [[word]])) }
    let query = FullTextQuery(
      compiled: .or([.weighted(term("kettl"), 3), .weighted(term("water"), 1)]), in: index.index)
    var model = RelevanceModel(query)
    model.add(try counts("kettle steam", in: index), score: 1)
    let weights = try index.queue.read { termWeights(try model.expandedQuery(index.index.reader($0))) }
    #expect(weights == ["kettl": 0.5 * 0.75 + 0.25, "water": 0.5 * 0.25, "steam": 0.25])
  }

  @Test func exclusionsOfOperandsArePreserved() throws {
    let index = try index(["kettle boiling lid", "boiling oil", "boiling milk"] + (0..<9).map { "other\($0)" })
    var model = RelevanceModel(try FullTextQuery(MatchParser().parse("kettle NOT oil AND lid"), in: index.index))
    model.add(try counts("kettle boiling lid", in: index), score: 1)
    let rows = try index.queue.read {
      try model.expandedQuery(index.index.reader($0)).ranked($0, limit: 9).map(\.rowID)
    }
    #expect(rows == [1, 3])
  }

  @Test(
    arguments: [
      "memory AND path: mm", "path: mm AND (memory NOT path: net)", "memory AND (path: mm NOT text: sockets)",
      "memory AND (path: mm OR path: nosuch)", "memory AND path: mm AND path: mm",
    ], [false, true])
  func wordsWithFieldsRemainRequired(query: String, relaxing: Bool) throws {
    #expect(try rowsWithFeedback(query, relaxing: relaxing) == [1, 3])
  }

  @Test func wordsWithFieldsRemainRequiredInNestedConjunctions() throws {
    #expect(try rowsWithFeedback("other0 AND (memory AND path: mm)") == [1, 3])
  }

  /// Returns the documents that an expanded query finds, ascending. Documents 1 and 3 have the path `mm`.
  private func rowsWithFeedback(_ query: String, relaxing: Bool = false) throws -> [Int64] {
    let index = try TestIndex(["path", "text"], AnalyzerConfiguration(language: "en"))
    let documents = [
      ("mm/slab.c", "memory allocation pages"), ("net/core.c", "memory allocation pages"), ("mm/page.c", "pages of mm"),
    ]
    for (number, (path, text)) in (documents + (0..<9).map { ("x", "other\($0)") }).enumerated() {
      try index.insert(Int64(number + 1), "{\"path\":\"\(path)\",\"text\":\"\(text)\"}")
    }
    var model = RelevanceModel(
      try FullTextQuery(MatchParser().parse(query), relaxing: relaxing, in: index.index))
    model.add(try counts("memory allocation pages", in: index), score: 1)
    let expanded = try index.queue.read { try model.expandedQuery(index.index.reader($0)) }
    return try index.queue.read { try expanded.ranked($0, limit: 20).map(\.rowID) }.sorted()
  }

  /// λ is divided among all words of the query, with a field or without.
  @Test func wordsWithFieldsHaveAShareOfOriginalWeight() throws {
    let index = try TestIndex(["path", "text"])
    let (memory, mm) = (CompiledPhrase(positions: [["memory"]]), CompiledPhrase(positions: [["mm"]]))
    for (number, text) in (["memory pages"] + (0..<9).map { "other\($0)" }).enumerated() {
      try index.insert(Int64(number + 1), "{\"path\":\"mm\",\"text\":\"\(text)\"}")
    }
    let restricted = CompiledMatch.columns([0], .phrase(mm))
    var model = RelevanceModel(
      FullTextQuery(compiled: .and([.phrase(memory), .weighted(restricted, 3)]), in: index.index))
    model.add(try counts("memory pages", in: index), score: 1)
    let expanded = try index.queue.read { try model.expandedQuery(index.index.reader($0)) }
    guard case .and(let operands) = expanded.match, operands.count == 2 else {
      Issue.record("not a conjunction")
      return
    }
    #expect(operands[1] == .weighted(.weighted(restricted, 3), 0.5 / 4))
    #expect(expanded.windowWeight == 0.5 / 4)
  }

  @Test func longTextsAreCutBetweenWords() throws {
    let index = try index([])
    let repetition = String(repeating: "kettle ", count: TermCounter.textLimit / 7)
    let found = try counts(repetition + "boiling water", in: index)
    #expect(found.length == TermCounter.textLimit / 7)
    #expect(found.counts.keys.map(\.text) == ["kettl"])
    let others = try counts(repetition + String(repeating: "é", count: 300), in: index)
    #expect(others.length == TermCounter.textLimit / 7)
  }

  @Test func commonWordsAreNotAdded() throws {
    let index = try index(["kettle common", "common", "common", "rare"])
    var model = RelevanceModel(try word("kettle", in: index))
    model.add(try counts("kettle common", in: index), score: 1)
    #expect(
      try index.queue.read { termWeights(try model.expandedQuery(index.index.reader($0))).keys.sorted() } == ["kettl"])
  }

  @Test func numberOfAddedWordsIsLimited() throws {
    let index = try index(["kettle a1 a2 a3 a4"] + (0..<9).map { "other\($0)" })
    var settings = RelevanceModel.Settings()
    settings.termCount = 2
    var model = RelevanceModel(try word("kettle", in: index), settings)
    model.add(try counts("kettle a1 a2 a3 a4", in: index), score: 1)
    #expect(try index.queue.read { termWeights(try model.expandedQuery(index.index.reader($0))).count } == 3)
  }

  @Test func expandedQueryFindsRelatedDocuments() throws {
    let index = try index(
      ["kettle boiling water", "kettle boiling", "boiling milk", "cold milk"] + (0..<9).map { "other\($0)" })
    var model = RelevanceModel(try word("kettle", in: index))
    model.add(try counts("kettle boiling water", in: index), score: 1)
    model.add(try counts("kettle boiling", in: index), score: 1)
    let rows = try index.queue.read {
      try model.expandedQuery(index.index.reader($0)).ranked($0, limit: 9).map(\.rowID)
    }
    #expect(Set(rows) == [1, 2, 3] && rows.last == 3)
  }

  @Test func negationAndFieldsArePreserved() throws {
    let index = try index(["kettle boiling", "boiling milk", "boiling oil"] + (0..<9).map { "other\($0)" })
    let query = try FullTextQuery(MatchParser().parse("text: (kettle NOT oil)"), in: index.index)
    var model = RelevanceModel(query)
    model.add(try counts("kettle boiling", in: index), score: 1)
    let rows = try index.queue.read {
      try model.expandedQuery(index.index.reader($0)).ranked($0, limit: 9).map(\.rowID)
    }
    #expect(rows == [1, 2])
  }

  @Test func weightsMultiplyScores() throws {
    let index = try index(["kettle", "steam", "other"])
    let kettle = CompiledMatch.phrase(CompiledPhrase(positions: [["kettl"]]))
    func score(_ match: CompiledMatch) throws -> Double {
      let query = FullTextQuery(compiled: match, in: index.index)
      return try index.queue.read { try query.ranked($0, limit: 1)[0].score }
    }
    #expect(try score(.weighted(kettle, 2)) == 2 * score(kettle))
    #expect(try score(.weighted(.or([kettle]), 0.5)) == score(kettle) / 2)
  }

  @Test func windowedSearchAppliesWeights() throws {
    let index = try index([])
    try index.write { writer in
      for row in 1...6000 as ClosedRange<Int64> {
        let text = (row % 2 == 0 ? "even " : "odd ") + (row % 7 == 0 ? "seven seven " : "") + "x\(row % 50)"
        try writer.insert(index.terms("{\"text\":\"\(text)\"}"), rowID: row)
      }
    }
    func term(_ word: String) -> CompiledMatch { .phrase(CompiledPhrase(positions: [[word]])) }
    let query = FullTextQuery(
      compiled: .or([.weighted(term("even"), 3), .weighted(term("seven"), 0.25), .weighted(term("x7"), 2)]),
      in: index.index)
    let (best, all) = try index.queue.read { (try query.ranked($0, limit: 20), try query.ranked($0, limit: 6000)) }
    #expect(best == Array(all.prefix(20)))
  }

  @Test func similarityQueryHasDistinctiveWords() throws {
    let index = try index(
      ["harbour harbour crane crane crane unique", "harbour crane", "harbour", "crane lift"]
        + (0..<20).map { "ship harbour\($0)" })
    let terms = try counts("harbour harbour crane crane crane unique", in: index)
    let query = try index.queue.read { try FullTextQuery(like: terms, in: index.index, $0) }
    let weights = termWeights(query)
    // Both words are in three documents, so tf decides; no other document contains "unique".
    #expect(weights.keys.sorted() == ["crane", "harbour"])
    #expect(weights["crane"] == 1 && abs((weights["harbour"] ?? 0) - 2.0 / 3) < 1e-12)
    #expect(try index.queue.read { try query.ranked($0, limit: 9).map(\.rowID) }.prefix(2) == [1, 2])
  }

  /// Of words with a term frequency of 1, the rarest are chosen, regardless of their alphabetical order.
  @Test func rarestWordsAreChosen() throws {
    let common = (0..<120).map { "common\($0)" }.joined(separator: " ")
    let index = try index(
      [common + " zebra quagga", "quagga zebra"] + (0..<9).map { _ in common } + (0..<20).map { "other\($0)" })
    let query = try index.queue.read {
      try FullTextQuery(like: try counts(common + " zebra quagga", in: index), in: index.index, $0)
    }
    #expect(Set(["zebra", "quagga"]).isSubset(of: termWeights(query).keys))
    #expect(termWeights(query).count == 25)
    #expect(try index.queue.read { try query.ranked($0, limit: 9).map(\.rowID) }.contains(2))
  }

  @Test func documentWithoutSharedWordsGivesEmptyQuery() throws {
    let index = try index(["alone here", "other"])
    let terms = try counts("alone here", in: index)
    #expect(try index.queue.read { try FullTextQuery(like: terms, in: index.index, $0).isEmpty })
  }

  @Test func unknownFieldThrows() throws {
    let index = try index([])
    let error = #expect(throws: TextIndexError.self) { _ = try TermCounter(index.index, fields: ["body"]) }
    #expect(error?.kind == .unknownField)
  }
}
