import Foundation
import GRDB
import SQLiteAccess

extension Store {
  /// The settings of each connection.
  ///
  /// - Parameter file: the file; nil if the rows are in another database.
  static func connectionSettings(_ configuration: StoreConfiguration, _ file: OpenedFile? = nil) -> Configuration {
    var settings = Configuration()
    let remote = configuration.remote
    settings.readonly = configuration.isReadOnly && remote == nil
    settings.busyMode = .timeout(configuration.busyTimeout)
    // Enabled below; GRDB's statement takes longer than the others together.
    settings.foreignKeysEnabled = false
    let synchronous = configuration.fullSync ? "FULL" : "NORMAL"
    let pageCacheSize = configuration.pageCacheSize
    let prepare = configuration.prepareConnection
    settings.prepareDatabase { db in
      try file?.requireSame()
      try UntrustedSchemaSettings.apply(to: db)
      // The page size has an effect only while the file is empty. The log is checkpointed on another thread, see
      // ``BackgroundCheckpoint``.
      try db.runAll(
        """
        PRAGMA foreign_keys = ON;
        PRAGMA page_size = \(Store.pageSize);
        PRAGMA synchronous = \(synchronous);
        PRAGMA cache_size = \(Store.pageCacheSetting(pageCacheSize));
        PRAGMA wal_autocheckpoint = \(remote == nil ? 0 : Store.frontCheckpointPages);
        PRAGMA journal_size_limit = \(BackgroundCheckpoint.Limits().size);
        """)
      StatementInterruption.install(on: db)
      try remote?.attach(to: db)
      try prepare?(db)
    }
    return settings
  }

  /// The maximum number of helper threads: one for each processor except the caller's.
  static let maximumHelperCount = max(0, ProcessorCount.active - 1)

  /// The maximum number of readers of the pool. Helpers must leave connections for the threads that they help.
  static var maximumReaderCount: Int { max(4, ProcessorCount.active) + maximumHelperCount }

  /// The size of a connection's page cache in bytes while it scans a table.
  static let scanCacheSize = 2 << 20

  static func setPageCache(_ size: Int, _ db: Database) throws {
    try db.runAll("PRAGMA cache_size = \(pageCacheSetting(size))")
  }

  /// The value of `PRAGMA cache_size` for a number of bytes. A negative number is in KiB.
  private static func pageCacheSetting(_ size: Int) -> Int { -max(1, size >> 10) }

  /// The page size in bytes. With SQLite's default of 4,096 bytes, a page holds only three documents of 1 kB, and one
  /// sixth of it is wasted.
  private static let pageSize = 8192

  /// The size of the log, in pages, at which SQLite checkpoints a file whose rows are in another database.
  private static let frontCheckpointPages = 1000
}
