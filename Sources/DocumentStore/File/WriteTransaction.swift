public import GRDB
import SQLiteAccess

/// An open transaction, through which documents, collections and indexes are changed.
///
/// It is valid inside the block of ``Store/write(_:)`` that received it.
public struct WriteTransaction {
  /// The writing connection, for indexes that are updated in the same transaction.
  public let db: Database
  let state: WriterState

  /// The storage of a store whose rows are in another database; nil for a file.
  package var remote: (any RemoteStorage)? { state.remote }

  /// The memory for changes to an index that are not written yet, in bytes.
  public var indexMemory: Int { state.indexMemory }

  /// Marks a change as only partially applied, so that the innermost enclosing transaction cannot be committed.
  public func fail(_ error: any Error) { state.failure = error }

  /// Calls `body` once when the outcome of the changes made so far is known: with true after the commit of the
  /// outermost transaction, with false if this or a nested transaction was rolled back.
  ///
  /// For objects in memory that mirror the file. The closures run on the writing thread, in the order of the calls,
  /// while the next writer waits: they must return quickly, and must not use a database.
  public func onCompletion(_ body: @escaping (_ isCommitted: Bool) -> Void) { state.completions.append(body) }

  /// Whether changes belong to a savepoint, whose changed pages stay in memory until the outermost one ends.
  public var isInSavepoint: Bool { state.savepointDepth > 0 }

  /// The outcome of the innermost open transaction.
  public var outcome: TransactionOutcome { state.outcome }

  /// Throws if the transaction can only be rolled back, or was already rolled back: SQLite rolls back automatically if
  /// the disk is full or fails, and later changes would be committed immediately.
  func requireIntact() throws {
    if let failure = state.failure { throw failure }
    guard !db.isAutocommitting else {
      throw StoreError(
        .diskFull,
        "the batch was rolled back by an earlier error (a full disk or a disk error); none of it is saved")
    }
  }
}
