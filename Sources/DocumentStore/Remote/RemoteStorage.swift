package import GRDB
import SQLiteAccess

/// The storage of a ``Store`` whose rows are in another database, such as PostgreSQL.
///
/// The store still uses SQLite as the query processor: its file is empty, and every connection has virtual tables with
/// the names of the tables of ``FileFormat``, which read and write the rows of the other database. The storage begins
/// and ends its transactions together with those of SQLite. Its errors are ``StoreError``s.
package protocol RemoteStorage: AnyObject, Sendable {
  /// The address without a password, for messages and as the path of the store.
  var name: String { get }

  /// Identifies the database, whatever its address. A copy that a server has restored from a backup has the same.
  var identity: String { get }

  /// Adds the tables to a new connection.
  func attach(to db: Database) throws

  /// Begins a read transaction on the connection.
  func beginReading(_ db: Database) throws

  /// Leaves out the servers that the read transaction could not reach: their rows are missing for the rest of it.
  /// Without this call, reading a row of such a server is an error.
  ///
  /// - Returns: the servers; none in a write transaction.
  func allowPartialResults(_ db: Database) throws -> [MissingNode]

  /// Ends the read transaction of the connection.
  func endReading(_ db: Database)

  /// Begins a write transaction on the connection and waits for other writers, at most as long as the configuration
  /// allows.
  func beginWriting(_ db: Database, busyTimeout: Double) throws

  /// Returns whether another client waits for the end of the write transaction of a connection.
  func hasWaitingWriter(_ db: Database) throws -> Bool

  /// Commits the write transaction of the connection. If it fails, the transaction is rolled back.
  func commit(_ db: Database) throws

  /// Rolls back the write transaction of the connection.
  func rollBack(_ db: Database)

  /// The number of times that the transactions that have ended have waited for the server.
  var roundTripCount: Int { get }

  /// Returns a number that changes with every commit of any client.
  func stateNumber() throws -> Int64

  /// Closes the connection for ``stateNumber()`` until the number is needed again.
  func endWatching()

  /// Whether an operation has found that the database is no longer the one that was opened.
  var isReplaced: Bool { get }

  /// Throws if one of the servers does not answer, or if the database is no longer the one that was opened.
  func checkServers() throws

  /// Returns a name for the table of a new collection, which no other collection has ever had, and adds the table to
  /// the connection.
  func createTable(for collection: CollectionName, id: Int64, _ db: Database) throws -> String

  /// Returns the id of the next collection.
  func nextCollectionID(_ db: Database) throws -> Int64

  /// Removes the documents of a collection.
  func removeDocuments(of collection: CollectionRecord, _ db: Database) throws

  /// Announces that documents with these ids will be saved, so that those that exist are read together.
  func willSave(ids: [String], in collection: CollectionRecord, _ db: Database) throws

  /// Discards the parts of indexes that earlier transactions have read, so that the next one reads them again.
  func discardCaches()

  /// Rewrites the tables without the space of deleted rows. It must not be called in a transaction.
  ///
  /// - Parameter busyTimeout: the time in seconds to wait for other clients that use a table.
  func compact(busyTimeout: Double) throws

  /// Returns the error to report for an error of a statement: the error of the other database that caused it, if any.
  func cause(of error: any Error, _ db: Database) -> any Error

  /// Closes idle connections.
  func close()
}

/// A server that a read transaction could not reach.
package struct MissingNode: Hashable, Sendable {
  /// The number of the server, from 2: the first is always needed.
  package let number: Int
  /// The shards on the server.
  package let shards: ClosedRange<Int>
  /// The reason, which names the server.
  package let message: String

  package init(number: Int, shards: ClosedRange<Int>, message: String) {
    self.number = number
    self.shards = shards
    self.message = message
  }
}

extension Store {
  /// The storage of a store whose rows are in another database; nil for a file.
  package var remote: (any RemoteStorage)? { configuration.remote }

  /// Whether the rows are in a file.
  public var isFile: Bool { configuration.remote == nil }

  /// Throws for an operation that is not available for databases on PostgreSQL.
  ///
  /// - Parameter operation: the subject of the message: "views are".
  public func requireFile(for operation: String) throws {
    guard let remote else { return }
    throw StoreError(
      .unavailable, "\(remote.name): \(operation) not available on PostgreSQL yet; use a database in a file")
  }
}
