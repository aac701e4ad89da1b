package import DocumentStore
package import GRDB
import PostgresAccess
import SQLiteAccess
import Synchronization
import TextIndex

/// The storage of a database on PostgreSQL: virtual tables on each SQLite connection, and the sessions that they use.
package final class PostgresStorage: RemoteStorage {
  package let name: String
  package let identity: String
  /// The division of rows into shards.
  package let shards: ShardLayout
  /// The servers.
  package let nodes: NodeLayout
  /// The connections to each node.
  let pools: [ConnectionPool]
  /// The write transactions of this open database.
  let commits = CommitLog()
  /// The states of the shards of a database on Citus.
  let shardStates = ShardStates()
  /// The time in seconds for which a read waits for commits that have reached some servers only.
  let busyTimeout: Double
  private let replacement = Atomic(false)
  private static let longestCheck: Duration = .seconds(5)
  /// The highest number of a state that a transaction has seen.
  let lastState = Atomic<Int64>(0)
  private let connectionTables = Mutex<[UInt: WeakConnectionTables]>([:])
  let roundTrips = Atomic(0)
  /// What transactions share of the full-text indexes.
  let fullTextCaches = FullTextCaches()

  /// Merges that commits have made necessary.
  package let merges = BackgroundMerges()
  let watch: CommitWatch

  /// Connects to a database.
  ///
  /// - Parameters:
  ///   - address: the URL.
  ///   - busyTimeout: the time in seconds for which a read waits for commits that have reached some servers only.
  /// - Throws: ``StoreError`` if the server cannot be reached, or if the database was not initialized.
  package init(_ address: String, busyTimeout: Double = StoreConfiguration().busyTimeout) throws {
    self.busyTimeout = StoreConfiguration.possibleTimeout(busyTimeout)
    var settings = PostgresSettings()
    settings.schema = StoreSchema.name
    let first = ConnectionPool(address, settings)
    do {
      let connection = try first.take()
      name = connection.name
      (shards, nodes) = try StoreAdministration.layout(connection, name: name)
      identity = try StoreAdministration.identity(connection)
      first.put(connection)
      pools = [first] + nodes.nodes.dropFirst().map { ConnectionPool($0.address, settings) }
      watch = CommitWatch(first)
    } catch let error as PostgresError {
      throw StoreError(error)
    }
  }

  package var roundTripCount: Int { roundTrips.load(ordering: .relaxed) }

  package func attach(to db: Database) throws {
    let tables = ConnectionTables(self)
    connectionTables.withLock { connectionTables in
      connectionTables = connectionTables.filter { $0.value.tables != nil }
      connectionTables[db.connectionNumber] = WeakConnectionTables(tables: tables)
    }
    db.setAnnouncementReceiver(tables)
    RemoteIndexes.set(self, for: db, while: tables)
    try tables.addCatalogTables(to: db)
  }

  /// Returns the tables of a connection.
  func tables(_ db: Database) throws -> ConnectionTables {
    let number = db.connectionNumber
    guard let tables = connectionTables.withLock({ $0[number]?.tables }) else {
      throw StoreError(.closed, "\(name): the connection is closed")
    }
    return tables
  }

  /// Returns the session of a connection.
  package func session(_ db: Database) throws -> any PostgresSession { try tables(db).session }

  package func beginReading(_ db: Database) throws {
    try translatingPostgresErrors {
      let tables = try tables(db)
      try tables.session.beginReading()
      try tables.addDocumentTables(to: db)
      try tables.addValueTables(to: db)
    }
  }

  package func allowPartialResults(_ db: Database) throws -> [MissingNode] {
    try tables(db).session.allowPartialResults()
  }

  package func endReading(_ db: Database) { try? tables(db).session.end() }

  package func beginWriting(_ db: Database, busyTimeout: Double) throws {
    try translatingPostgresErrors {
      let tables = try tables(db)
      try tables.session.beginWriting(busyTimeout: busyTimeout)
      try tables.addDocumentTables(to: db)
      try tables.addValueTables(to: db)
    }
  }

  package func hasWaitingWriter(_ db: Database) throws -> Bool {
    try translatingPostgresErrors {
      do {
        // The connection of the transaction may be sending changes.
        return try pools[0].withConnection { try $0.run([WriterQueue.hasWaitingWriter])[0].bool(0, 0) }
      } catch let error as PostgresError where error.kind == .connectionLost || error.kind == .notConnected {
        // The connection of the transaction reports whether it was saved.
        return false
      }
    }
  }

  package func commit(_ db: Database) throws {
    try translatingPostgresErrors {
      let session = try tables(db).session
      let indexes = Array(session.indexesToMerge.values)
      try session.commit()
      merges.add(indexes, self)
    }
  }

  package func rollBack(_ db: Database) { try? tables(db).session.end() }

  package func cause(of error: any Error, _ db: Database) -> any Error {
    guard let failure = try? tables(db).session.cause(of: error) else {
      return (error as? PostgresError).map { StoreError($0) } ?? error
    }
    return (failure as? PostgresError).map { StoreError($0) } ?? failure
  }

  package func stateNumber() throws -> Int64 {
    try translatingPostgresErrors {
      let state = try requiringManifest { try watch.read() }
      try requireSame(identity: state.identity)
      return state.number
    }
  }

  package func endWatching() { watch.release() }

  package var isReplaced: Bool { replacement.load(ordering: .relaxed) }

  /// Notes that the database is not the one that was opened.
  func noteReplacement() { replacement.store(true, ordering: .relaxed) }

  package func checkServers() throws {
    try translatingPostgresErrors {
      do {
        try Deadline.run(PostgresStorage.longestCheck, of: "check") {
          let session = ConnectionSession(self)
          try session.beginReading()
          defer { session.end() }
          try session.requireNodes()
        }
      } catch let error as StoreError where error.kind == .timeout {
        throw StoreError(
          .serverUnreachable, "\(name): a server has not answered within \(PostgresStorage.longestCheck)")
      }
    }
  }

  package func nextCollectionID(_ db: Database) throws -> Int64 {
    try translatingPostgresErrors { try tables(db).session.nextNumber(of: "cx_collection_id", step: 1) }
  }

  package func createTable(for collection: CollectionName, id: Int64, _ db: Database) throws -> String {
    // Ids are never used again, so a prepared statement never finds another collection under the name of its table.
    let table = id == 1 ? collection.description : "\(collection)~\(id + 1)"
    try tables(db).addDocuments(table: table, collection: id, to: db)
    return table
  }

  package func removeDocuments(of collection: CollectionRecord, _ db: Database) throws {
    try translatingPostgresErrors {
      let session = try tables(db).session
      let id = PostgresValue.int64(collection.id)
      try session.enqueueAll { shard in
        PostgresStatement("DELETE FROM cx_doc WHERE collection = $1\(shard.condition(2))", [id] + shard.parameters)
      }
      for node in nodes.servers {
        try session.enqueue(PostgresStatement("DELETE FROM cx_counter WHERE collection = $1", [id]), on: node)
      }
      // A rollback to a savepoint may bring the collection back, so its counters are kept.
      session.documents.removeAll()
    }
  }

  package func willSave(ids: [String], in collection: CollectionRecord, _ db: Database) throws {
    try translatingPostgresErrors { try tables(db).willSave(ids, table: collection.tableName) }
  }

  package func discardCaches() { fullTextCaches.removeAll() }

  package func close() {
    merges.close()
    watch.close()
    for pool in pools { pool.removeAll() }
  }
}

/// The tables of an SQLite connection.
///
/// `@unchecked Sendable`: the reference is read under the lock of `connectionTables`; the tables are used by the thread
/// that uses their SQLite connection.
private struct WeakConnectionTables: @unchecked Sendable {
  weak var tables: ConnectionTables?
}
