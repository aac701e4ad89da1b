public import GRDB

extension Store {
  /// Calls `body` with a connection that sees one unchanging state of the file, and with a pool of threads that see the
  /// same state.
  ///
  /// Inside a batch or another read of this thread, and on a machine with one processor, there are no helpers.
  ///
  /// - Parameter hasHelpers: whether to use helpers. Pass false if there is no work for them.
  /// - Complexity: A few microseconds more than ``read(_:)``, unless helpers are requested.
  public func readInParallel<T>(
    hasHelpers: Bool = true, _ body: (Database, ReaderPool) throws -> T
  ) throws -> T {
    let readerPool = readerPool(seeing: hasHelpers && !isReading && remote == nil ? stateWatch.current() : nil)
    defer { readerPool.finish() }
    return try read { db in
      // The first read fixes the state of the file. Helpers compare theirs with it.
      if hasHelpers { _ = try CollectionCatalog.version(db) }
      return try body(db, readerPool)
    }
  }

  /// Returns the pool of a read.
  ///
  /// - Parameter version: the number that ``StateWatch`` reported before the transaction of the read began; nil if the
  ///   read has no helpers.
  func readerPool(seeing version: Int64?) -> ReaderPool {
    ReaderPool(
      requestHelpers: version.map { version in { readerPool in self.requestHelpers(readerPool, seeing: version) } })
  }

  private func requestHelpers(_ readerPool: ReaderPool, seeing version: Int64) {
    for _ in 0..<reserveHelpers() {
      helperThreads.submit {
        self.help(readerPool, seeing: version)
        self.helperCount.withLock { $0 -= 1 }
      }
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

  /// Helps a read: processes its tasks in a transaction that sees the same state.
  ///
  /// - Parameter version: the number that ``StateWatch`` reported before the caller's transaction began.
  private func help(_ readerPool: ReaderPool, seeing version: Int64) {
    // If a helper fails, the other threads process its share and encounter the same errors in the file.
    _ = try? usingPool {
      try $0.unsafeReentrantRead { db in
        // A task that reads the store uses this connection.
        enterRead()
        defer { leaveRead() }
        try db.inTransaction(.deferred) {
          _ = try CollectionCatalog.version(db)
          guard stateWatch.current() == version, readerPool.join() else { return .rollback }
          defer { readerPool.leave() }
          try scanning(db) { readerPool.work(on: db) }
          return .rollback
        }
      }
    }
  }
}
