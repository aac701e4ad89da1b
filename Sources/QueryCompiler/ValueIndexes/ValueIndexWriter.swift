public import DocumentStore
public import GRDB
import SQLiteAccess

/// Updates an index when documents of its collection change, within a transaction.
public final class ValueIndexWriter {
  private let insertion: SQLStatement
  private let removal: SQLStatement
  private let insertionReplaces: Bool
  private let makesPredictions: Bool

  /// Creates a writer on the writing connection.
  public init(_ index: StoredValueIndex, of collection: CollectionRecord, _ db: Database) throws {
    let table = try ValueIndexTable(index, of: collection)
    let text = db.valueTableOwner == nil ? table.insertion : table.replacement
    insertion = try QueryCompilationError.convertingLimitErrors { try SQLStatement(sql: text, in: db) }
    removal = try SQLStatement(sql: table.removal, in: db)
    insertionReplaces = table.replaces
    makesPredictions = index.makesPredictions
  }

  /// Updates the entries of a document from its current text in the table of documents.
  ///
  /// - Parameters:
  ///   - isNew: whether the index has no rows of the document yet.
  ///   - predictionRun: a number from ``PredictionRun/next()``, the same for all indexes that one save writes to.
  /// - Returns: false if a prediction could not be made. Then the index has no rows of the document and is incomplete.
  ///   This is not an error, because a program without the model must be able to save documents.
  public func update(rowID: Int64, isNew: Bool, predictionRun: Int64) throws -> Bool {
    if !isNew, !insertionReplaces { try remove(rowID: rowID) }
    insertion.bind(1, rowID)
    if makesPredictions { insertion.bind(2, predictionRun) }
    do {
      try insertion.run()
      return true
    } catch let error as DatabaseError where makesPredictions && error.resultCode == .SQLITE_ERROR {
      // SQLite has rolled back only this statement.
      try remove(rowID: rowID)
      return false
    }
  }

  /// Removes the entries of a document.
  public func remove(rowID: Int64) throws {
    removal.bind(1, rowID)
    try removal.run()
  }
}
