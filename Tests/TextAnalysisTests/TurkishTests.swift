import Testing

@testable import TextAnalysis

@Suite struct TurkishTests {
  @Test(arguments: [
    ("KIZLAR", "kızlar"), ("IĞDIR", "ığdır"), ("ISI", "ısı"), ("İSTANBUL", "istanbul"), ("I\u{307}STANBUL", "istanbul"),
  ])
  func uppercaseIIsDotless(_ upper: String, _ lower: String) throws {
    for accents in [AnalyzerConfiguration.Accents.fold, .keep] {
      let analysis = try Analysis(AnalyzerConfiguration(language: "tr", accents: accents))
      #expect(analysis.stream(upper) == analysis.stream(lower))
      #expect(analysis.finds(lower, in: upper))
      #expect(analysis.finds(upper, in: lower))
    }
  }

  @Test func wordIsFoundByItsStem() throws {
    #expect(try Analysis(AnalyzerConfiguration(language: "tr")).finds("kız", in: "KIZLAR okulda"))
  }

  @Test func partsOfIdentifiersAreFolded() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "tr", accents: .keep, code: true))
    #expect(analysis.stream("ISI_2").hasPrefix("ısı"))
    #expect(analysis.stream(String(repeating: "I", count: 300)).hasPrefix("ııı"))
  }

  @Test func otherLanguagesKeepTheDot() throws {
    #expect(try Analysis(AnalyzerConfiguration(accents: .keep)).stream("KIZLAR") == "kizlar")
    #expect(try Analysis(AnalyzerConfiguration(language: "en")).stream("ISLAND").hasPrefix("island"))
  }

  /// The surface form of a query in several languages is that of no language.
  @Test func queriesInSeveralLanguagesHaveTheTurkishForm() throws {
    let configuration = AnalyzerConfiguration(
      accents: .keep, languageProperty: "language", queryLanguages: ["en", "tr"])
    let query = try Analysis(configuration).tokenizer.queryTerms("IĞDIR", prefix: false)
    let document = try Analysis(AnalyzerConfiguration(language: "tr", accents: .keep)).stream("Iğdır")
    let forms = Set(document.split(separator: "+").map(String.init))
    #expect(query.count == 1)
    #expect(!forms.isDisjoint(with: query.first?.forms ?? []))
    #expect(try Analysis(configuration).tokenizer.queryTerms("IĞD", prefix: true).first?.forms == ["iğd", "ığd"])
  }

  @Test(arguments: ["Ankara'da", "Ankara’da", "ANKARA'DAN"])
  func suffixesAfterAnApostropheAreRemovedFromStems(text: String) throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "tr"))
    #expect(analysis.finds("ankara", in: text))
    #expect(analysis.finds(text, in: "ankara"))
  }
}
