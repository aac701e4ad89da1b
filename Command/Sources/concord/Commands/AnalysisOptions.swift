public import ArgumentParser
public import Concordance
import CorpusReader

/// Options that determine how text becomes terms.
struct AnalysisOptions: ParsableArguments {
  /// The words that a search may ignore.
  enum StopWords: String, CaseIterable, ExpressibleByArgument {
    case none
    case language
  }

  @Option(
    help: ArgumentHelp(
      "\(AnalyzerOption.language.help)",
      discussion: "`concord analyze --languages` lists them. With auto, each document has its own language.",
      valueName: "language"),
    completion: .list(Analyzer.languages.map(\.code) + ["none", AnalysisOptions.auto]))
  var language: String?

  @Option(help: "\(AnalyzerOption.accents.help)")
  var accents: AnalyzerConfiguration.Accents?

  @Flag(inversion: .prefixedNo, help: "\(AnalyzerOption.code.help)")
  var code: Bool?

  @Option(help: "\(AnalyzerOption.stopWords.help)")
  var stopWords: StopWords?

  /// The value of `--language` that selects the language of each document.
  static let auto = "auto"
  /// The property of a document with its language.
  static let languageProperty = "language"

  /// Whether each document has its own language.
  var isAutomatic: Bool { language == AnalysisOptions.auto }

  /// Whether no option was given.
  var isEmpty: Bool { language == nil && accents == nil && code == nil && stopWords == nil }

  /// Returns the configuration of a full-text index with the given options.
  func configuration(_ fields: [String], where condition: String?) -> FullTextIndexConfiguration {
    var configuration = FullTextIndexConfiguration(fields, where: condition)
    // The library keeps accents by default, as Couchbase Lite does.
    configuration.analyzer.accents = .fold
    apply(to: &configuration.analyzer)
    return configuration
  }

  /// Applies the given options to a configuration.
  func apply(to configuration: inout AnalyzerConfiguration) {
    if let language {
      configuration.language = AnalysisOptions.language(named: language)
      configuration.languageProperty = isAutomatic ? AnalysisOptions.languageProperty : nil
      if !isAutomatic { configuration.queryLanguages = [] }
    }
    if let accents { configuration.accents = accents }
    if let code { configuration.code = code }
    switch stopWords {
    case StopWords.none?: configuration.stopWords = .none
    case .language?: configuration.stopWords = .language
    case nil: break
    }
  }
}

extension AnalysisOptions {
  /// The options, by their names in configuration files.
  enum Name: String, CaseIterable {
    case language
    case accents
    case code
    case stopWords = "stop-words"
  }

  /// The options as command-line flags, for messages.
  static let flags = names.dropLast().map { "--\($0)" }.joined(separator: ", ") + " and --\(names.suffix(1).joined())"
  /// The names of the options in configuration files.
  static let names = Name.allCases.map(\.rawValue)

  /// Applies a setting of a configuration file, unless the command line has the option.
  mutating func apply(_ name: Name, _ value: ConfigurationValue) throws {
    switch name {
    case .language:
      let text = try value.text()
      if text != "none", text != AnalysisOptions.auto { _ = try value.language() }
      language = language ?? text
    case .accents: accents = try accents ?? value.choice()
    case .code: code = try code ?? value.boolean()
    case .stopWords: stopWords = try stopWords ?? value.choice()
    }
  }
}

extension ConfigurationValue {
  /// Returns the value as a case of an enumeration.
  fileprivate func choice<Choice: RawRepresentable & CaseIterable>() throws -> Choice where Choice.RawValue == String {
    let text = try text()
    guard let choice = Choice(rawValue: text) else {
      throw error("expected \(Choice.allCases.map(\.rawValue).joined(separator: " or ")), not \"\(text)\"")
    }
    return choice
  }
}

extension AnalyzerConfiguration.Accents: @retroactive ExpressibleByArgument {}

/// Options that determine how the text of individual fields becomes terms.
struct FieldAnalysisOptions: ParsableArguments {
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

  /// Applies the given options to the configurations of individual fields.
  ///
  /// - Parameters:
  ///   - analyzers: the configurations of fields that differ from that of the index.
  ///   - common: the configuration of the index, which applies to other fields.
  func apply(to analyzers: inout [String: AnalyzerConfiguration], common: AnalyzerConfiguration) {
    for option in languages {
      var analyzer = analyzers[option.field] ?? common
      analyzer.language = option.isDefault ? common.language : AnalysisOptions.language(named: option.language)
      analyzer.languageProperty = option.isDefault ? common.languageProperty : nil
      analyzer.queryLanguages = option.isDefault ? common.queryLanguages : []
      analyzer.stopWords = common.stopWords
      analyzers[option.field] = analyzer
    }
    for option in code { analyzers[option.field, default: common].code = option.isOn }
  }
}
