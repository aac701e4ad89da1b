import Foundation

extension Analyzer {
  /// Returns the analyzer for a document: the one for its language, if the configuration has a
  /// ``AnalyzerConfiguration/languageProperty`` and Snowball supports the language; otherwise this analyzer.
  ///
  /// - Parameter language: the value of the property: a code such as `de` or `pt-BR`; nil if it is missing.
  public func variant(for language: String?) -> Analyzer {
    guard configuration.languageProperty != nil, let language, let known = try? Language(language) else { return self }
    return variants.variant(of: configuration, in: known) ?? self
  }
}

extension AnalyzerConfiguration {
  /// Returns the configuration of a document in a language.
  func inLanguage(_ code: String) -> AnalyzerConfiguration {
    var result = self
    result.language = code
    result.languageProperty = nil
    result.queryLanguages = []
    // Synonyms apply to queries only.
    result.synonyms = []
    return result
  }
}

/// The analyzers of the languages of documents, created on demand. There are at most as many as Snowball has languages.
///
/// `@unchecked Sendable`: `analyzers` is accessed only under `lock`.
final class AnalyzerVariants: @unchecked Sendable {
  private let lock = NSLock()
  private var analyzers: [String: Analyzer] = [:]

  /// Returns the analyzer of a language; nil if it cannot be created.
  func variant(of configuration: AnalyzerConfiguration, in language: Language) -> Analyzer? {
    lock.withLock {
      if let known = analyzers[language.code] { return known }
      // The configuration was validated with the languages of queries; only a failed memory allocation can cause an
      // error here.
      let analyzer = try? Analyzer(configuration.inLanguage(language.code))
      analyzers[language.code] = analyzer
      return analyzer
    }
  }
}
