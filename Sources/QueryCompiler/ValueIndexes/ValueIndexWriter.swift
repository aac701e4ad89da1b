public import DocumentStore
public import GRDB

/// Keeps an index up with the documents of its collection, within a transaction.
public final class ValueIndexWriter {
  private let insertion: SQLStatement
  private let removal: SQLStatement
  private let insertionReplaces: Bool

  /// A writer on the writing connection.
  public init(_ index: OrderedIndex, of collection: CollectionRecord, _ db: Database) throws {
    let table = try ValueIndexTable(index, of: collection)
    insertion = try QueryCompilationError.namingLimits { try SQLStatement(sql: table.insertion, in: db) }
    removal = try SQLStatement(sql: table.removal, in: db)
    insertionReplaces = table.replaces
  }

  /// Puts the document of a row into the index as it stands in the table now.
  ///
  /// - Parameter isNew: whether the index has no rows of the document yet.
  public func update(rowID: Int64, isNew: Bool) throws {
    if !isNew, !insertionReplaces { try remove(rowID: rowID) }
    insertion.bind(1, rowID)
    try insertion.run()
  }

  /// Takes the document of a row out.
  public func remove(rowID: Int64) throws {
    removal.bind(1, rowID)
    try removal.run()
  }
}
