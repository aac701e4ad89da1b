import TextAnalysis

/// A full-text index of a collection: its row in the catalog, its definition and its analyzers.
///
/// A class, because each search stores the index in several values, and copying it would count many references.
public final class StoredFullTextIndex: Sendable {
  /// The ID of the index in the catalog, which is part of the table's name.
  public let id: Int64
  /// The ID of the collection in the catalog.
  public let collection: Int64
  /// The index's name, unique in its collection.
  public let name: String
  /// The definition.
  public let definition: FullTextDefinition
  /// The columns grouped by analyzer.
  let groups: [ColumnGroup]
  /// The version of the analyzer that filled the index.
  public let analyzerVersion: String

  init(
    id: Int64, collection: Int64, name: String, definition: FullTextDefinition, groups: [ColumnGroup],
    analyzerVersion: String
  ) {
    self.id = id
    self.collection = collection
    self.name = name
    self.definition = definition
    self.groups = groups
    self.analyzerVersion = analyzerVersion
  }

  /// Whether the index was filled by a different version of the analyzer. Its terms may differ from those that the
  /// current version produces for queries and deletions, so it must be rebuilt before it is used.
  public var isOutdated: Bool { analyzerVersion != Analyzer.version }

  /// Returns the number of a field's column; nil if the index does not have the field.
  ///
  /// - Parameter field: the name of the field.
  public func column(of field: String) -> Int? {
    definition.fields.firstIndex { $0.name == field }
  }

  /// The name of the index's table in the file.
  public var tableName: String { StoredFullTextIndex.tableName(id: id) }

  static func tableName(id: Int64) -> String { "concordance_ft_\(id)" }

  /// The decoded data of the index.
  let cache = IndexCache()

  /// Whether two terms may share a position: a word and its stem, or an identifier and its first part.
  package var hasColocatedTerms: Bool { groups.contains { $0.hasColocatedTerms } }

  var table: FullTextTable { FullTextTable(name: tableName, columnCount: definition.fields.count) }

  /// Returns the column of a field.
  ///
  /// - Throws: ``TextIndexError`` for a field that the index does not have.
  func requiredColumn(_ field: String) throws -> Int {
    guard let column = column(of: field) else { throw unknownField(field) }
    return column
  }

  /// Returns the error for a field that the index does not have.
  func unknownField(_ name: String) -> TextIndexError {
    TextIndexError(unknownField: name, of: "the index \"\(self.name)\"", among: definition.fields.map(\.name))
  }
}
