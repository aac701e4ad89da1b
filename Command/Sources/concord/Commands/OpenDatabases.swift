import Concordance
import Synchronization

/// The databases that the command has opened for reading.
///
/// They stay in memory until the process ends, because Dispatch starts threads to release the queues of their
/// connections.
enum OpenDatabases {
  private static let databases = Mutex<[Database]>([])

  static func keep(_ database: Database) { databases.withLock { $0.append(database) } }

  /// Closes the databases, so that SQLite deletes the files that it has created next to them.
  static func close() {
    for database in databases.withLock({ $0 }) { try? database.close() }
  }
}
