public import DocumentStore
public import GRDB
import SQLiteAccess

/// Keeps an index up with the documents of its collection, within a transaction.
public final class ValueIndexWriter {
  private let insertion: SQLStatement
  private let removal: SQLStatement
  private let insertionReplaces: Bool
  private let makesPredictions: Bool

  /// A writer on the writing connection.
  public init(_ index: StoredValueIndex, of collection: CollectionRecord, _ db: Database) throws {
    let table = try ValueIndexTable(index, of: collection)
    insertion = try QueryCompilationError.namingLimits { try SQLStatement(sql: table.insertion, in: db) }
    removal = try SQLStatement(sql: table.removal, in: db)
    insertionReplaces = table.replaces
    makesPredictions = index.makesPredictions
  }

  /// Puts the document of a row into the index as it stands in the table now.
  ///
  /// - Parameters:
  ///   - isNew: whether the index has no rows of the document yet.
  ///   - predictionRun: a number from ``PredictionRun/next()``, the same for all indexes that one save writes to.
  /// - Returns: false where a prediction could not be made: then the index has no rows of the document, and is incomplete. A
  ///   program that does not have the model must be able to save documents all the same.
  public func update(rowID: Int64, isNew: Bool, predictionRun: Int64) throws -> Bool {
    if !isNew, !insertionReplaces { try remove(rowID: rowID) }
    insertion.bind(1, rowID)
    if makesPredictions { insertion.bind(2, predictionRun) }
    do {
      try insertion.run()
      return true
    } catch let error as DatabaseError where makesPredictions && error.resultCode == .SQLITE_ERROR {
      // SQLite has taken back what this statement did, and nothing else.
      try remove(rowID: rowID)
      return false
    }
  }

  /// Takes the document of a row out.
  public func remove(rowID: Int64) throws {
    removal.bind(1, rowID)
    try removal.run()
  }
}
