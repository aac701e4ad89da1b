import SQLiteAccess

/// A collection as recorded in the catalog.
public struct CollectionRecord: Hashable, Sendable {
  /// The row id in the catalog. It is never reused for another collection.
  public let id: Int64
  /// Its scope and name.
  public let name: CollectionName
  /// The table of its documents: `scope.name`, with a suffix `~2` and so on if the name differs from another
  /// collection's only in case, which SQLite ignores.
  public let tableName: String

  /// The table as a quoted SQL identifier.
  public let table: String
  /// The statement that selects a document or tombstone by its id.
  let selectionByID: String
  /// The statement that selects a live document by its id: neither a tombstone nor an expired document that has not
  /// been purged yet.
  let liveSelectionByID: String
  /// The same without a check that the collection exists.
  let uncheckedSelectionByID: String
  /// The statement that selects a live document by its row.
  let liveSelectionByRow: String

  init(id: Int64, name: CollectionName, tableName: String) {
    self.id = id
    self.name = name
    self.tableName = tableName
    table = tableName.sqlIdentifier
    // Built once, because it is the key of the statement cache and needed for every lookup. It checks the id because a
    // collection that was deleted and created again is a different collection whose table has the same name.
    selectionByID = """
      SELECT \(StoredDocument.columns) FROM \(table)
      WHERE id = ? AND EXISTS (SELECT 1 FROM concordance_collection WHERE id = \(id))
      """
    liveSelectionByID = "\(selectionByID) AND \(StoredDocument.isLive)"
    uncheckedSelectionByID = "SELECT \(StoredDocument.columns) FROM \(table) WHERE id = ? AND \(StoredDocument.isLive)"
    liveSelectionByRow = "SELECT \(StoredDocument.columns) FROM \(table) WHERE rowid = ? AND \(StoredDocument.isLive)"
  }
}
