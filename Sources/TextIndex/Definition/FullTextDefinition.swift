public import QueryModel
import SQLiteAccess
public import TextAnalysis

/// The definition of a full-text index: its fields and how their text becomes terms. Stored in the catalog as JSON, so that
/// the same terms come out whenever the file is opened.
public struct FullTextDefinition: Hashable, Sendable {
  /// The fields, in the order of the index's columns.
  public let fields: [FullTextField]
  /// Which documents are in the index; nil for all. It names no source: it is about the document.
  public let condition: QueryExpression?
  /// How the text of every field becomes terms that ``fieldAnalyzers`` has no other way for.
  public let analyzer: AnalyzerConfiguration
  /// How the text of single fields becomes terms, by their names: those that differ from ``analyzer``.
  public let fieldAnalyzers: [String: AnalyzerConfiguration]
  /// The documents that the field of every other string leaves out: those of files, whose other strings are their path, type and
  /// time. Nil for none.
  public let excludedFromOtherStrings: DocumentShape?
  /// How hits are ranked, unless a search says otherwise.
  public let ranking: Ranking

  /// Makes a definition.
  ///
  /// - Parameters:
  ///   - fields: names of fields, see ``FullTextField/init(_:)``; no duplicates.
  ///   - analyzer: how text becomes terms.
  ///   - fieldAnalyzers: how that of single fields does, where it is another way.
  ///   - condition: which documents are in the index; nil for all.
  ///   - excludedFromOtherStrings: the documents that the field of every other string leaves out.
  ///   - ranking: how hits are ranked, see ``Ranking``.
  /// - Throws: ``TextIndexError`` for no field or one named twice, for an analyzer or a ranking of an unknown field, for a
  ///   number of the ranking out of its range, `PropertyPathError`.
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
        "a full-text index has at most \(FullTextDefinition.maximumFieldCount) fields; this has \(names.count)")
    }
    if let twice = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
      throw TextIndexError(.badDefinition, "the field \"\(twice)\" is named twice")
    }
    if let unknown = self.fieldAnalyzers.keys.sorted().first(where: { !names.contains($0) }) {
      let error = TextIndexError(unknownField: unknown, of: "the index", among: names)
      throw TextIndexError(.badDefinition, "an analyzer is given for a field, but \(error.message)")
    }
    do {
      _ = try ResolvedRanking(ranking, fields: names, of: "the index")
    } catch let error as TextIndexError {
      throw TextIndexError(.badDefinition, error.message)
    }
  }

  /// Whether an index of the other definition holds the same terms: stop words, synonyms and the ranking count only in
  /// queries.
  public func makesSameTerms(as other: FullTextDefinition) -> Bool {
    fields == other.fields && condition == other.condition
      && excludedFromOtherStrings == other.excludedFromOtherStrings
      && fields.allSatisfy { analyzer(of: $0.name).makesSameTerms(as: other.analyzer(of: $0.name)) }
  }

  /// How the text of a field becomes terms.
  public func analyzer(of field: String) -> AnalyzerConfiguration { fieldAnalyzers[field] ?? analyzer }

  /// The same by the names that fields have, which are paths in one of their forms.
  private static func normalized(
    _ analyzers: [String: AnalyzerConfiguration]
  ) throws -> [String: AnalyzerConfiguration] {
    try Dictionary(analyzers.map { (try FullTextField($0.key).name, $0.value) }) { _, last in last }
  }

  /// Columns of an FTS5 table are columns of a SQLite table; its limit is 2,000.
  static let maximumFieldCount = 1000
}

extension FullTextDefinition: Codable {
  private enum Key: String, CodingKey {
    case fields, analyzer, ranking
    /// The analyzer of the other fields, where there are ``fieldAnalyzers``.
    ///
    /// A library that knows of one analyzer alone would fill all fields with its terms. It asks for `analyzer`, and refuses an
    /// index without that.
    case defaultAnalyzer
    case fieldAnalyzers
    /// The analyzer of the other fields, where there is a ``condition``: a library that does not know of conditions finds
    /// neither ``analyzer`` nor ``defaultAnalyzer``, and refuses the index instead of writing every document to it.
    case partialAnalyzer
    /// The condition in SQL++.
    case condition
  }

  /// Reads a definition.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    try self.init(
      fields: container.decode([String].self, forKey: .fields),
      analyzer: container.decodeIfPresent(AnalyzerConfiguration.self, forKey: .partialAnalyzer)
        ?? container.decodeIfPresent(AnalyzerConfiguration.self, forKey: .defaultAnalyzer)
        ?? container.decode(AnalyzerConfiguration.self, forKey: .analyzer),
      fieldAnalyzers: container.decodeIfPresent([String: AnalyzerConfiguration].self, forKey: .fieldAnalyzers) ?? [:],
      condition: container.decodeIfPresent(String.self, forKey: .condition).map { try SQLParser().parseExpression($0) },
      excludedFromOtherStrings: decoder.decodeExcludedFromOtherStrings(),
      ranking: container.decodeIfPresent(Ranking.self, forKey: .ranking) ?? Ranking())
  }

  /// Writes the definition.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(fields.map(\.name), forKey: .fields)
    try container.encode(
      analyzer, forKey: condition != nil ? .partialAnalyzer : fieldAnalyzers.isEmpty ? .analyzer : .defaultAnalyzer)
    try container.encodeIfPresent(condition.map { SQLPrinter().text(of: $0) }, forKey: .condition)
    if !fieldAnalyzers.isEmpty { try container.encode(fieldAnalyzers, forKey: .fieldAnalyzers) }
    try encoder.encode(excludedFromOtherStrings: excludedFromOtherStrings)
    // An older library takes no notice of it, and ranks by the usual values.
    if ranking != Ranking() { try container.encode(ranking, forKey: .ranking) }
  }
}

extension FullTextDefinition: IndexDefinition {}
