import ArgumentParser
import Concordance

/// How text becomes terms, as far as the user says.
struct AnalysisOptions: ParsableArguments {
  /// What happens to accents.
  enum Accents: String, CaseIterable, ExpressibleByArgument {
    case keep
    case fold
  }

  /// Which words a search may pass over.
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
    help: ArgumentHelp("Whether ardeche finds Ardèche: fold (as long as nothing else is said) or keep."))
  var accents: Accents?

  @Flag(
    inversion: .prefixedNo,
    help: "Find identifiers by their parts as well: spinLock_irq by spin, lock and irq.")
  var code: Bool?

  @Option(help: ArgumentHelp("Words that a search may pass over: none, or the list of the language."))
  var stopWords: StopWords?
}

extension AnalysisOptions {
  /// Whether nothing was said.
  var isEmpty: Bool { language == nil && accents == nil && code == nil && stopWords == nil }

  /// Changes what was said.
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
  /// The language that a word of the user's names; nil for none.
  static func language(named name: String) -> String? { name.isEmpty || name == "none" ? nil : name }

  /// Ends the command where there is no such language.
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
  /// The language, or the word for none.
  var languageName: String { language.flatMap { $0.isEmpty ? nil : $0 } ?? "none" }
}
