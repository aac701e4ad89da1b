import QueryCompiler
import QueryModel
import TextIndex

/// Describes an index for ``Collection/createIndex(withName:config:)``.
public protocol IndexConfiguration: Sendable {}

/// Describes a full-text index.
///
/// ```swift
/// var config = FullTextIndexConfiguration(["name", "reviews[].content"], ignoreAccents: true, language: "en")
/// config.stopWords = .language
/// try hotels.createIndex(withName: "text", config: config)
/// ```
public struct FullTextIndexConfiguration: IndexConfiguration, Hashable {
  /// Whether accents are ignored unless said otherwise: no.
  public static let defaultIgnoreAccents = false

  /// The field of every string of a document that belongs to no other field of the index.
  public static let everyOtherString = FullTextField.everyOtherStringName

  /// The properties that become fields: paths such as `name`, `geo.alt`, `reviews[].content`, or `*` for
  /// ``everyOtherString``. Arrays and dictionaries below a property are flattened: strings count as they are, numbers
  /// as their digits, booleans as `T` and `F`.
  public let expressions: [String]

  /// Which documents are indexed, in SQL++; nil for all.
  ///
  /// ```swift
  /// FullTextIndexConfiguration(["name", "description"], where: "type = 'hotel'")
  /// ```
  ///
  /// `MATCH` and searches with the index find these documents alone. The condition may use properties and `META().id`, but no
  /// parameters, models or functions whose result may change.
  public let `where`: String?

  /// Whether ``everyOtherString`` leaves out documents that are whole files (those with `path`, `name`, `type`, `text`,
  /// `size` and `modified`), whose other strings are their path, type and time. For corpora of files and records.
  public var skipsFilesInEveryOtherString = false

  /// How many times a match in a field counts, by field; 1 for those that are not named. A search may say otherwise, see
  /// ``SearchRequest/weights``. Like ``k1`` and ``b`` it can be changed without filling the index anew.
  public var weights: [String: Double] = [:]

  /// How soon more occurrences of a word count no more: BM25's k1, from 0, at once, to 1000.
  public var k1 = 1.2

  /// How much the length of a field counts against it: BM25's b, from 0, not at all, to 1.
  public var b = 0.75

  /// How the text of the fields becomes terms, unless ``fieldAnalyzers`` says otherwise.
  public var analyzer: AnalyzerConfiguration

  /// How the text of single fields becomes terms, by field: for fields in other languages, or of source code.
  ///
  /// ```swift
  /// var config = FullTextIndexConfiguration(["title", "beschreibung", "source"], language: "en")
  /// config.fieldAnalyzers["beschreibung"] = AnalyzerConfiguration(language: "de", stopWords: .language)
  /// config.fieldAnalyzers["source"] = AnalyzerConfiguration(code: true)
  /// ```
  ///
  /// Everything of an analyzer counts for its field alone: language, accents, code, stop words and synonyms. A query is analysed in
  /// every way that the fields have which it asks for; each field is searched for what its own makes of a word, and the word
  /// counts as one. A word that is a stop word in one of these fields may be missing in all.
  public var fieldAnalyzers: [String: AnalyzerConfiguration] = [:]

  /// How the text of a field becomes terms.
  public func analyzer(of field: String) -> AnalyzerConfiguration { fieldAnalyzers[field] ?? analyzer }

  /// Whether accents are ignored, so that `ardeche` finds `Ardèche`.
  public var ignoreAccents: Bool { analyzer.accents == .fold }

  /// The language whose inflections are ignored, or nil.
  public var language: String? { analyzer.language }

  /// The words that a search may pass over; none by default.
  public var stopWords: AnalyzerConfiguration.StopWords {
    get { analyzer.stopWords }
    set { analyzer.stopWords = newValue }
  }

  /// Words that a search takes for each other; none by default.
  public var synonyms: [SynonymRule] {
    get { analyzer.synonyms }
    set { analyzer.synonyms = newValue }
  }

  /// Describes an index over properties.
  ///
  /// - Parameters:
  ///   - expressions: the properties, see ``expressions``.
  ///   - where: see ``where``.
  ///   - ignoreAccents: whether accents are ignored.
  ///   - language: an ISO 639-1 code or an English name of a language that Snowball knows; nil or "" for no stemming.
  ///     Never the locale of the machine.
  public init(
    _ expressions: [String], where: String? = nil, ignoreAccents: Bool? = defaultIgnoreAccents,
    language: String? = nil
  ) {
    self.expressions = expressions
    self.where = `where`
    analyzer = AnalyzerConfiguration(
      language: language, accents: ignoreAccents ?? FullTextIndexConfiguration.defaultIgnoreAccents ? .fold : .keep)
  }

  func definition() throws -> FullTextDefinition {
    let condition = try IndexExpressions.condition(`where`)
    if let condition { try DocumentCondition.check(condition) }
    return try FullTextDefinition(
      fields: expressions, analyzer: analyzer, fieldAnalyzers: fieldAnalyzers, condition: condition,
      skippingFilesInEveryOtherString: skipsFilesInEveryOtherString,
      ranking: Ranking().overridden(k1: k1, b: b, weights: weights))
  }
}

extension FullTextIndexConfiguration {
  init(_ definition: FullTextDefinition) {
    self.init(definition.fields.map(\.name), where: definition.condition.map { SQLPrinter().text(of: $0) })
    analyzer = definition.analyzer
    fieldAnalyzers = definition.fieldAnalyzers
    skipsFilesInEveryOtherString = definition.skipsFilesInEveryOtherString
    weights = definition.ranking.weights
    k1 = definition.ranking.k1
    b = definition.ranking.b
  }
}

extension FullTextIndexConfiguration: Codable {
  /// Reads a configuration.
  ///
  /// - Throws: `DecodingError`, or ``CBLError/invalidParameter`` for fields that make no sense.
  public init(from decoder: any Decoder) throws {
    self.init(try withPublicErrors { try FullTextDefinition(from: decoder) })
  }

  /// Writes the configuration as the database file holds it.
  ///
  /// - Throws: ``CBLError`` for one that no index can be made of.
  public func encode(to encoder: any Encoder) throws {
    try withPublicErrors { try definition() }.encode(to: encoder)
  }
}
