import Foundation
import GRDB

/// GRDB's pool of a file, opened by the first call that needs it.
///
/// A database that is opened for reading only usually does not need it, because its reads use ``ReaderConnections``.
final class StorePool: Sendable {
  private let location: String
  private let settings: Configuration
  private let busyTimeout: Double
  private let pool = Locked<DatabasePool?>(nil)

  init(_ location: String, _ settings: Configuration, busyTimeout: Double) {
    self.location = location
    self.settings = settings
    self.busyTimeout = busyTimeout
  }

  /// Returns the pool.
  ///
  /// - Throws: `DatabaseError` if it cannot be opened.
  func opened() throws -> DatabasePool {
    try pool.withLock { pool in
      if let pool { return pool }
      let opened = try StorePool.open(location, settings, busyTimeout: busyTimeout)
      pool = opened
      return opened
    }
  }

  /// Closes the pool if it was opened.
  ///
  /// - Throws: `DatabaseError`, after which the pool is still open.
  func close() throws { try pool.withLock { $0 }?.close() }

  /// Opens the connection for writing, which switches a new file's journal to WAL.
  ///
  /// If two processes do this at the same time and each holds a lock that the other needs, SQLite does not wait: one of
  /// them immediately gets `SQLITE_BUSY`. When it tries again, the journal has already been switched.
  private static func open(
    _ location: String, _ settings: Configuration, busyTimeout: Double
  ) throws -> DatabasePool {
    var settings = settings
    settings.maximumReaderCount = Store.maximumReaderCount
    let end = ContinuousClock.now + .seconds(busyTimeout)
    while true {
      do {
        return try DatabasePool(path: location, configuration: settings)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
        usleep(5_000)
      }
    }
  }
}
