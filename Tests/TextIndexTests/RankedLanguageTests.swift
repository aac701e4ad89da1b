import GRDB
import QueryModel
import TextAnalysis
import Testing

@testable import TextIndex

/// Stop words and synonyms in ranked queries of a search box.
@Suite struct RankedLanguageTests {
  private func found(_ box: String, in index: TestIndex, relaxing: Bool = true) throws -> [Int64] {
    let parsed = try #require(SearchBoxParser(fields: ["text"]).parse(box).query)
    return try index.queue.read { db in
      let query = try RelaxableQuery(parsed, in: index.index, db)
      return try (relaxing ? query.chosen(db) : query.allWords).ranked(db, limit: 100).map(\.rowID)
    }
  }

  private func index(_ texts: [String], _ analyzer: AnalyzerConfiguration) throws -> TestIndex {
    let index = try TestIndex(["text"], analyzer)
    for (number, text) in texts.enumerated() { try index.insert(Int64(number + 1), "{\"text\":\"\(text)\"}") }
    return index
  }

  @Test func stopWordsInPhrasesAreKept() throws {
    let english = AnalyzerConfiguration(language: "en", stopWords: .language)
    let index = try index(["the who live", "live of who", "who knows the song"], english)
    #expect(try found("\"the who\"", in: index) == [1])
    #expect(try found("\"the who\" live", in: index) == [1])
    #expect(Set(try found("the live", in: index)) == [1, 2])
  }

  @Test func queryOfOnlyStopWordsKeepsThem() throws {
    let english = AnalyzerConfiguration(language: "en", stopWords: .language)
    let index = try index(["to be or not to be", "memory"], english)
    #expect(try found("to be", in: index) == [1])
    #expect(try found("not the memory", in: index) == [2])
  }

  @Test func customStopWordsAreDropped() throws {
    let index = try index(["acme pump", "pump"], AnalyzerConfiguration(stopWords: .custom(["acme"])))
    #expect(Set(try found("acme pump", in: index)) == [1, 2])
    #expect(try found("acme", in: index) == [1])
    #expect(try found("acme valve", in: index) == [])
  }

  @Test func oneWaySynonymsApplyInOneDirection() throws {
    let index = try index(
      ["dog", "animal"], AnalyzerConfiguration(synonyms: [try SynonymRule("animal => animal, dog")]))
    #expect(Set(try found("animal", in: index)) == [1, 2])
    #expect(try found("dog", in: index) == [1])
  }

  @Test func twoWaySynonymsMayHaveSeveralWords() throws {
    let index = try index(
      ["wifi router", "wireless network router", "network of wireless things", "router"],
      AnalyzerConfiguration(synonyms: [try SynonymRule("wifi, wireless network")]))
    #expect(Set(try found("wifi router", in: index)) == [1, 2])
    #expect(Set(try found("wireless network router", in: index, relaxing: false)) == [1, 2])
    #expect(Set(try found("wifi", in: index)) == [1, 2])
  }

  @Test func synonymsAreRankedLikeTheWord() throws {
    let filler = (0..<40).map { "w\($0)" }.joined(separator: " ")
    let index = try index(
      ["car \(filler)", "automobile", "bus"], AnalyzerConfiguration(synonyms: [try SynonymRule("car, automobile")]))
    #expect(try found("car", in: index) == [2, 1])
  }

  @Test func relaxedQueriesIncludeSynonyms() throws {
    let index = try index(
      ["wifi antenna", "wireless network", "bus"],
      AnalyzerConfiguration(synonyms: [try SynonymRule("wifi, wireless network")]))
    #expect(Set(try found("wifi zeppelin", in: index)) == [1, 2])
  }
}
