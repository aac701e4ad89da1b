import ArgumentParser
import Concordance

/// Options that determine how the text of single fields becomes terms.
struct FieldAnalysisOptions: ParsableArguments {
  /// An argument such as `title=de`.
  struct FieldLanguage: ExpressibleByArgument {
    let field: String
    let language: String

    init?(argument: String) {
      guard let (field, value) = FieldValue.split(argument) else { return nil }
      (self.field, language) = (field, value)
    }
  }

  /// An argument such as `source=on`.
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
      "The language of one field, if it differs; may be repeated.",
      discussion: "`none` for no stemming, `default` for the language of the index.", valueName: "field=language"))
  var languages: [FieldLanguage] = []

  @Option(
    name: .customLong("field-code"),
    help: ArgumentHelp(
      "Whether identifiers in one field are found by their parts; may be repeated.",
      valueName: "field=on|off"))
  var code: [FieldCode] = []
}

extension FieldAnalysisOptions {
  /// The value that stands for the language of the index.
  private static let defaultLanguage = "default"

  /// Throws if a language is unknown.
  func check() throws {
    for option in languages where option.language != FieldAnalysisOptions.defaultLanguage {
      try AnalysisOptions.check(language: option.language)
    }
  }

  /// Returns the analyzers of the fields that differ from the index's own.
  ///
  /// A setting in which a field agrees with the index so far follows the index when it changes.
  ///
  /// - Parameters:
  ///   - existing: the current analyzers of the fields.
  ///   - old: the current analyzer of the index.
  ///   - new: the new analyzer of the index.
  ///   - fields: the fields of the index; analyzers of other fields are dropped.
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
  /// Returns the configuration in which every setting equal to `old` is replaced with that of `new`.
  fileprivate func following(from old: AnalyzerConfiguration, to new: AnalyzerConfiguration) -> AnalyzerConfiguration {
    var result = self
    if language == old.language { result.language = new.language }
    if accents == old.accents { result.accents = new.accents }
    if stopWords == old.stopWords { result.stopWords = new.stopWords }
    if synonyms == old.synonyms { result.synonyms = new.synonyms }
    if code == old.code { result.code = new.code }
    return result
  }

  /// The configuration without stop words if its language has none.
  fileprivate var withPossibleStopWords: AnalyzerConfiguration {
    var result = self
    if stopWords == .language, languageName == "none" { result.stopWords = .none }
    return result
  }
}
