import GRDB

extension WriterState {
  /// Calls `body` in a savepoint, which is rolled back if `body` throws an error.
  ///
  /// Pages that are changed in a savepoint stay in memory until the outermost savepoint ends. If SQLite 3.40 rolls back
  /// to a savepoint after it has written such pages to the log and written some of them again, the log contains wrong
  /// checksums. After a crash, SQLite then discards the transactions from there on, although they were committed.
  ///
  /// - Throws: the errors of `body`, `DatabaseError`.
  func inSavepoint(_ db: Database, _ body: () throws -> Void) throws {
    if savepointDepth == 0 { try db.execute(sql: "PRAGMA cache_spill = \(Int32.max)") }
    savepointDepth += 1
    defer {
      savepointDepth -= 1
      // SQLite uses the larger one of this number of pages and of the size of the cache. It writes pages when there are
      // more.
      if savepointDepth == 0 { try? db.execute(sql: "PRAGMA cache_spill = 1") }
    }
    try db.inSavepoint {
      try body()
      return .commit
    }
  }
}
