public import GRDB

/// A change of a document: a save, a deletion or a purge.
public struct ChangedDocument: Hashable, Sendable {
  /// The document's id.
  public let id: String
  /// The number of the change within the collection.
  public let sequence: Int64
}

/// A connection that reads what has changed since a point in time, by whatever process.
///
/// It is one of its own: SQLite tells a connection whether the file was changed by others, and so nobody waits for a turn
/// in the pool.
public final class ChangeReader: Sendable {
  private let connection: DatabaseQueue

  init(location: String, busyTimeout: Double) throws {
    var settings = Configuration()
    settings.readonly = true
    settings.busyMode = .timeout(busyTimeout)
    settings.label = "concordance.changes"
    settings.prepareDatabase { db in
      try SchemaDistrust.apply(to: db.sqliteConnection)
      try db.execute(sql: "PRAGMA cache_size = -2048")
    }
    connection = try DatabaseQueue(path: location, configuration: settings)
  }

  /// A number that is another one after every commit of another connection, in this process or any other. It takes a few
  /// microseconds to ask.
  public func dataVersion() throws -> Int64 {
    try connection.inDatabase { db in
      let statement = try SQLStatement(cached: "PRAGMA data_version", in: db)
      defer { statement.reset() }
      return try statement.step() ? statement.row.int64(0) : 0
    }
  }

  /// Calls `body` with one committed state of the file, whatever transaction this thread has open.
  public func read<T>(_ body: (Database) throws -> T) throws -> T {
    try connection.inDatabase { db in
      try db.beginTransaction(.deferred)
      // Nothing was changed; and after damage was met, a commit fails where a rollback does not.
      defer { try? db.rollback() }
      return try body(db)
    }
  }

  /// Closes the connection, after who is reading has ended.
  public func close() { try? connection.close() }
}

extension Store {
  /// Opens a connection that follows the changes of the file. Close it before the store, so that it is not the last one.
  public func makeChangeReader() throws -> ChangeReader {
    try ChangeReader(location: location, busyTimeout: configuration.busyTimeout)
  }
}

extension DocumentReader {
  /// The changes behind a sequence number, oldest first: of each document that is there the last one, and purges as far back
  /// as the log of purges reaches.
  ///
  /// - Complexity: O(n) in their number; texts are not read.
  public func changes(since sequence: Int64) throws -> [ChangedDocument] {
    let statement = try SQLStatement(
      cached: """
        SELECT id, sequence FROM \(collection.table) WHERE sequence > ?1
        UNION ALL SELECT id, sequence FROM concordance_purge WHERE collection = ?2 AND sequence > ?1
        ORDER BY sequence
        """, in: db)
    defer { statement.reset() }
    statement.bind(1, sequence)
    statement.bind(2, collection.id)
    var changes: [ChangedDocument] = []
    while try statement.step() {
      changes.append(ChangedDocument(id: statement.row.string(0), sequence: statement.row.int64(1)))
    }
    return changes
  }
}
