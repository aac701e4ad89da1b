public import GRDB

extension Store {
  /// Calls `body` with a connection that sees one unchanging state of the file, and with threads that see the same
  /// state.
  ///
  /// Inside a batch or another read of this thread, and on a machine with one processor, there are no helpers.
  ///
  /// - Complexity: About 0.1 ms more than ``read(_:)``; worthwhile for work that takes several milliseconds.
  public func readInParallel<T>(_ body: (Database, ReaderPool) throws -> T) throws -> T {
    let readerPool = ReaderPool()
    let helpers = isReading ? 0 : reserveHelpers()
    readerPool.expect(helpers)
    for _ in 0..<helpers {
      helperThreads.submit {
        self.help(readerPool)
        self.helperCount.withLock { $0 -= 1 }
      }
    }
    defer { readerPool.dismiss() }
    if helpers > 0 { readerPool.awaitHelpers() }
    return try read { db in
      // The first read fixes the state of the file.
      _ = try CollectionCatalog.version(db)
      readerPool.start()
      return try body(db, readerPool)
    }
  }

  /// Claims helpers for one more read, at most one for each other processor; returns 0 if all are in use.
  private func reserveHelpers() -> Int {
    helperCount.withLock { count in
      let free = max(0, Store.maximumHelperCount - count)
      count += free
      return free
    }
  }

  private func help(_ readerPool: ReaderPool) {
    // If a helper fails, the other threads process its share and find the same faults in the file.
    _ = try? pool.unsafeReentrantRead { db in
      let version = try Int64.fetchOne(db, sql: "PRAGMA data_version")
      guard readerPool.reportForWork() else { return }
      defer { readerPool.leave() }
      try db.inTransaction(.deferred) {
        _ = try CollectionCatalog.version(db)
        if try Int64.fetchOne(db, sql: "PRAGMA data_version") == version {
          try scanning(db) { readerPool.work(on: db) }
        }
        return .rollback
      }
    }
  }
}
