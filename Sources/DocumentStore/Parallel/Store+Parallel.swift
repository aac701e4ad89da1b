public import GRDB

extension Store {
  /// Calls `body` with a connection that sees one unchanging state of the file, and with threads that see the same
  /// state.
  ///
  /// Inside a batch or another read of this thread, and on a machine with one processor, there are no helpers.
  ///
  /// - Parameter hasHelpers: Whether threads may help: false if it is known that there is no work for them.
  /// - Complexity: Some microseconds more than ``read(_:)``, unless helpers are given work.
  public func readInParallel<T>(
    hasHelpers: Bool = true, _ body: (Database, ReaderPool) throws -> T
  ) throws -> T {
    let readerPool = readerPool(seeing: hasHelpers && !isReading ? stateWatch.current() : nil)
    defer { readerPool.dismiss() }
    return try read { db in
      // The first read fixes the state of the file.
      _ = try CollectionCatalog.version(db)
      return try body(db, readerPool)
    }
  }

  /// Returns the threads of a read.
  ///
  /// - Parameter version: the number that ``StateWatch`` reported before the transaction of the read began; nil if the
  ///   read has no helpers.
  func readerPool(seeing version: Int64?) -> ReaderPool {
    ReaderPool(recruit: version.map { version in { readerPool in self.recruit(readerPool, seeing: version) } })
  }

  private func recruit(_ readerPool: ReaderPool, seeing version: Int64) {
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

  /// - Parameter version: the number that ``StateWatch`` reported before the caller's transaction began.
  private func help(_ readerPool: ReaderPool, seeing version: Int64) {
    // If a helper fails, the other threads process its share and find the same faults in the file.
    _ = try? usingPool {
      try $0.unsafeReentrantRead { db in
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
