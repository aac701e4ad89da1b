public import TextAnalysis

/// What a full-text index is made of: its fields and how their text becomes terms. Kept in the file as JSON, so that
/// the same terms come out whenever the file is opened.
public struct FullTextDefinition: Hashable, Sendable {
  /// The fields, in the order of the index's columns.
  public let fields: [FullTextField]
  /// How text becomes terms.
  public let analyzer: AnalyzerConfiguration
  /// Whether the field of every other string leaves out documents that are whole files, whose other strings are their
  /// path, type and time.
  public let skipsFilesInEveryOtherString: Bool
  /// How hits are ranked, unless a search says otherwise.
  public let ranking: Ranking

  /// Makes a definition.
  ///
  /// - Parameters:
  ///   - fields: names of fields, see ``FullTextField/init(_:)``; none twice.
  ///   - analyzer: how text becomes terms.
  ///   - skippingFilesInEveryOtherString: see the property.
  ///   - ranking: how hits are ranked, see ``Ranking``.
  /// - Throws: ``TextIndexError`` for no field or one named twice, for a ranking with an unknown field or a number out of its
  ///   range, `PropertyPathError`.
  public init(
    fields: [String], analyzer: AnalyzerConfiguration = AnalyzerConfiguration(),
    skippingFilesInEveryOtherString: Bool = false, ranking: Ranking = Ranking()
  ) throws {
    self.fields = try fields.map { try FullTextField($0) }
    self.analyzer = analyzer
    self.ranking = ranking
    skipsFilesInEveryOtherString = skippingFilesInEveryOtherString
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
    do {
      _ = try ResolvedRanking(ranking, fields: names, of: "the index")
    } catch let error as TextIndexError {
      throw TextIndexError(.badDefinition, error.message)
    }
  }

  /// Whether an index of the other definition holds the same terms: stop words, synonyms and the ranking count only in
  /// queries.
  public func makesSameTerms(as other: FullTextDefinition) -> Bool {
    func indexed(_ analyzer: AnalyzerConfiguration) -> AnalyzerConfiguration {
      AnalyzerConfiguration(language: analyzer.language, accents: analyzer.accents, code: analyzer.code)
    }
    return fields == other.fields && skipsFilesInEveryOtherString == other.skipsFilesInEveryOtherString
      && indexed(analyzer) == indexed(other.analyzer)
  }

  /// Columns of an FTS5 table are columns of a SQLite table; its limit is 2,000.
  static let maximumFieldCount = 1000
}

extension FullTextDefinition: Codable {
  private enum Key: String, CodingKey {
    case fields, analyzer, skipsFiles, ranking
  }

  /// Reads a definition.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    try self.init(
      fields: container.decode([String].self, forKey: .fields),
      analyzer: container.decode(AnalyzerConfiguration.self, forKey: .analyzer),
      skippingFilesInEveryOtherString: container.decodeIfPresent(Bool.self, forKey: .skipsFiles) ?? false,
      ranking: container.decodeIfPresent(Ranking.self, forKey: .ranking) ?? Ranking())
  }

  /// Writes the definition.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(fields.map(\.name), forKey: .fields)
    try container.encode(analyzer, forKey: .analyzer)
    if skipsFilesInEveryOtherString { try container.encode(true, forKey: .skipsFiles) }
    // An older library takes no notice of it, and ranks by the usual values.
    if ranking != Ranking() { try container.encode(ranking, forKey: .ranking) }
  }
}

extension FullTextDefinition: IndexDefinition {}
