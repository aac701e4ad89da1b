import Foundation
public import GRDB
import SQLiteAccess
import Synchronization

extension Store {
  /// Calls `body` inside a transaction, which is committed if it returns and rolled back if it throws.
  ///
  /// Calls can be nested: an inner call is a part of the outer transaction, and if it throws, only its own changes are
  /// rolled back.
  ///
  /// - Throws: Any error that `body` throws, and ``StoreError``.
  public func write<T>(_ body: (WriteTransaction) throws -> T) throws -> T {
    guard !configuration.isReadOnly else {
      throw StoreError(.readOnly, "\(path): the database was opened for reading only")
    }
    return try translatingErrors {
      if let db = try openConnection() { return try Deadline.withoutLimit { try nestedWrite(db, body) } }
      guard !isWriting else {
        throw StoreError(
          .misuse,
          "\(path): inside a batch, the database was used from another dispatch queue on the same thread; use it directly "
            + "in the batch, or after it")
      }
      let outer = ReaderConnection.current
      return try usingPool { pool in
        try pool.unsafeReentrantWrite { db in
          try ReaderConnection.carry(outer, to: writerQueue) {
            try Deadline.withoutLimit { try outermostWrite(db, body) }
          }
        }
      }
    }
  }

  /// Calls `body` inside a transaction that is always rolled back: for checks that SQLite treats as changes.
  public func writeAndRollBack<T>(_ body: (WriteTransaction) throws -> T) throws -> T {
    var result: T?
    do {
      try write {
        result = try body($0)
        throw RollbackRequest()
      }
    } catch is RollbackRequest {
      // Thrown above to roll back.
    }
    guard let result else { throw StoreError(.database, "\(path): a check was cancelled") }
    return result
  }

  /// Calls `body` inside this thread's open transaction, without a savepoint; returns nil if none is open. For changes
  /// that are atomic by themselves: a savepoint costs more than saving a document.
  public func writeInsideOpenTransaction<T>(_ body: (WriteTransaction) throws -> T) throws -> T? {
    guard let db = try openConnection() else { return nil }
    return try translatingErrors { try body(WriteTransaction(db: db, state: writerState)) }
  }

  /// Whether the calling thread is inside ``write(_:)``.
  public var isWriting: Bool {
    writerThread.load(ordering: .acquiring) == UInt(pthread_self())
  }

  /// Calls `body` with the writing connection outside any transaction, for statements that cannot run in one
  /// (`VACUUM`).
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/misuse`` if this thread is inside a read or a write.
  public func withoutTransaction<T>(_ body: (Database) throws -> T) throws -> T {
    try requireNoOpenBlock("maintained")
    return try translatingErrors {
      try requireSameFile()
      return try usingPool { pool in
        try pool.writeWithoutTransaction { db in
          defer { backgroundCheckpoint?.didCommit(LogIndex(db)) }
          return try body(db)
        }
      }
    }
  }

  private func outermostWrite<T>(_ db: Database, _ body: (WriteTransaction) throws -> T) throws -> T {
    writerState.db = db
    writerThread.store(UInt(pthread_self()), ordering: .releasing)
    defer {
      writerThread.store(0, ordering: .releasing)
      writerState.reset()
    }
    backgroundCheckpoint?.willBegin(db)
    // Immediate, so that a busy file fails before any work is done.
    try remote?.beginWriting(db, busyTimeout: configuration.busyTimeout)
    do { try db.beginTransaction(.immediate) } catch {
      remote?.rollBack(db)
      throw error
    }
    let outcome = TransactionOutcome()
    writerState.outcome = outcome
    do {
      // SQLite reports savepoints to a virtual table only after the transaction has written to it. The storage also
      // sends statements that do not come from a virtual table, so it must know savepoints that begin before the first
      // write.
      if remote != nil { try db.cachedStatement(sql: "DELETE FROM concordance_meta WHERE 0").execute() }
      try Interruption.current?.begin()
      let transaction = WriteTransaction(db: db, state: writerState)
      let result = try body(transaction)
      try transaction.requireIntact()
      try writerState.writeDeferred(forReading: false)
      try writerState.flush(db)
      try requireSameFile()
      // Announced before readers can see the changes: a reader that sees the last change of a document already knows
      // the earlier ones.
      commits.willCommit(writerState.revisions)
      do {
        // SQLite's own commit changes nothing if the rows are in another database.
        try remote?.commit(db)
        try db.commit()
        backgroundCheckpoint?.didCommit(LogIndex(db))
      } catch {
        commits.didFail(writerState.revisions)
        throw error
      }
      writerState.discardDeferred()
      outcome.end(isRolledBack: false)
      let completions = writerState.completions
      writerState.completions = []
      for completion in completions { completion(true) }
      commits.didCommit(
        hasChanges: !writerState.counters.collections.isEmpty, earliestExpiration: writerState.earliestExpiration)
      return result
    } catch {
      // In reverse order, so that an object changed twice ends up in its initial state.
      defer {
        outcome.end(isRolledBack: true)
        writerState.rollBackCompletions(to: 0)
      }
      writerState.discardDeferred()
      let cause = remote?.cause(of: error, db) ?? error
      remote?.rollBack(db)
      if db.isInsideTransaction { try db.rollback() }
      if let error = error as? DatabaseError, error.resultCode == .SQLITE_FULL { backgroundCheckpoint?.truncateLog() }
      throw cause
    }
  }

  private func nestedWrite<T>(_ db: Database, _ body: (WriteTransaction) throws -> T) throws -> T {
    let counters = writerState.counters
    let revisionCount = writerState.revisions.count
    let completionCount = writerState.completions.count
    let outer = writerState.outcome
    try writerState.writeDeferred(forReading: false)
    let outcome = TransactionOutcome(inside: outer)
    writerState.outcome = outcome
    defer { writerState.outcome = outer }
    var result: T?
    do {
      try writerState.inSavepoint(db) {
        let transaction = WriteTransaction(db: db, state: writerState)
        result = try body(transaction)
        try transaction.requireIntact()
      }
      outcome.end(isRolledBack: false)
    } catch {
      outcome.end(isRolledBack: true)
      writerState.counters = counters
      writerState.revisions.removeSubrange(revisionCount...)
      writerState.discardDeferred()
      // The rollback undoes a partially applied change.
      writerState.failure = nil
      writerState.rollBackCompletions(to: completionCount)
      throw error
    }
    guard let result else { throw StoreError(.database, "\(path): a write was cancelled") }
    return result
  }
}

/// Thrown to roll back a transaction that must not be committed.
private struct RollbackRequest: Error {}
