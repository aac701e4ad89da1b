import ArgumentParser
import Concordance

/// How the text of single fields becomes terms, as far as the user says.
struct FieldAnalysisOptions: ParsableArguments {
  /// `title=de`.
  struct FieldLanguage: ExpressibleByArgument {
    let field: String
    let language: String

    init?(argument: String) {
      guard let (field, value) = FieldValue.split(argument) else { return nil }
      (self.field, language) = (field, value)
    }
  }

  /// `source=on`.
  struct FieldCode: ExpressibleByArgument {
    let field: String
    let isOn: Bool

    init?(argument: String) {
      guard let (field, value) = FieldValue.split(argument), value == "on" || value == "off" else { return nil }
      (self.field, isOn) = (field, value == "on")
    }
  }

  @Option(
    name: .customLong("field-language"),
    help: ArgumentHelp(
      "The language of one field, where it is another one; may be given several times.",
      discussion: "`none` for no stemming, `default` for that of the index again.", valueName: "field=language"))
  var languages: [FieldLanguage] = []

  @Option(
    name: .customLong("field-code"),
    help: ArgumentHelp(
      "Whether identifiers in one field are found by their parts; may be given several times.",
      valueName: "field=on|off"))
  var code: [FieldCode] = []
}

extension FieldAnalysisOptions {
  /// The word for the language of the index.
  private static let defaultLanguage = "default"

  /// Ends the command where a language is not known.
  func check() throws {
    for option in languages where option.language != FieldAnalysisOptions.defaultLanguage {
      try AnalysisOptions.check(language: option.language)
    }
  }

  /// The analyzers of the fields that differ from the index's own.
  ///
  /// What a field has like the index so far stays like it when the index changes.
  ///
  /// - Parameters:
  ///   - existing: what the fields have so far.
  ///   - old: the index's own analyzer so far.
  ///   - new: what it becomes.
  ///   - fields: the fields of the index; what others had is gone.
  func analyzers(
    _ existing: [String: AnalyzerConfiguration], index old: AnalyzerConfiguration, _ new: AnalyzerConfiguration,
    fields: [String]
  ) -> [String: AnalyzerConfiguration] {
    var analyzers = existing.filter { fields.contains($0.key) }.mapValues { $0.following(from: old, to: new) }
    for option in languages {
      let isDefault = option.language == FieldAnalysisOptions.defaultLanguage
      var analyzer = analyzers[option.field] ?? new
      analyzer.language = isDefault ? new.language : AnalysisOptions.language(named: option.language)
      analyzer.stopWords = new.stopWords
      analyzers[option.field] = analyzer
    }
    for option in code { analyzers[option.field, default: new].code = option.isOn }
    return analyzers.mapValues(\.withPossibleStopWords).filter { $0.value != new }
  }
}

extension AnalyzerConfiguration {
  /// The same where everything that is as in one analyzer becomes as in another.
  fileprivate func following(from old: AnalyzerConfiguration, to new: AnalyzerConfiguration) -> AnalyzerConfiguration {
    var result = self
    if language == old.language { result.language = new.language }
    if accents == old.accents { result.accents = new.accents }
    if stopWords == old.stopWords { result.stopWords = new.stopWords }
    if synonyms == old.synonyms { result.synonyms = new.synonyms }
    if code == old.code { result.code = new.code }
    return result
  }

  /// The same without the stop words of a language that it does not have.
  fileprivate var withPossibleStopWords: AnalyzerConfiguration {
    var result = self
    if stopWords == .language, languageName == "none" { result.stopWords = .none }
    return result
  }
}
