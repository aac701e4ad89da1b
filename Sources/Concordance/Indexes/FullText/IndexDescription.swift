import GRDB
import TextIndex

/// The definition of a full-text index, as stored in the file, and its size.
public struct IndexDescription: Hashable, Sendable {
  /// The name of the index.
  public let name: String
  /// The names of its fields.
  public let fields: [String]
  /// The analyzer of the fields that are not in ``fieldAnalyzers``.
  public var analyzer: AnalyzerConfiguration { configuration.analyzer }
  /// The analyzers of individual fields, by field.
  public var fieldAnalyzers: [String: AnalyzerConfiguration] { configuration.fieldAnalyzers }
  /// The configuration with which ``Collection/createIndex(withName:config:)`` creates the same index.
  public let configuration: FullTextIndexConfiguration
  /// The number of documents in the index.
  public let documentCount: Int
  /// The size of its tables in the file, in bytes.
  public let size: Int
  /// Whether the index was built with another version of the text analysis and must be rebuilt before it is used.
  public let isOutdated: Bool

  init(_ index: StoredFullTextIndex, _ db: GRDB.Database) throws {
    let statistics = try FullTextCatalog.statistics(of: index, db)
    name = index.name
    fields = index.definition.fields.map(\.name)
    configuration = FullTextIndexConfiguration(index.definition)
    documentCount = statistics.documentCount
    size = statistics.size
    isOutdated = index.isOutdated
  }
}
