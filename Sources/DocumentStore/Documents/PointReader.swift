import Foundation
import GRDB
import GRDBSQLite

/// Connections dedicated to reading single documents by id and chunks of blobs by digest.
///
/// Getting a connection from GRDB's pool costs more than the lookup itself (queues, a check of the schema, a
/// transaction): 12 µs of 15, as measured. A lookup here takes a lock, one prepared statement, and SQLite's own work.
/// It runs outside any transaction and so sees the last committed state.
///
/// `@unchecked Sendable`: `idle` and `isClosed` are accessed only under `lock`; a connection is used by the one thread
/// that took it.
final class PointReaders: @unchecked Sendable {
  private let location: String
  private let busyTimeout: Double
  private let lock = NSLock()
  private var idle: [PointReader] = []
  private var isClosed = false

  /// The maximum number of idle connections to keep open.
  private static let keptCount = 4

  init(location: String, busyTimeout: Double) {
    self.location = location
    self.busyTimeout = busyTimeout
  }

  /// Returns the document with this id, or nil.
  func document(id: String, in collection: CollectionRecord) throws -> StoredDocument? {
    try withReader { try $0.document(id: id, in: collection) }
  }

  /// Returns the chunk of a blob with this number and the length of the blob; nil if there is no such blob.
  func blobPart(digest: String, number: Int64) throws -> BlobPart? {
    try withReader { try $0.blobPart(digest: digest, number: number) }
  }

  private func withReader<T>(_ body: (PointReader) throws -> T) throws -> T {
    let reader = try lock.withLock { idle.popLast() } ?? PointReader(location: location, busyTimeout: busyTimeout)
    let result = try body(reader)
    // A reader that threw is not returned to the pool; it closes itself.
    lock.withLock { if !isClosed, idle.count < PointReaders.keptCount { idle.append(reader) } }
    return result
  }

  func close() {
    lock.withLock {
      isClosed = true
      idle = []
    }
  }
}

/// A read-only connection with a prepared statement for each collection, and one for blobs.
private final class PointReader {
  private let connection: OpaquePointer
  private var statements: [Int64: OpaquePointer] = [:]
  private var blobStatement: OpaquePointer?
  private var collectionStatement: OpaquePointer?

  init(location: String, busyTimeout: Double) throws {
    connection = try SQLiteHandle.open(location, SQLITE_OPEN_READONLY)
    sqlite3_busy_timeout(connection, Int32(busyTimeout * 1000))
    sqlite3_exec(connection, "PRAGMA cache_size = -8192", nil, nil, nil)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_finalize(blobStatement)
    sqlite3_finalize(collectionStatement)
    sqlite3_close_v2(connection)
  }

  func document(id: String, in collection: CollectionRecord) throws -> StoredDocument? {
    let statement = try statement(for: collection)
    defer { sqlite3_reset(statement) }
    var id = id
    return try id.withUTF8 { bytes in
      statement.bindText(1, UnsafeRawBufferPointer(bytes))
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE {
        try require(collection)
        return nil
      }
      guard code == SQLITE_ROW else { throw failure() }
      return StoredDocument(ResultRow(handle: statement))
    }
  }

  /// A deleted collection has no documents, but the caller should get the specific error.
  private func require(_ collection: CollectionRecord) throws {
    let statement = try collectionStatement ?? prepare("SELECT 1 FROM concordance_collection WHERE id = ?")
    collectionStatement = statement
    defer { sqlite3_reset(statement) }
    sqlite3_bind_int64(statement, 1, collection.id)
    let code = sqlite3_step(statement)
    if code == SQLITE_DONE { throw CollectionCatalog.missing(collection) }
    guard code == SQLITE_ROW else { throw failure() }
  }

  func blobPart(digest: String, number: Int64) throws -> BlobPart? {
    let statement = try blobStatement ?? prepare(BlobPart.selection)
    blobStatement = statement
    defer { sqlite3_reset(statement) }
    sqlite3_bind_int64(statement, 1, number)
    var digest = digest
    return try digest.withUTF8 { bytes in
      statement.bindText(2, UnsafeRawBufferPointer(bytes))
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return nil }
      guard code == SQLITE_ROW else { throw failure() }
      return BlobPart(ResultRow(handle: statement))
    }
  }

  private func statement(for collection: CollectionRecord) throws -> OpaquePointer {
    if let known = statements[collection.id] { return known }
    let statement = try prepare(collection.liveSelectionByID)
    statements[collection.id] = statement
    return statement
  }

  private func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure() }
    return statement
  }

  private func failure() -> any Error {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: String(cString: sqlite3_errmsg(connection)))
  }
}
