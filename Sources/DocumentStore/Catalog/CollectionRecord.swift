/// A collection as the file knows it.
public struct CollectionRecord: Hashable, Sendable {
  /// The row in the catalog. Never used again for another collection.
  public let id: Int64
  /// Its scope and name.
  public let name: CollectionName
  /// The table of its documents: `scope.name`, with `~2` and so on behind it where only the case of another
  /// collection's name differs, which SQLite cannot tell apart.
  public let tableName: String

  /// The table as an SQL identifier, in quotes.
  public let table: String
  let selectionByID: String
  /// The same for documents that are there for readers: no tombstone, nor what has expired and waits for its purge.
  let liveSelectionByID: String

  init(id: Int64, name: CollectionName, tableName: String) {
    self.id = id
    self.name = name
    self.tableName = tableName
    table = tableName.sqlIdentifier
    // Made once: it is the key of the cache of statements, and needed for every look-up.
    // A collection that was deleted and made again has the same table, and is another one.
    selectionByID = """
      SELECT \(StoredDocument.columns) FROM \(table)
      WHERE id = ? AND EXISTS (SELECT 1 FROM concordance_collection WHERE id = \(id))
      """
    liveSelectionByID = "\(selectionByID) AND \(StoredDocument.isLive)"
  }
}
