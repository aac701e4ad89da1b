import GRDB
import TextIndex

/// What an index is made of, as it stands in the file.
public struct IndexDescription: Hashable, Sendable {
  /// The index's name.
  public let name: String
  /// The names of its fields.
  public let fields: [String]
  /// How text becomes its terms, but in the fields that ``fieldAnalyzers`` has.
  public var analyzer: AnalyzerConfiguration { configuration.analyzer }
  /// How the text of single fields becomes terms, where that is another way.
  public var fieldAnalyzers: [String: AnalyzerConfiguration] { configuration.fieldAnalyzers }
  /// What ``Collection/createIndex(withName:config:)`` makes the same index of.
  public let configuration: FullTextIndexConfiguration
  /// The number of documents in it.
  public let documentCount: Int
  /// Bytes of its tables in the file.
  public let size: Int
  /// Whether it was made by another version of the text analysis and must be rebuilt before it is used.
  public let isOutdated: Bool

  init(_ index: InvertedIndex, _ db: GRDB.Database) throws {
    let statistics = try FullTextCatalog.statistics(of: index, db)
    name = index.name
    fields = index.definition.fields.map(\.name)
    configuration = FullTextIndexConfiguration(index.definition)
    documentCount = statistics.documentCount
    size = statistics.size
    isOutdated = index.isOutdated
  }
}
