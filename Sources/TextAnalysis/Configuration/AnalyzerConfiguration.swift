/// The configuration for converting text to terms. An index stores it, and every query of the index must use the same
/// one.
///
/// The default configuration folds case and accents, and neither stems nor drops any word:
///
/// ```swift
/// var configuration = AnalyzerConfiguration()
/// configuration.language = "en"
/// configuration.synonyms = [try SynonymRule("tv, television")]
/// let analyzer = try Analyzer(configuration)
/// ```
///
/// In JSON, a configuration is an object with the property names below; a missing property has its default value. A
/// stop word list is `"none"`, `"language"` or an array; for a synonym rule see ``SynonymRule``.
public struct AnalyzerConfiguration: Hashable, Sendable {
  /// The treatment of accents and of letters that differ only by a mark.
  public enum Accents: String, CaseIterable, Codable, Hashable, Sendable {
    /// `Ardèche` and `ardeche` are the same word.
    case fold
    /// `Ardèche` and `ardeche` differ; case, width and compatibility forms are still folded.
    case keep
  }

  /// The words that a query marks as ``QueryTerm/isStopWord``. They are always indexed.
  public enum StopWords: Hashable, Sendable {
    case none
    /// The list of ``AnalyzerConfiguration/language``.
    case language
    /// These words. Each is analyzed like a query and must consist of one term.
    case custom([String])
  }

  /// The language of the stemmer: a code (`en`, `en_US`, `pt-BR`) or an English name (`english`). `nil` and `""` mean
  /// no stemming; the locale of the machine is ignored.
  ///
  /// The value is normalized, so that equivalent configurations compare equal: `english` and `en_US` become `en`, and
  /// `""` becomes nil. An unknown language is kept unchanged for the error message.
  public var language: String? {
    didSet { language = AnalyzerConfiguration.normalized(language) }
  }
  /// The property of a document that contains the code of its language, for an index of documents in several languages;
  /// nil if all documents are in ``language``.
  ///
  /// The words of a document are stemmed with the stemmer of its own language, or of ``language`` if the property is
  /// missing or Snowball does not support the language. A word of a query matches the form that it has in any of
  /// ``queryLanguages``.
  public var languageProperty: String?
  /// The codes of the languages with which queries are analyzed if there is a ``languageProperty``: those of the
  /// documents. Empty for all languages, which takes longer and finds more unrelated words.
  public var queryLanguages: [String] {
    didSet { queryLanguages = queryLanguages.compactMap(AnalyzerConfiguration.normalized) }
  }
  public var accents: Accents
  public var stopWords: StopWords
  public var synonyms: [SynonymRule]
  /// Whether the parts of identifiers are also indexed: `spin`, `lock` and `irq` of `spinLock_irq`.
  public var code: Bool

  public init(
    language: String? = nil, accents: Accents = .fold, stopWords: StopWords = .none,
    synonyms: [SynonymRule] = [], code: Bool = false, languageProperty: String? = nil, queryLanguages: [String] = []
  ) {
    self.languageProperty = languageProperty
    self.queryLanguages = queryLanguages.compactMap(AnalyzerConfiguration.normalized)
    self.language = AnalyzerConfiguration.normalized(language)
    self.accents = accents
    self.stopWords = stopWords
    self.synonyms = synonyms
    self.code = code
  }

  private static func normalized(_ language: String?) -> String? {
    guard let language, !language.isEmpty else { return nil }
    return (try? Language(language))?.code ?? language
  }
}

extension AnalyzerOption {
  /// Every option, in the order in which descriptions list them.
  public static let all = [language, languageProperty, queryLanguages, accents, code, stopWords, synonyms]

  /// See ``AnalyzerConfiguration/language``.
  public static let language = AnalyzerOption(
    "language", \.language, changesTerms: true, colocatesTerms: { $0 != nil }, isWritten: { $0 != nil },
    help: "The language whose inflections are ignored: a code or an English name, or none."
  ) { $0 ?? "none" }

  /// See ``AnalyzerConfiguration/languageProperty``.
  public static let languageProperty = AnalyzerOption(
    "languageProperty", \.languageProperty, changesTerms: true, colocatesTerms: { $0 != nil },
    isWritten: { $0 != nil },
    help: "The property with the language of a document, if documents have different languages."
  ) { $0 ?? "none" }

  /// See ``AnalyzerConfiguration/queryLanguages``.
  public static let queryLanguages = AnalyzerOption(
    "queryLanguages", \.queryLanguages, changesTerms: false, isWritten: { !$0.isEmpty },
    help: "The languages of queries, if documents have different languages."
  ) { $0.isEmpty ? "all" : $0.joined(separator: ", ") }

  /// See ``AnalyzerConfiguration/accents-swift.property``.
  public static let accents = AnalyzerOption(
    "accents", \.accents, changesTerms: true,
    help: "Whether ardeche finds Ardèche: fold (the default) or keep."
  ) { $0.rawValue }

  /// See ``AnalyzerConfiguration/code``.
  public static let code = AnalyzerOption(
    "code", \.code, changesTerms: true, colocatesTerms: { $0 },
    help: "Also find identifiers by their parts: spinLock_irq by spin, lock and irq."
  ) { $0 ? "on" : "off" }

  /// See ``AnalyzerConfiguration/stopWords-swift.property``.
  public static let stopWords = AnalyzerOption(
    "stopWords", \.stopWords, changesTerms: false,
    help: "Words that a search may ignore: none, or the list of the language."
  ) { words in
    switch words {
    case .none: "none"
    case .language: "language"
    case .custom(let words): words.joined(separator: ", ")
    }
  }

  /// See ``AnalyzerConfiguration/synonyms``.
  public static let synonyms = AnalyzerOption(
    "synonyms", \.synonyms, changesTerms: false, help: "Words that a search treats as synonyms, one rule per line."
  ) { $0.isEmpty ? "none" : "\($0.count) rules" }
}

extension AnalyzerConfiguration.StopWords: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let words = try? container.decode([String].self) {
      self = .custom(words)
      return
    }
    switch try container.decode(String.self) {
    case "none": self = .none
    case "language": self = .language
    case let other:
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "stop words are \"none\", \"language\" or an array, not \"\(other)\""
      )
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encode("none")
    case .language: try container.encode("language")
    case .custom(let words): try container.encode(words)
    }
  }
}
