public import GRDB
import SQLiteAccess

/// A change to a document: a save, a deletion or a purge.
public struct ChangedDocument: Hashable, Sendable {
  /// The document's id.
  public let id: String
  /// The sequence number of the change within the collection.
  public let sequence: Int64
}

/// A connection that reads the changes that any process has made since a point in time.
///
/// It is not part of the pool, because SQLite reports changes by other connections relative to one connection, and
/// because other readers should not wait for it.
public final class ChangeReader: Sendable {
  private let connection: DatabaseQueue
  private let remote: (any RemoteStorage)?

  init(location: String, busyTimeout: Double, _ remote: (any RemoteStorage)? = nil) throws {
    self.remote = remote
    var settings = Configuration()
    settings.readonly = true
    settings.busyMode = .timeout(busyTimeout)
    settings.label = "concordance.changes"
    settings.prepareDatabase { db in
      try UntrustedSchemaSettings.apply(to: db)
      try db.execute(sql: "PRAGMA cache_size = -2048")
      try remote?.attach(to: db)
    }
    connection = try DatabaseQueue(path: location, configuration: settings)
  }

  /// Returns a number that changes with every commit of another connection, in this process or any other. Takes a few
  /// microseconds.
  public func dataVersion() throws -> Int64 {
    if let remote { return try remote.stateNumber() }
    return try connection.inDatabase { db in
      let statement = try SQLStatement(cached: "PRAGMA data_version", in: db)
      defer { statement.reset() }
      return try statement.step() ? statement.row.int64(0) : 0
    }
  }

  /// Calls `body` with one committed state of the file, regardless of any transaction that this thread has open.
  public func read<T>(_ body: (Database) throws -> T) throws -> T {
    try connection.inDatabase { db in
      try remote?.beginReading(db)
      defer { remote?.endReading(db) }
      try db.beginTransaction(.deferred)
      // The read changed nothing. If it found damage, a commit would fail, but a rollback does not.
      defer { try? db.rollback() }
      return try body(db)
    }
  }

  /// Closes the connection after the reads in progress have ended.
  public func close() {
    remote?.endWatching()
    try? connection.close()
  }
}

extension Store {
  /// Opens a connection that follows the changes to the file. Close it before the store, so that it is not the last
  /// open connection.
  public func makeChangeReader() throws -> ChangeReader {
    try ChangeReader(location: location, busyTimeout: configuration.busyTimeout, remote)
  }
}

extension DocumentReader {
  /// Returns the changes after a sequence number, oldest first: the last change to each existing document, and purges
  /// as far back as the purge log reaches.
  ///
  /// - Complexity: O(n) in the number of changes; document bodies are not read.
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
