import Testing

@testable import TextAnalysis

@Suite struct StopWordTests {
  private func marks(_ text: String, prefix: Bool = false, _ configuration: AnalyzerConfiguration) throws
    -> [Bool]
  {
    try Analyzer(configuration).makeTokenizer().queryTerms(text, prefix: prefix).map(\.isStopWord)
  }

  @Test func everyLanguageHasStopWords() throws {
    for language in Analyzer.languages {
      #expect(StopWordList.words(of: language).count >= 50, "\(language.name)")
      _ = try Analyzer(AnalyzerConfiguration(language: language.code, stopWords: .language))
    }
  }

  @Test func queriesMarkStopWords() throws {
    let configuration = AnalyzerConfiguration(language: "en", stopWords: .language)
    #expect(try marks("The cat isn’t here", configuration) == [true, false, true, true])
    #expect(try marks("the cat", AnalyzerConfiguration(language: "en")) == [false, false])
  }

  @Test func documentsKeepStopWords() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "en", stopWords: .language))
    #expect(analysis.stream("the cat") == "the|cat")
  }

  /// `the*` matches `theory`.
  @Test func prefixIsNotStopWord() throws {
    let configuration = AnalyzerConfiguration(language: "en", stopWords: .language)
    #expect(try marks("the", prefix: true, configuration) == [false])
  }

  @Test func stopWordsAreComparedFolded() throws {
    #expect(
      try marks("À OÙ maison", AnalyzerConfiguration(language: "fr", stopWords: .language)) == [
        true, true, false,
      ])
    #expect(try marks("foo Bär", AnalyzerConfiguration(stopWords: .custom(["BÄR"]))) == [false, true])
  }

  @Test func invalidStopWordsThrow() {
    #expect(throws: AnalyzerError.stopWordsWithoutLanguage) {
      try Analyzer(AnalyzerConfiguration(stopWords: .language))
    }
    #expect(throws: AnalyzerError.invalidStopWord("of the")) {
      try Analyzer(AnalyzerConfiguration(stopWords: .custom(["of the"])))
    }
    #expect(throws: AnalyzerError.invalidStopWord("…")) {
      try Analyzer(AnalyzerConfiguration(stopWords: .custom(["…"])))
    }
  }
}
