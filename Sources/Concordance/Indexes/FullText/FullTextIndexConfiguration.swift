import QueryCompiler
import QueryModel
public import TextIndex

/// The definition of a full-text index.
///
/// ```swift
/// var config = FullTextIndexConfiguration(["name", "reviews[].content"], ignoreAccents: true, language: "en")
/// config.weights = ["name": 3]
/// try hotels.createIndex(withName: "text", config: config)
/// ```
public struct FullTextIndexConfiguration: IndexConfiguration, Hashable {
  /// The default of ``ignoreAccents``: false.
  public static let defaultIgnoreAccents = false

  /// The name of the field that contains all strings of a document that belong to no other field of the index: `*`.
  public static let everyOtherString = FullTextField.everyOtherStringName

  /// The properties that become fields: paths such as `name`, `geo.alt`, `reviews[].content`, or `*` for
  /// ``everyOtherString``. Arrays and dictionaries below a property are flattened: strings are indexed as they are,
  /// numbers as their digits, booleans as `T` and `F`.
  public let expressions: [String]

  /// The condition that indexed documents satisfy, in SQL++; nil for all documents.
  ///
  /// ```swift
  /// FullTextIndexConfiguration(["name", "description"], where: "type = 'hotel'")
  /// ```
  ///
  /// `MATCH` and searches with the index find only these documents. The condition can use properties and `META().id`,
  /// but not parameters, models, or functions whose results may change.
  public let `where`: String?

  /// The documents that ``everyOtherString`` excludes, by their properties; nil for none. Intended for corpora of files
  /// and records, because the other strings of a file are only its path, type and time.
  ///
  /// ```swift
  /// config.excludedFromOtherStrings = DocumentShape(strings: ["text"], members: ["path", "modified"])
  /// ```
  public var excludedFromOtherStrings: DocumentShape?

  /// The weights of fields; fields that are not listed have the weight 1. A search can override them; see
  /// ``SearchRequest/weights``. Weights, ``model``, ``k1`` and ``b`` can be changed without rebuilding the index.
  public var weights: [String: Double] = [:]

  /// The ranking model. A search can override it; see ``SearchRequest/model``.
  public var model = RankingModel.bm25

  /// How quickly repeated occurrences of a term stop raising the score (BM25's k1), from 0 (immediately) to 1000.
  public var k1 = 1.2

  /// How much the length of a field lowers the score (BM25's b), from 0 (not at all) to 1.
  public var b = 0.75

  /// The analyzer of the fields that are not in ``fieldAnalyzers``.
  public var analyzer: AnalyzerConfiguration

  /// The analyzers of individual fields, by field name, for fields in other languages or with source code.
  ///
  /// ```swift
  /// var config = FullTextIndexConfiguration(["title", "beschreibung", "source"], language: "en")
  /// config.fieldAnalyzers["beschreibung"] = AnalyzerConfiguration(language: "de", stopWords: .language)
  /// config.fieldAnalyzers["source"] = AnalyzerConfiguration(code: true)
  /// ```
  ///
  /// All options of an analyzer apply only to its field: language, accents, code, stop words and synonyms. A query is
  /// analyzed once with each analyzer of the fields that it searches. Each field is searched for the terms that its own
  /// analyzer produces for a word, and the word is scored once. A word that is a stop word in one of these fields may
  /// be absent from all of them.
  public var fieldAnalyzers: [String: AnalyzerConfiguration] = [:]

  /// Returns the analyzer configuration of a field.
  ///
  /// - Parameter field: the name of the field.
  public func analyzer(of field: String) -> AnalyzerConfiguration { fieldAnalyzers[field] ?? analyzer }

  /// Whether accents are ignored, so that `ardeche` matches `Ardèche`.
  public var ignoreAccents: Bool { analyzer.accents == .fold }

  /// The language of the stemmer; nil for no stemming.
  public var language: String? { analyzer.language }

  /// The words that a search may ignore. By default, these are the stop words of the language that the initializer was
  /// called with, as in Couchbase Lite; without a language, there are none.
  ///
  /// Stop words are indexed, so they can be changed without rebuilding the index, and a phrase can contain them. A
  /// query that consists of stop words searches for them. If ``analyzer`` or its language is changed afterwards, the stop
  /// words do not follow: set them, too.
  public var stopWords: AnalyzerConfiguration.StopWords {
    get { analyzer.stopWords }
    set { analyzer.stopWords = newValue }
  }

  /// The words that a search treats as equivalent; none by default.
  public var synonyms: [SynonymRule] {
    get { analyzer.synonyms }
    set { analyzer.synonyms = newValue }
  }

  /// Creates the definition of an index over properties.
  ///
  /// - Parameters:
  ///   - expressions: the properties; see ``expressions``.
  ///   - where: the condition that indexed documents satisfy, in SQL++; nil for all documents.
  ///   - ignoreAccents: whether accents are ignored.
  ///   - language: an ISO 639-1 code or the English name of a language that Snowball supports; nil or "" for no
  ///     stemming and no stop words. The locale of the machine is never used.
  public init(
    _ expressions: [String], where: String? = nil, ignoreAccents: Bool? = defaultIgnoreAccents,
    language: String? = nil
  ) {
    self.expressions = expressions
    self.where = `where`
    analyzer = AnalyzerConfiguration(
      accents: ignoreAccents ?? FullTextIndexConfiguration.defaultIgnoreAccents ? .fold : .keep)
    analyzer.setLanguage(language)
  }

  func definition() throws -> FullTextDefinition {
    let condition = try IndexExpressions.condition(`where`)
    if let condition { try DocumentCondition.check(condition) }
    return try FullTextDefinition(
      fields: expressions, analyzer: analyzer, fieldAnalyzers: fieldAnalyzers, condition: condition,
      excludedFromOtherStrings: excludedFromOtherStrings,
      ranking: Ranking().overridden(model: model, k1: k1, b: b, weights: weights))
  }
}

extension AnalyzerConfiguration {
  /// Sets the language, and its stop words as those that a search may ignore, as Couchbase Lite does.
  mutating func setLanguage(_ language: String?) {
    self.language = language
    stopWords = self.language == nil ? .none : .language
  }
}

extension FullTextIndexConfiguration {
  init(_ definition: FullTextDefinition) {
    self.init(definition.fields.map(\.name), where: definition.condition.map { SQLPrinter().text(of: $0) })
    analyzer = definition.analyzer
    fieldAnalyzers = definition.fieldAnalyzers
    excludedFromOtherStrings = definition.excludedFromOtherStrings
    weights = definition.ranking.weights
    model = definition.ranking.model
    k1 = definition.ranking.k1
    b = definition.ranking.b
  }
}

extension FullTextIndexConfiguration: Codable {
  /// Decodes a definition.
  ///
  /// - Throws: `DecodingError`; ``CBLError/invalidParameter`` for invalid fields.
  public init(from decoder: any Decoder) throws {
    self.init(try withPublicErrors { try FullTextDefinition(from: decoder) })
  }

  /// Encodes the definition in the form that is stored in the database file.
  ///
  /// - Throws: ``CBLError/invalidParameter`` or ``CBLError/invalidQuery`` if no index can be created from the
  ///   definition.
  public func encode(to encoder: any Encoder) throws {
    try withPublicErrors { try definition() }.encode(to: encoder)
  }
}
