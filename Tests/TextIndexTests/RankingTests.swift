import GRDB
import QueryModel
import SQLiteAccess
import TextAnalysis
import Testing

@testable import TextIndex

@Suite struct RankingTests {
  @Test func rareTermsAndShortFieldsRankHigher() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"barrier and a great many other words that say nothing of it at all"}"#)
    try index.insert(2, #"{"text":"barrier barrier"}"#)
    for rowID in 3...20 as ClosedRange<Int64> { try index.insert(rowID, #"{"text":"other words"}"#) }
    #expect(try index.search("barrier") == [2, 1])
    #expect(try index.search("barrier OR words").prefix(2) == [2, 1])
  }

  @Test(arguments: ["a a b", "a OR a OR b", "(a OR b) OR a"])
  func repeatedQueryTermsCountRepeatedly(query: String) throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"a b x"}"#)
    try index.insert(2, #"{"text":"x y z"}"#)
    try index.queue.read { db in
      func score(_ text: String) throws -> Double {
        let query = try FullTextQuery(MatchParser().parse(text), in: index.index)
        return try #require(try query.ranked(db, limit: 1).first).score
      }
      let (repeated, a, b) = (try score(query), try score("a"), try score("b"))
      #expect(abs(repeated - (2 * a + b)) < 1e-9)
    }
  }

  @Test func fieldWeightsChangeOrder() throws {
    let index = try TestIndex(["title", "text"])
    try index.insert(1, #"{"title":"lock","text":"other words here"}"#)
    try index.insert(2, #"{"title":"other words here","text":"lock lock"}"#)
    for rowID in 3...10 as ClosedRange<Int64> { try index.insert(rowID, #"{"title":"x","text":"y"}"#) }
    #expect(try index.search("lock", weights: ["title": 10]) == [1, 2])
    #expect(try index.search("lock", weights: ["text": 10]) == [2, 1])
  }

  @Test func unknownFieldsAndInvalidWeightsThrow() throws {
    let index = try TestIndex(["title"])
    let unknown = #expect(throws: TextIndexError.self) { _ = try index.search("x", weights: ["body": 2]) }
    #expect(unknown?.message == "the index \"text\" has no field \"body\"; it has \"title\"")
    let filter = #expect(throws: TextIndexError.self) { _ = try index.search("body: x") }
    #expect(filter?.kind == .unknownField)
    for weight in [0, -1, .infinity, .nan, 1e-5, 1e16] as [Double] {
      let error = #expect(throws: TextIndexError.self) { _ = try index.search("x", weights: ["title": weight]) }
      #expect(error?.kind == .badWeight)
    }
  }

  @Test func scorersAndBoundsOfRecentRankingsAreCached() throws {
    let index = try TestIndex(["title", "text"])
    try index.insert(1, #"{"title":"lock","text":"other words here"}"#)
    let state = try index.queue.read { try index.index.cache.state(of: index.index, $0) }
    let rankings = try (1...5).map { try ResolvedRanking(Ranking(weights: ["title": Double($0)]), for: index.index) }
    let scorers = rankings[..<4].map { state.scorer($0) }
    #expect(zip(rankings, scorers).allSatisfy { state.scorer($0) === $1 })
    _ = state.scorer(rankings[4])
    #expect(state.scorer(rankings[3]) === scorers[3])
    #expect(state.scorer(rankings[0]) !== scorers[0])
    let key = PostingsCache.Key(term: "lock")
    let postings = try index.queue.read {
      try PostingsReader(index.index, $0).postings("lock", withPositions: false)
    }
    let windows = RowWindows(rowLimit: 10)
    func bounds(_ number: Int) -> ScoreBounds {
      state.postings.bounds(key, for: rankings[number], windows) {
        let term = TermScorer(state.scorer(rankings[number]), postings, weight: 1)
        return ScoreBounds(postings, windows, rankings[number], term)
      }
    }
    let (first, second) = (bounds(0), bounds(1))
    #expect(first !== second && bounds(0) === first && bounds(1) === second)
  }

  /// Accumulation, windowed search and general evaluation give the same scores.
  @Test func allEvaluationMethodsGiveSameScores() throws {
    var random = SeededGenerator(seed: 5)
    let index = try TestIndex(["title", "text"])
    try index.write { writer in
      for row in 1...700 as ClosedRange<Int64> {
        let words = (0..<30).map { _ in "w\(Int.random(in: 0..<80, using: &random))" }.joined(separator: " ")
        try writer.insert(index.terms("{\"title\":\"w\(row % 80)\",\"text\":\"\(words)\"}"), rowID: row)
      }
    }
    let ranking = try ResolvedRanking(Ranking(weights: ["title": 2]), for: index.index)
    for count in [64, 65, 80] {
      let match = CompiledMatch.or((0..<count).map { .phrase(CompiledPhrase(positions: [["w\($0)"]])) })
      let search = try index.queue.read { try MatchSearch(match, in: index.index, $0) }
      let all = MatchEvaluator(scorer: search.state.scorer(ranking)).evaluate(search.node)
      let expected = zip(all.rows, all.scores).map { RankedRow(rowID: Int64($0), score: $1) }
        .sorted { ($0.score, -$0.rowID) > ($1.score, -$1.rowID) }
      #expect(search.ranked(limit: 25, ranking) == Array(expected.prefix(25)))
      let leaves = try #require(search.leaves)
      var hits = TopHits(capacity: 700)
      try #require(AccumulatingSearch(leaves, search.state, search.state.scorer(ranking))).run(&hits)
      #expect(hits.ranked == expected)
    }
  }

  /// Sums of scores do not depend on the number of operands that are added together.
  @Test func batchesOfOperandsGiveSameScores() throws {
    var random = SeededGenerator(seed: 6)
    let index = try TestIndex(["text"])
    try index.write { writer in
      for row in 1...300 as ClosedRange<Int64> {
        let words = (0..<20).map { _ in "w\(Int.random(in: 0..<30, using: &random))" }.joined(separator: " ")
        try writer.insert(index.terms("{\"text\":\"\(words) all\"}"), rowID: row)
      }
    }
    func word(_ number: Int) -> CompiledMatch { .phrase(CompiledPhrase(positions: [["w\(number)"]])) }
    let all = CompiledMatch.phrase(CompiledPhrase(positions: [["all"]]))
    let match = CompiledMatch.or(
      (0..<60).map { number -> CompiledMatch in
        let (one, other) = (word(number % 30), word(number * 7 % 30))
        return switch number % 4 {
        case 0: one
        case 1: .and([one, other])
        case 2: .not(one, other)
        // More operands than are scored together.
        default: .and([CompiledMatch.or([one, other])] + Array(repeating: all, count: 10))
        }
      })
    let ranking = try ResolvedRanking(Ranking(), for: index.index)
    let search = try index.queue.read { try MatchSearch(match, in: index.index, $0) }
    let scorer = search.state.scorer(ranking)
    let expected = MatchEvaluator(scorer: scorer).evaluate(search.node)
    #expect(expected.rows.count > 250)
    for batchSize in [1, 100, 1000] {
      let found = MatchEvaluator(scorer: scorer, batchSize: batchSize).evaluate(search.node)
      #expect(found.rows == expected.rows && found.scores == expected.scores)
      #expect(MatchEvaluator(batchSize: batchSize).evaluate(search.node).rows == expected.rows)
    }
    // The definition of the sum.
    guard case .or(let operands) = search.node else {
      Issue.record("The expression was changed.")
      return
    }
    var sums = [UInt32: Double]()
    for operand in operands {
      let found = MatchEvaluator(scorer: scorer).evaluate(operand)
      for (row, score) in zip(found.rows, found.scores) { sums[row, default: 0] += score }
    }
    #expect(expected.scores == expected.rows.map { sums[$0, default: 0] })
    // The definition of AND with many operands.
    var conjunctionCount = 0
    for operand in operands {
      guard case .and(let parts) = operand, parts.count > 8 else { continue }
      conjunctionCount += 1
      let evaluator = MatchEvaluator(scorer: scorer)
      let common = parts.dropFirst().reduce(evaluator.evaluate(parts[0])) { $0.intersection(evaluator.evaluate($1)) }
      let found = evaluator.evaluate(operand)
      #expect(!found.rows.isEmpty && found.rows == common.rows && found.scores == common.scores)
    }
    #expect(conjunctionCount > 0)
  }

  @Test func limitAndOffsetSelectFromSameOrder() throws {
    let index = try TestIndex(["text"])
    for rowID in 1...30 as ClosedRange<Int64> {
      try index.insert(rowID, "{\"text\":\"\(String(repeating: "word ", count: Int(rowID))) other\"}")
    }
    let query = try FullTextQuery(.phrase(.word("word")), in: index.index)
    let all = try index.queue.read { try query.ranked($0, limit: 100) }
    let page = try index.queue.read { try query.ranked($0, limit: 5, offset: 10) }
    #expect(page == Array(all[10..<15]))
    #expect(try index.queue.read { try query.count($0) } == 30)
    #expect(all.map(\.score) == all.map(\.score).sorted(by: >))
  }

  @Test func stemsMatchInflectionsAndPrefixesMatchSurfaceForms() throws {
    let index = try TestIndex(["text"], AnalyzerConfiguration(language: "en"))
    try index.insert(1, #"{"text":"the sanitizers were running"}"#)
    #expect(try index.search("run") == [1])
    #expect(try index.search("sanitize") == [1])
    for prefix in ["sanit*", "sanitiz*", "sanitizer*", "sanitizers*"] { #expect(try index.search(prefix) == [1]) }
    #expect(try index.search("\"sanitizer is run\"") == [])
    #expect(try index.search("\"sanitizer were run\"") == [1])
  }

  @Test func stopWordsAreDroppedUnlessThereAreNoOtherWords() throws {
    let index = try TestIndex(["text"], AnalyzerConfiguration(language: "en", stopWords: .language))
    try index.insert(1, #"{"text":"to be or not to be"}"#)
    try index.insert(2, #"{"text":"memory"}"#)
    #expect(try index.search("the memory") == [2])
    #expect(try index.search("to be") == [1])
    #expect(try index.search("\"not to be\"") == [1])
    #expect(try index.search("\"the memory\"") == [])
  }

  @Test func synonymsMayHaveOneOrSeveralWords() throws {
    let index = try TestIndex(
      ["text"], AnalyzerConfiguration(synonyms: [try SynonymRule("car, motor car, automobile")]))
    try index.insert(1, #"{"text":"an automobile insurance"}"#)
    try index.insert(2, #"{"text":"motor insurance for a car"}"#)
    try index.insert(3, #"{"text":"a motor, and a bus"}"#)
    #expect(try index.search("car insurance").sorted() == [1, 2])
    #expect(try index.search("motor car").sorted() == [1, 2])
    #expect(try index.search("\"automobile\"") == [1])
    #expect(try index.search("automobile").sorted() == [1, 2])
    #expect(try index.search("motor bus") == [3])
  }

  /// A single ideograph matches as a prefix, but is not typed as one.
  @Test func synonymsMayBeSingleIdeographs() throws {
    let index = try TestIndex(["text"], AnalyzerConfiguration(synonyms: [try SynonymRule("犬, hound")]))
    try index.insert(1, #"{"text":"犬小屋"}"#)
    try index.insert(2, #"{"text":"a hound"}"#)
    try index.insert(3, #"{"text":"猫"}"#)
    #expect(try index.search("犬").sorted() == [1, 2])
    #expect(try index.search("hound").sorted() == [1, 2])
    #expect(try index.search("犬 hound").sorted() == [1, 2])
    #expect(try index.search("\"犬\"") == [1])
    #expect(try index.search("犬*") == [1])
  }

  @Test func synonymsMayBeginWithAStopWord() throws {
    let index = try TestIndex(
      ["text"],
      AnalyzerConfiguration(
        language: "en", stopWords: .language, synonyms: [try SynonymRule("the beatles, fab four")]))
    try index.insert(1, #"{"text":"the fab four"}"#)
    #expect(try index.search("the beatles") == [1])
  }

  @Test func filterWithoutFieldsMatchesNothing() throws {
    let index = try TestIndex(["t"])
    try index.insert(1, #"{"t":"one two"}"#)
    #expect(try index.search("- t: one") == [])
    #expect(try index.search("one NOT (- t: two)") == [1])
  }

  @Test func ideographQueriesOfAnyLengthMatch() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"東京都へ行く"}"#)
    try index.insert(2, #"{"text":"京都へ"}"#)
    #expect(try index.search("東京") == [1])
    #expect(try index.search("京").sorted() == [1, 2])
    #expect(try index.search("都").sorted() == [1, 2])
    #expect(try index.search("京都").sorted() == [1, 2])
    #expect(try index.search("東都") == [])
  }

  @Test func tenThousandWordsMatchOrThrow() throws {
    let index = try TestIndex(["text"])
    try index.insert(1, #"{"text":"word0 word1"}"#)
    let words = (0..<10_000).map { "word\($0)" }.joined(separator: " ")
    do {
      #expect(try index.search(words) == [])
    } catch let error as TextIndexError {
      #expect(error.kind == .queryTooLarge)
    }
  }

  @Test func repeatedTermIsEvaluatedOnceAndWeighted() throws {
    let index = try TestIndex(["text"])
    let query = try FullTextQuery(MatchParser().parse("a OR b OR a OR a"), in: index.index)
    let words = ["a", "b"].map { CompiledMatch.phrase(CompiledPhrase(positions: [[$0]])) }
    #expect(query.match == .or([.weighted(words[0], 3), words[1]]))
    #expect(FTS5Expression(.weighted(words[0], 3)).text == #"("a" AND ("a" AND "a"))"#)
    #expect(FTS5Expression(.weighted(words[0], 0.5)).text == #""a""#)
  }

  @Test func longConjunctionsAreWrittenAsBalancedTrees() {
    let words = ["a", "b", "c"].map { CompiledMatch.phrase(CompiledPhrase(positions: [[$0]])) }
    #expect(FTS5Expression(.and(words)).text == "(\"a\" AND (\"b\" AND \"c\"))")
  }

  @Test func quotationMarksInTermsAreEscaped() {
    let phrase = CompiledPhrase(positions: [["a\" OR \"b", "c"]], isPrefix: true)
    #expect(FTS5Expression(.phrase(phrase)).text == "\"a\"\" OR \"\"b\u{1F}c\" *")
  }
}

extension MatchSearch {
  /// The leaves of a disjunction or conjunction.
  var leaves: [MatchLeaf]? {
    switch node {
    case .or(let operands), .and(let operands):
      operands.compactMap { if case .leaf(let leaf) = $0 { leaf } else { nil } }
    case .leaf, .not, .nothing: nil
    }
  }
}
