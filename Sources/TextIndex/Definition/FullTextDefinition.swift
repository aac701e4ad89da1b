public import QueryModel
import SQLiteAccess
public import TextAnalysis

/// The definition of a full-text index: its fields and their analyzers. The catalog stores it as JSON, so that analysis
/// produces the same terms whenever the file is opened.
public struct FullTextDefinition: Hashable, Sendable {
  /// The fields, in the order of the index's columns.
  public let fields: [FullTextField]
  /// The condition that indexed documents satisfy; nil for all documents. Its properties have no source name.
  public let condition: QueryExpression?
  /// The default analyzer, for fields that ``fieldAnalyzers`` does not list.
  public let analyzer: AnalyzerConfiguration
  /// The analyzers that differ from ``analyzer``, by field name.
  public let fieldAnalyzers: [String: AnalyzerConfiguration]
  /// The documents for which the field `*` is empty, such as documents that are created from files: their only other
  /// strings are path, type and time. Nil for none.
  public let excludedFromOtherStrings: DocumentShape?
  /// The default ranking of searches.
  public let ranking: Ranking

  /// Creates a definition.
  ///
  /// - Parameters:
  ///   - fields: names of fields (see ``FullTextField/init(_:)``); no duplicates.
  ///   - analyzer: the default analyzer.
  ///   - fieldAnalyzers: the analyzers of individual fields, by field name.
  ///   - condition: the condition that indexed documents satisfy; nil for all documents.
  ///   - excludedFromOtherStrings: the documents for which the field `*` is empty.
  ///   - ranking: how hits are ranked; see ``Ranking``.
  /// - Throws: ``TextIndexError`` for an empty field list, a duplicate field, an analyzer or a weight of an unknown
  ///   field, or a ranking parameter out of range; `PropertyPathError`.
  public init(
    fields: [String], analyzer: AnalyzerConfiguration = AnalyzerConfiguration(),
    fieldAnalyzers: [String: AnalyzerConfiguration] = [:], condition: QueryExpression? = nil,
    excludedFromOtherStrings: DocumentShape? = nil, ranking: Ranking = Ranking()
  ) throws {
    self.fields = try fields.map { try FullTextField($0) }
    self.analyzer = analyzer
    self.condition = condition
    self.fieldAnalyzers = try FullTextDefinition.normalized(fieldAnalyzers).filter { $0.value != analyzer }
    self.ranking = ranking
    self.excludedFromOtherStrings = excludedFromOtherStrings
    let names = self.fields.map(\.name)
    guard !names.isEmpty else { throw TextIndexError(.badDefinition, "a full-text index needs a field") }
    guard names.count <= FullTextDefinition.maximumFieldCount else {
      throw TextIndexError(
        .badDefinition,
        "a full-text index has at most \(FullTextDefinition.maximumFieldCount) fields, not \(names.count)")
    }
    if let duplicate = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
      throw TextIndexError(.badDefinition, "the field \"\(duplicate)\" is listed twice")
    }
    if let unknown = self.fieldAnalyzers.keys.sorted().first(where: { !names.contains($0) }) {
      let error = TextIndexError(unknownField: unknown, of: "the index", among: names)
      throw TextIndexError(.badDefinition, "the analyzer of a field cannot be used: \(error.message)")
    }
    do {
      _ = try ResolvedRanking(ranking, fields: names, of: "the index")
    } catch let error as TextIndexError {
      throw TextIndexError(.badDefinition, error.message)
    }
  }

  /// Returns whether an index with the other definition contains the same terms. Stop words, synonyms and the ranking
  /// only affect queries.
  ///
  /// - Parameter other: the other definition.
  public func makesSameTerms(as other: FullTextDefinition) -> Bool {
    fields == other.fields && condition == other.condition
      && excludedFromOtherStrings == other.excludedFromOtherStrings
      && fields.allSatisfy { analyzer(of: $0.name).makesSameTerms(as: other.analyzer(of: $0.name)) }
  }

  /// Returns the analyzer of a field.
  ///
  /// - Parameter field: the name of the field.
  public func analyzer(of field: String) -> AnalyzerConfiguration { fieldAnalyzers[field] ?? analyzer }

  /// Returns the analyzers by normalized field name, because a path can be written in several ways.
  private static func normalized(
    _ analyzers: [String: AnalyzerConfiguration]
  ) throws -> [String: AnalyzerConfiguration] {
    try Dictionary(analyzers.map { (try FullTextField($0.key).name, $0.value) }) { _, last in last }
  }

  /// The maximum number of fields. SQLite limits tables, including FTS5 tables, to 2,000 columns.
  static let maximumFieldCount = 1000
}

extension FullTextDefinition: Codable {
  private enum Key: String, CodingKey {
    case fields, analyzer, ranking
    /// The default analyzer, if there are ``fieldAnalyzers``.
    ///
    /// An older library that supports only one analyzer would use it for all fields. Because that library requires the
    /// key `analyzer`, it rejects this index.
    case defaultAnalyzer
    case fieldAnalyzers
    /// The default analyzer, if there is a ``condition``. An older library without support for conditions finds neither
    /// ``analyzer`` nor ``defaultAnalyzer`` and rejects the index instead of writing every document to it.
    case partialAnalyzer
    /// The default analyzer, if any analyzer has a language property. Older libraries reject the index, as above.
    case languageAnalyzer
    /// The condition in SQL++.
    case condition
  }

  /// Decodes a definition of any format.
  ///
  /// - Throws: `DecodingError` for a malformed definition; ``TextIndexError``, `PropertyPathError` and the errors of
  ///   `SQLParser` for an invalid one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    try self.init(
      fields: container.decode([String].self, forKey: .fields),
      analyzer: container.decodeIfPresent(AnalyzerConfiguration.self, forKey: .languageAnalyzer)
        ?? container.decodeIfPresent(AnalyzerConfiguration.self, forKey: .partialAnalyzer)
        ?? container.decodeIfPresent(AnalyzerConfiguration.self, forKey: .defaultAnalyzer)
        ?? container.decode(AnalyzerConfiguration.self, forKey: .analyzer),
      fieldAnalyzers: container.decodeIfPresent([String: AnalyzerConfiguration].self, forKey: .fieldAnalyzers) ?? [:],
      condition: container.decodeIfPresent(String.self, forKey: .condition).map { try SQLParser().parseExpression($0) },
      excludedFromOtherStrings: decoder.decodeExcludedFromOtherStrings(),
      ranking: container.decodeIfPresent(Ranking.self, forKey: .ranking) ?? Ranking())
  }

  /// Encodes the definition.
  ///
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(fields.map(\.name), forKey: .fields)
    let hasLanguages = ([analyzer] + fieldAnalyzers.values).contains { $0.languageProperty != nil }
    try container.encode(
      analyzer,
      forKey: hasLanguages
        ? .languageAnalyzer
        : condition != nil ? .partialAnalyzer : fieldAnalyzers.isEmpty ? .analyzer : .defaultAnalyzer)
    try container.encodeIfPresent(condition.map { SQLPrinter().text(of: $0) }, forKey: .condition)
    if !fieldAnalyzers.isEmpty { try container.encode(fieldAnalyzers, forKey: .fieldAnalyzers) }
    try encoder.encode(excludedFromOtherStrings: excludedFromOtherStrings)
    // Older libraries ignore the ranking and use the default parameters.
    if ranking != Ranking() { try container.encode(ranking, forKey: .ranking) }
  }
}

extension FullTextDefinition: IndexDefinition {}
