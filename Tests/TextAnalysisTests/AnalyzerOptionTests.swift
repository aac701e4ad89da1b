import Foundation
import Testing
import TextAnalysis

/// The declarations of options, from which JSON, comparisons and descriptions are derived.
struct AnalyzerOptionTests {
  /// A configuration in which no option has its default value.
  private static let nonDefault = AnalyzerConfiguration(
    language: "de", accents: .keep, stopWords: .custom(["und"]), synonyms: [.group(["tv", "television"])], code: true,
    languageProperty: "lang", queryLanguages: ["de", "fr"])

  /// Returns the values of all declared options of a configuration as JSON.
  private func values(_ configuration: AnalyzerConfiguration) throws -> [String: Data] {
    try Dictionary(
      uniqueKeysWithValues: AnalyzerOption.all.map { ($0.name, try JSONEncoder().encode($0.value(of: configuration))) })
  }

  @Test func everyPropertyIsADeclaredOption() {
    let properties = Mirror(reflecting: AnalyzerConfiguration()).children.compactMap(\.label)
    #expect(Set(properties) == Set(AnalyzerOption.all.map(\.name)))
    #expect(AnalyzerOption.all.count == properties.count)
    for option in AnalyzerOption.all {
      #expect(option.text(of: AnalyzerConfiguration()) != option.text(of: Self.nonDefault), "\(option.name)")
      #expect(option.help.hasSuffix("."))
    }
  }

  @Test func everyOptionIsWrittenAndRead() throws {
    for configuration in [AnalyzerConfiguration(), Self.nonDefault] {
      let text = try JSONEncoder().encode(configuration)
      #expect(try JSONDecoder().decode(AnalyzerConfiguration.self, from: text) == configuration)
    }
    let written = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(Self.nonDefault)) as? [String: Any])
    #expect(Set(written.keys) == Set(AnalyzerOption.all.map(\.name)))
    #expect(try JSONDecoder().decode(AnalyzerConfiguration.self, from: Data("{}".utf8)) == AnalyzerConfiguration())
  }

  /// As in earlier versions, the language is omitted if there is none, and the other options are always written.
  @Test func jsonIsCompatibleWithEarlierVersions() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(AnalyzerConfiguration()), as: UTF8.self)
        == #"{"accents":"fold","code":false,"stopWords":"none","synonyms":[]}"#)
    #expect(
      String(
        decoding: try encoder.encode(AnalyzerConfiguration(language: "english", stopWords: .language)), as: UTF8.self)
        == #"{"accents":"fold","code":false,"language":"en","stopWords":"language","synonyms":[]}"#)
    let old = #"{"accents":"keep","language":"pt-BR","stopWords":["a"],"unknown":1}"#
    #expect(
      try JSONDecoder().decode(AnalyzerConfiguration.self, from: Data(old.utf8))
        == AnalyzerConfiguration(language: "pt", accents: .keep, stopWords: .custom(["a"])))
  }

  @Test func onlyOptionsThatChangeTermsRequireRebuild() {
    let plain = AnalyzerConfiguration()
    var changed = plain
    changed.stopWords = .custom(["und"])
    changed.synonyms = Self.nonDefault.synonyms
    #expect(changed.makesSameTerms(as: plain))
    for change: (inout AnalyzerConfiguration) -> Void in [
      { $0.language = "de" }, { $0.accents = .keep }, { $0.code = true },
    ] {
      var other = plain
      change(&other)
      #expect(!other.makesSameTerms(as: plain))
    }
  }

  @Test func stemsAndPartsAreColocated() {
    #expect(!AnalyzerConfiguration(accents: .keep, stopWords: .custom(["a"])).colocatesTerms)
    #expect(AnalyzerConfiguration(language: "en").colocatesTerms)
    #expect(AnalyzerConfiguration(code: true).colocatesTerms)
  }

  @Test func followingChangesOnlyOptionsThatWereEqual() throws {
    let old = AnalyzerConfiguration(language: "en")
    var field = old
    field.accents = .keep
    let followed = field.following(from: old, to: Self.nonDefault)
    var expected = Self.nonDefault
    expected.accents = .keep
    #expect(followed == expected)
    // If all options were equal, all of them are changed.
    #expect(try values(old.following(from: old, to: Self.nonDefault)) == values(Self.nonDefault))
  }
}
