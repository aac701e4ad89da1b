import ArgumentParser
import Concordance

/// Options that determine how text becomes terms.
struct AnalysisOptions: ParsableArguments {
  /// The treatment of accents.
  enum Accents: String, CaseIterable, ExpressibleByArgument {
    case keep
    case fold
  }

  /// The words that a search may ignore.
  enum StopWords: String, CaseIterable, ExpressibleByArgument {
    case none
    case language
  }

  @Option(
    help: ArgumentHelp(
      "The language whose inflections are ignored: a code or an English name, or none.",
      discussion: "`concord analyze --languages` lists them.", valueName: "language"),
    completion: .list(Analyzer.languages.map(\.code) + ["none"]))
  var language: String?

  @Option(
    help: ArgumentHelp("Whether ardeche finds Ardèche: fold (the default) or keep."))
  var accents: Accents?

  @Flag(
    inversion: .prefixedNo,
    help: "Also find identifiers by their parts: spinLock_irq by spin, lock and irq.")
  var code: Bool?

  @Option(help: ArgumentHelp("Words that a search may ignore: none, or the list of the language."))
  var stopWords: StopWords?
}

extension AnalysisOptions {
  /// Whether no option was given.
  var isEmpty: Bool { language == nil && accents == nil && code == nil && stopWords == nil }

  /// Applies the given options to a configuration.
  func apply(to configuration: inout AnalyzerConfiguration) {
    if let language { configuration.language = AnalysisOptions.language(named: language) }
    switch accents {
    case .keep: configuration.accents = .keep
    case .fold: configuration.accents = .fold
    case nil: break
    }
    if let code { configuration.code = code }
    switch stopWords {
    case StopWords.none?: configuration.stopWords = .none
    case .language?: configuration.stopWords = .language
    case nil: break
    }
  }
}

extension AnalysisOptions {
  /// Returns the language for a name typed by the user; nil for none.
  static func language(named name: String) -> String? { name.isEmpty || name == "none" ? nil : name }

  /// Throws if the language is unknown.
  static func check(language name: String) throws {
    guard let language = language(named: name) else { return }
    do {
      _ = try Analyzer(AnalyzerConfiguration(language: language))
    } catch let error as AnalyzerError {
      throw CommandFailure(error.description)
    }
  }
}

extension AnalyzerConfiguration {
  /// The name of the language, or "none".
  var languageName: String { language.flatMap { $0.isEmpty ? nil : $0 } ?? "none" }
}
