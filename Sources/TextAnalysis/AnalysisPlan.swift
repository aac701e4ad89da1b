/// The resolved form of a configuration, which all tokenizers share. Immutable.
struct AnalysisPlan: Sendable {
  let normalizers: Normalizers
  let accents: AnalyzerConfiguration.Accents
  let language: Language?
  let code: Bool
  /// The plans for the query languages, if documents are in different languages.
  private(set) var queryPlans: [AnalysisPlan] = []
  /// The stop words of the configuration, folded.
  var stopWords: Set<String> = []
  /// The stop words of the configuration and of the language, folded.
  var functionWords: Set<String> = []

  /// Resolves a configuration.
  ///
  /// - Throws: ``AnalyzerError`` if the language is unknown or ICU has no data.
  init(_ configuration: AnalyzerConfiguration) throws {
    normalizers = try Normalizers()
    _ = try WordBreaker()
    accents = configuration.accents
    language = try configuration.language.flatMap { $0.isEmpty ? nil : try Language($0) }
    code = configuration.code
    if configuration.languageProperty != nil {
      let languages =
        configuration.queryLanguages.isEmpty
        ? Language.all : try configuration.queryLanguages.map { try Language($0) }
      queryPlans = try languages.map { try AnalysisPlan(configuration.inLanguage($0.code)) }
      // A stop word of any of the languages need not occur in a matching document.
      if configuration.stopWords == .language, language == nil {
        stopWords = queryPlans.reduce(into: []) { $0.formUnion($1.stopWords) }
        functionWords = stopWords
        return
      }
    }
    stopWords = try Self.folded(configuration.stopWords, language: language, with: Tokenizer(self))
    functionWords =
      language == nil
      ? stopWords : try stopWords.union(Self.folded(.language, language: language, with: Tokenizer(self)))
    for plan in queryPlans {
      stopWords.formUnion(plan.stopWords)
      functionWords.formUnion(plan.functionWords)
    }
  }

  /// Whether queries search for the surface form in addition to the stem. The stemmers of most languages depend on
  /// accents, so a word typed without accents can have a different stem than in the text; its surface form still
  /// matches. In English and Indonesian, stems do not depend on accents.
  var queriesSurfaceForms: Bool {
    guard let language else { return false }
    return !["english", "porter", "indonesian"].contains(language.name)
  }

  private static func folded(
    _ words: AnalyzerConfiguration.StopWords, language: Language?, with tokenizer: Tokenizer
  ) throws -> Set<String> {
    switch words {
    case .none: return []
    case .language:
      guard let language else { throw AnalyzerError.stopWordsWithoutLanguage }
      return Set(StopWordList.words(of: language).flatMap { tokenizer.surfaceForms($0) })
    case .custom(let words):
      return try Set(
        words.map { word in
          let forms = tokenizer.surfaceForms(word)
          guard let form = forms.first, forms.count == 1 else { throw AnalyzerError.invalidStopWord(word) }
          return form
        })
    }
  }
}
