import TextAnalysis

/// A full-text index of a collection: its place in the catalog, its definition, and the analyzers made from it.
public struct StoredFullTextIndex: Sendable {
  /// The row in the catalog; the index's table is named after it.
  public let id: Int64
  /// The collection's row in the catalog.
  public let collection: Int64
  /// The index's name, unique in its collection.
  public let name: String
  /// The definition.
  public let definition: FullTextDefinition
  /// The columns by how their text is analysed: one group unless fields have different analyzers.
  let groups: [ColumnGroup]
  /// The version of the analyzer that filled the index.
  public let analyzerVersion: String

  /// Whether the index was filled by another version of the analyzer than this library's: its terms may differ from
  /// those that a query or a deletion would look for, so it must be rebuilt before it is used.
  public var isOutdated: Bool { analyzerVersion != Analyzer.version }

  /// The number of a field, or nil.
  public func column(of field: String) -> Int? {
    definition.fields.firstIndex { $0.name == field }
  }

  /// The name of its table in the file.
  public var tableName: String { StoredFullTextIndex.tableName(id: id) }

  static func tableName(id: Int64) -> String { "concordance_ft_\(id)" }

  /// What was decoded from it, shared by all copies of this value.
  let cache = IndexCache()

  var table: FullTextTable { FullTextTable(name: tableName, columnCount: definition.fields.count) }

  /// The number of a field.
  ///
  /// - Throws: ``TextIndexError`` for a field that the index does not have.
  func requiredColumn(_ field: String) throws -> Int {
    guard let column = column(of: field) else { throw unknownField(field) }
    return column
  }

  /// The error for a field that the index does not have.
  func unknownField(_ name: String) -> TextIndexError {
    TextIndexError(unknownField: name, of: "the index \"\(self.name)\"", among: definition.fields.map(\.name))
  }
}
