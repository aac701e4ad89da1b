import Foundation
import Testing

@testable import TextAnalysis

@Suite struct SynonymTests {
  private func expand(_ text: String, at index: Int = 0, _ rules: String...) throws -> (Int, [String]) {
    let configuration = AnalyzerConfiguration(language: "en", synonyms: try rules.map { try SynonymRule($0) })
    let analyzer = try Analyzer(configuration)
    let terms = analyzer.makeTokenizer().queryTerms(text, prefix: false)
    let found = analyzer.synonyms.expansions(at: index, in: terms)
    return (found.length, found.alternatives.map { $0.map { $0.forms[0] }.joined(separator: " ") })
  }

  @Test func groupsWorkBothWays() throws {
    #expect(try expand("tv", "tv, television, goggle box") == (1, ["televis", "goggl box"]))
    #expect(try expand("goggle boxes", "tv, television, goggle box") == (2, ["tv", "televis"]))
  }

  @Test func oneWayRulesDoNotWorkBack() throws {
    #expect(
      try expand("Laptops", "laptop => notebook, portable computer") == (1, ["notebook", "portabl comput"]))
    #expect(try expand("notebook", "laptop => notebook") == (0, []))
  }

  @Test func longestEntryWins() throws {
    #expect(try expand("new york city", "new, fresh", "new york, ny", "new york city => nyc") == (3, ["nyc"]))
    #expect(try expand("new york", "new, fresh", "new york, ny") == (2, ["ny"]))
    #expect(try expand("in new york", at: 1, "new york, ny") == (2, ["ny"]))
    #expect(try expand("new", at: 7, "new, fresh") == (0, []))
  }

  @Test func entriesMayBeIdeographs() throws {
    let analyzer = try Analyzer(
      AnalyzerConfiguration(synonyms: [SynonymRule("東京 駅, tokyo station"), SynonymRule("京, capital")]))
    let tokenizer = analyzer.makeTokenizer()
    let terms = ["東京", "駅"].flatMap { tokenizer.queryTerms($0, prefix: false) }
    #expect(analyzer.synonyms.expansions(at: 0, in: terms).length == 2)
    #expect(analyzer.synonyms.expansions(at: 0, in: tokenizer.queryTerms("京", prefix: false)).length == 1)
  }

  @Test func rulesWithSameEntryAreCombined() throws {
    #expect(try expand("car", "car, automobile", "car => vehicle") == (1, ["automobil", "vehicl"]))
  }

  @Test func alternativesHaveRangesOfReplacedTerms() throws {
    let analyzer = try Analyzer(AnalyzerConfiguration(synonyms: [SynonymRule("new york, ny")]))
    let terms = analyzer.makeTokenizer().queryTerms("in New York", prefix: false)
    let term = analyzer.synonyms.expansions(at: 1, in: terms).alternatives[0][0]
    #expect(term.start == 3 && term.end == 11)
  }

  @Test func prefixHasNoSynonyms() throws {
    let analyzer = try Analyzer(AnalyzerConfiguration(synonyms: [SynonymRule("tv, television")]))
    let terms = analyzer.makeTokenizer().queryTerms("tv", prefix: true)
    #expect(analyzer.synonyms.expansions(at: 0, in: terms).length == 0)
  }

  @Test(arguments: [
    ("alone", "a group needs two entries"), ("a, ", "an entry is empty"), ("=> a", "an entry is empty"),
    ("a => b => c", "there is more than one =>"),
  ])
  func invalidRulesThrowWithReason(_ text: String, _ reason: String) {
    #expect(throws: AnalyzerError.invalidSynonymRule(text, reason: reason)) { try SynonymRule(text) }
  }

  @Test func entryWithoutWordThrows() {
    #expect(throws: AnalyzerError.invalidSynonymRule("!!", reason: "the entry contains no word")) {
      try Analyzer(AnalyzerConfiguration(synonyms: [.group(["a", "!!"])]))
    }
  }
}
