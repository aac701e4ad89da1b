import CSnowball
import Testing

@testable import TextAnalysis

@Suite struct StemmingTests {
  @Test func stemHasPositionOfSurfaceForm() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "en"))
    #expect(analysis.stream("Running cats run") == "running+run|cats+cat|run")
    #expect(Array(analysis.buffer.stream.prefix(11)) == Array("running".utf8) + [0x1F] + Array("run".utf8))
    #expect(analysis.buffer.tokens.map(\.isColocated) == [false, true, false, true, false])
    #expect(analysis.buffer.tokens[1].start == 0 && analysis.buffer.tokens[1].end == 7)
  }

  @Test func numbersAndIdentifiersAreNotStemmed() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "en"))
    #expect(analysis.stream("models2 foo_models 3.5s") == "models2|foo_models|3.5s")
  }

  @Test func stemmerReceivesAccents() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "fr"))
    #expect(analysis.stream("nationalités") == "nationalites+national")
    #expect(analysis.query("nationalites").first?.hasSuffix("/nationalites") == true)
    #expect(analysis.finds("nationalites", in: "les nationalités"))
  }

  @Test func elidedArticlesAreRemovedFromStems() throws {
    let french = try Analysis(AnalyzerConfiguration(language: "french"))
    #expect(french.stream("l’avion") == "l'avion+avion")
    #expect(french.finds("avions", in: "dans l'avion"))
    #expect(try Analysis(AnalyzerConfiguration(language: "it")).finds("acqua", in: "dell'acqua"))
  }

  @Test func accentsCanBeKeptInStems() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "fr", accents: .keep))
    #expect(analysis.stream("élèves") == "élèves+élev")
  }

  /// The example of ``Analyzer``.
  @Test func exampleOfAnalyzer() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "fr"))
    #expect(analysis.stream("L'Ardèche") == "l'ardeche+ardech")
    #expect(analysis.query("ardeche") == ["ardech/ardeche"])
  }

  @Test func queriesMatchStems() throws {
    let english = try Analysis(AnalyzerConfiguration(language: "en"))
    #expect(english.query("running shoes") == ["run", "shoe"])
    #expect(english.query("running shoes", prefix: true) == ["run", "shoes*"])
    #expect(try Analysis(AnalyzerConfiguration(language: "de")).query("Häusern") == ["haus/hausern"])
  }

  /// `sanitize`, `sanit*` and `sanitiz*` all match the inflections of `sanitizing`.
  @Test func prefixesMatchSurfaceForms() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "en"))
    let terms = analysis.terms(Array("sanitize".utf8))
    for length in 1...8 {
      let query = analysis.tokenizer.queryTerms(String("sanitize".prefix(length)), prefix: true)
      #expect(terms.contains { $0.hasPrefix(query[0].forms[0]) })
    }
  }

  @Test func everyInstalledStemmerIsALanguage() throws {
    var installed: Set<String> = []
    var next = sb_stemmer_list()
    while let name = next?.pointee {
      installed.insert(String(cString: name))
      next = next?.successor()
    }
    #expect(Set(Analyzer.languages.map(\.name)) == installed)
    #expect(Set(Analyzer.languages.map(\.code)).count == installed.count)
    for language in Analyzer.languages {
      #expect(language.code.count == 2 || language.name == "porter")
      #expect(try Analysis(AnalyzerConfiguration(language: language.code)).stream("x") == "x")
      #expect(try Language(language.name) == language)
    }
  }

  @Test(arguments: ["en", "en_US", "EN-gb", "english", "eng"])
  func languageIsFoundByCodeOrName(_ name: String) throws {
    #expect(try Language(name).code == "en")
  }

  @Test func noLanguageMeansNoStemming() throws {
    #expect(try Analysis(AnalyzerConfiguration(language: "")).stream("running") == "running")
    #expect(try Analysis().stream("running") == "running")
  }

  @Test func unknownLanguageErrorListsKnownLanguages() {
    let error = #expect(throws: AnalyzerError.self) {
      try Analyzer(AnalyzerConfiguration(language: "klingon"))
    }
    #expect(error?.description.hasPrefix("unknown language \"klingon\"; known: ar (arabic), ") == true)
  }
}
