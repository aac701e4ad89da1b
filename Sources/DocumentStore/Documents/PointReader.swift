import Foundation
import SQLiteAccess

/// A read-only connection with a prepared statement for each collection, and one for blobs, used by one thread at a
/// time.
///
/// While many documents are read in succession, it keeps its read transaction: beginning and ending one takes a fifth
/// of the time of a lookup, because both lock the file. The index of the log shows whether the transaction still reads
/// the last committed state.
final class PointReader {
  private let connection: DirectConnection
  private var lookups: [Int64: Lookup] = [:]
  private var blobStatement: SQLStatement?
  private var collectionStatement: SQLStatement?
  private var begin: SQLStatement?
  private var commit: SQLStatement?

  /// Whether a transaction is open.
  private(set) var isInTransaction = false
  /// Nil before the first transaction, and if the file has no log.
  private var log: LogState?
  private var canKeepTransactions = true
  /// The time of the last lookup, and the number of lookups in that tick.
  private var tick: Int64 = 0
  private var lookupCount = 0
  /// The number of lookups in a tick after which a transaction is kept.
  private static let minimumCount = 8

  /// A statement that finds a document by its id.
  private struct Lookup {
    let statement: SQLStatement
    /// The number of recompilations when the collection was known to exist.
    var checkedCount = -1
  }

  /// - Parameters:
  ///   - location: a location from ``FileLocation``.
  ///   - file: the file that must be at this location; nil if any may be.
  init(location: String, busyTimeout: Double, _ file: OpenedFile?) throws {
    connection = try FileLocation.open(location, .reading)
    try file?.requireSame()
    connection.setBusyTimeout(busyTimeout)
    canKeepTransactions = !FileLocation.isURI(location)
    try? connection.execute("PRAGMA cache_size = -8192")
  }

  /// The time, which advances in ticks of one to ten milliseconds. A transaction is kept for one tick.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  func document(id: String, in collection: CollectionRecord) throws -> StoredDocument? {
    try continueTransaction()
    var lookup =
      try lookups[collection.id] ?? Lookup(statement: SQLStatement(collection.uncheckedSelectionByID, on: connection))
    let statement = lookup.statement
    defer { statement.reset() }
    return try statement.withText(1, id) {
      let isFound = try statement.step()
      // A table with the same name may belong to another collection, but not without a change of the schema.
      if !isFound || statement.recompilationCount != lookup.checkedCount {
        try require(collection)
        lookup.checkedCount = statement.recompilationCount
        lookups[collection.id] = lookup
      }
      return isFound ? StoredDocument(statement.row, id: id) : nil
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
    try endTransaction()
    let statement = try blobStatement ?? SQLStatement(BlobPart.selection, on: connection)
    blobStatement = statement
    defer { statement.reset() }
    statement.bind(1, number)
    return try statement.withText(2, digest) { try statement.step() ? BlobPart(statement.row) : nil }
  }

  /// Ends the transaction if there was no lookup in the current tick.
  func endOldTransaction() throws {
    if tick != PointReader.now { try endTransaction() }
  }

  /// Ends the transaction if it is old or does not read the last committed state, and begins one if there are many
  /// lookups.
  private func continueTransaction() throws {
    guard canKeepTransactions else { return }
    let now = PointReader.now
    if now != tick {
      // A kept transaction delays other connections that want to overwrite the log.
      try endTransaction()
      (tick, lookupCount) = (now, 0)
    }
    lookupCount += 1
    if isInTransaction, log?.isCurrent() != true { try endTransaction() }
    if !isInTransaction, lookupCount > PointReader.minimumCount { try beginTransaction() }
  }

  private func beginTransaction() throws {
    // The connection has read the file, so it has opened the log.
    if log == nil { log = try LogState(connection) }
    guard log != nil else {
      canKeepTransactions = false
      return
    }
    let statement = try begin ?? SQLStatement("BEGIN", on: connection)
    begin = statement
    // A state that is committed before the first lookup of the transaction is noticed at the second one.
    log?.note()
    try statement.run()
    isInTransaction = true
  }

  private func endTransaction() throws {
    guard isInTransaction else { return }
    isInTransaction = false
    let statement = try commit ?? SQLStatement("COMMIT", on: connection)
    commit = statement
    try statement.run()
  }
}
