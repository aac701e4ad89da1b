import Foundation
import SQLiteAccess

/// Connections dedicated to reading single documents by id and chunks of blobs by digest.
///
/// With GRDB's pool, getting a connection (queues, a schema check, a transaction) took 12 of the 15 µs of a lookup. A
/// lookup here takes a lock and runs one prepared statement. It runs outside any transaction, so it reads the last
/// committed state.
///
/// `@unchecked Sendable`: `idle` and `isClosed` are accessed only under `lock`; a connection is used only by the thread
/// that took it.
final class PointReaders: @unchecked Sendable {
  private let location: String
  private let busyTimeout: Double
  private let lock = NSLock()
  private var idle: [PointReader] = []
  private var isClosed = false

  /// The maximum number of idle connections to keep open.
  private static let maximumIdleCount = 4

  init(location: String, busyTimeout: Double) {
    self.location = location
    self.busyTimeout = busyTimeout
  }

  /// Returns the document with this id, or nil.
  func document(id: String, in collection: CollectionRecord) throws -> StoredDocument? {
    try withReader { try $0.document(id: id, in: collection) }
  }

  /// Returns the chunk of a blob with this number and the length of the blob; nil if the blob does not exist.
  func blobPart(digest: String, number: Int64) throws -> BlobPart? {
    try withReader { try $0.blobPart(digest: digest, number: number) }
  }

  private func withReader<T>(_ body: (PointReader) throws -> T) throws -> T {
    let reader = try lock.withLock { idle.popLast() } ?? PointReader(location: location, busyTimeout: busyTimeout)
    let result = try body(reader)
    // A reader that threw is not reused; its connection is closed when it is deallocated.
    lock.withLock { if !isClosed, idle.count < PointReaders.maximumIdleCount { idle.append(reader) } }
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
  private let connection: DirectConnection
  private var statements: [Int64: SQLStatement] = [:]
  private var blobStatement: SQLStatement?
  private var collectionStatement: SQLStatement?

  init(location: String, busyTimeout: Double) throws {
    connection = try FileLocation.open(location, .reading)
    connection.setBusyTimeout(busyTimeout)
    try? connection.execute("PRAGMA cache_size = -8192")
  }

  func document(id: String, in collection: CollectionRecord) throws -> StoredDocument? {
    let statement = try statement(for: collection)
    defer { statement.reset() }
    return try statement.withText(1, id) {
      guard try statement.step() else {
        try require(collection)
        return nil
      }
      return StoredDocument(statement.row)
    }
  }

  /// Throws if the collection was deleted, so that the caller gets this error instead of nil.
  private func require(_ collection: CollectionRecord) throws {
    let statement =
      try collectionStatement ?? SQLStatement("SELECT 1 FROM concordance_collection WHERE id = ?", on: connection)
    collectionStatement = statement
    defer { statement.reset() }
    statement.bind(1, collection.id)
    guard try statement.step() else { throw CollectionCatalog.missing(collection) }
  }

  func blobPart(digest: String, number: Int64) throws -> BlobPart? {
    let statement = try blobStatement ?? SQLStatement(BlobPart.selection, on: connection)
    blobStatement = statement
    defer { statement.reset() }
    statement.bind(1, number)
    return try statement.withText(2, digest) { try statement.step() ? BlobPart(statement.row) : nil }
  }

  private func statement(for collection: CollectionRecord) throws -> SQLStatement {
    if let known = statements[collection.id] { return known }
    let statement = try SQLStatement(collection.liveSelectionByID, on: connection)
    statements[collection.id] = statement
    return statement
  }
}
