import Foundation
import Testing

@testable import TextAnalysis

@Suite struct ConfigurationTests {
  @Test func configurationRoundTripsThroughJSON() throws {
    let configuration = AnalyzerConfiguration(
      language: "de", accents: .keep, stopWords: .custom(["x"]),
      synonyms: [.group(["a, b", "c"]), .oneWay(from: ["d"], to: ["e f"])], code: true)
    let data = try JSONEncoder().encode(configuration)
    #expect(try JSONDecoder().decode(AnalyzerConfiguration.self, from: data) == configuration)
  }

  @Test func missingPropertiesHaveDefaults() throws {
    let json = #"{"language": "en", "stopWords": "language", "synonyms": ["a, b", "c => d"]}"#
    let configuration = try JSONDecoder().decode(AnalyzerConfiguration.self, from: Data(json.utf8))
    let expected = AnalyzerConfiguration(
      language: "en", stopWords: .language, synonyms: [.group(["a", "b"]), .oneWay(from: ["c"], to: ["d"])])
    #expect(configuration == expected)
  }

  @Test func unknownValuesThrow() {
    let json = Data(#"{"stopWords": "some"}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(AnalyzerConfiguration.self, from: json) }
  }
}
