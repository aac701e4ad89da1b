import DocumentStore
import Foundation
import GRDB
import JSONText

/// A kind of maintenance for ``Database/performMaintenance(type:)``. The raw values are the same as in Couchbase Lite.
public enum MaintenanceType: UInt8, Sendable, CaseIterable {
  /// Deletes blobs that no document refers to, and returns the space of deleted data to the file system.
  ///
  /// The file is rewritten, which requires free disk space for a second copy of it. On PostgreSQL, the tables are
  /// rewritten one after the other (`VACUUM FULL`); other clients can neither read nor write a table meanwhile.
  case compact = 0
  /// Rebuilds every index and recounts the documents of every collection.
  ///
  /// A predictive index is skipped if its model is not registered or if the model fails for a document.
  case reindex
  /// Checks the whole database as ``Database/verify(progress:)`` does, and throws an error if it is damaged.
  case integrityCheck
  /// Updates outdated statistics of the query planner, computes missing score bounds of full-text indexes, which speed
  /// up searches for common words, and merges the youngest segments of each pattern index, up to 128 MiB. Call it after
  /// many saves.
  case optimize
  /// Updates all statistics, and merges the segments of every full-text and pattern index into one.
  case fullOptimize
}

/// A problem that ``Database/verify(progress:)`` found.
///
/// ```swift
/// for problem in try database.verify() { print(problem.location, problem.problem) }
/// ```
public struct IntegrityProblem: Hashable, Sendable, CustomStringConvertible {
  /// The part of the database that is damaged: the file, a collection or an index.
  public let location: String
  /// A description of the problem and how to repair it.
  public let problem: String

  /// The location and the problem in one line, as `concord verify` prints them.
  public var description: String { "\(location): \(problem)" }
}

extension Database {
  /// Performs one kind of maintenance.
  ///
  /// ```swift
  /// try database.performMaintenance(type: .compact)
  /// ```
  ///
  /// - Parameter type: the kind of maintenance.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/corruptData`` if an integrity check finds damage; the message lists all problems.
  ///   - ``CBLError/transactionNotClosed`` if ``MaintenanceType/compact`` or ``MaintenanceType/integrityCheck`` is
  ///     called inside a batch.
  ///   - ``CBLError/ioError`` if the disk is full, or a PostgreSQL server cannot be reached.
  ///   - ``CBLError/notOpen`` if the database is closed.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  ///   - ``CBLError/busy`` if another process holds the write lock for longer than
  ///     ``DatabaseConfiguration/busyTimeout``.
  /// - Complexity: O(n) in the size of the database; for ``MaintenanceType/optimize``, amortized, in the size of the
  ///   changes since the last call.
  public func performMaintenance(type: MaintenanceType) throws {
    switch type {
    case .compact:
      _ = try withPublicErrors { try engine.store.deleteUnreferencedBlobs() }
      if let remote = engine.store.remote {
        // Nobody needs the rows of replaced segments: other transactions keep the state that they have begun with.
        _ = try mergeSegments(all: false, retirementAge: 0)
        try withPublicErrors { try remote.compact(busyTimeout: config.busyTimeout) }
      } else {
        try withPublicErrors { try engine.store.withoutTransaction { try $0.execute(sql: "VACUUM") } }
      }
    case .reindex:
      try withPublicErrors {
        if engine.store.isFile {
          try engine.write { try $0.dropUnlistedIndexes(isIndexObject: engine.kinds.isIndexObject) }
        }
      }
      for collection in try allCollections() {
        try withPublicErrors {
          try engine.write { transaction in
            try transaction.recount(collection.record)
            try engine.catalogDidChange(in: transaction)
          }
        }
        for name in try collection.indexes() { try collection.rebuildIfPossible(name) }
      }
    case .integrityCheck:
      let problems = try verify()
      guard problems.isEmpty else {
        throw CBLError(CBLError.corruptData, problems.map(\.description).joined(separator: "\n"))
      }
    case .optimize:
      for collection in try allCollections() {
        try withPublicErrors { try collection.finishChanges() }
      }
      guard engine.store.isFile else { return }
      try withPublicErrors { try engine.store.write { try $0.db.execute(sql: "PRAGMA optimize") } }
    case .fullOptimize:
      guard engine.store.isFile else {
        _ = try mergeSegments(all: true)
        return
      }
      for collection in try allCollections() {
        for name in try collection.indexes() { try collection.optimizeIndex(forName: name) }
      }
      try withPublicErrors { try engine.store.write { try $0.db.execute(sql: "ANALYZE") } }
    }
  }

  /// Checks the pages of the file, the text of every document and the counters of the catalog, and compares each index
  /// with the documents that it should contain.
  ///
  /// ```swift
  /// for problem in try database.verify() { print(problem) }
  /// ```
  ///
  /// - Parameter progress: a closure that is called with the name of each part before it is checked.
  /// - Returns: the problems; an empty array if the database is undamaged.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/cantOpenFile`` or ``CBLError/ioError`` if a PostgreSQL server cannot be reached.
  ///   - ``CBLError/transactionNotClosed`` if it is called inside a batch.
  ///   - ``CBLError/notOpen`` if the database is closed.
  ///   - ``CBLError/busy`` if another process holds the write lock for longer than
  ///     ``DatabaseConfiguration/busyTimeout``.
  ///   - ``CBLError/notWriteable`` if a file is read-only, because FTS5's integrity check needs a writable connection.
  /// - Complexity: O(n) in the size of the file; all text is analyzed again.
  public func verify(progress: ((String) -> Void)? = nil) throws -> [IntegrityProblem] {
    try withPublicErrors {
      try engine.store.requireVerifiable()
      progress?("documents")
      let found = try engine.store.read { db in
        try StoreVerification.run(
          db, indexKinds: engine.kinds.catalogNames, isFile: engine.store.isFile,
          isIndexObject: engine.kinds.isIndexObject, cause: { remoteCause(of: $0, db) })
      }
      var problems = found.map { IntegrityProblem(location: $0.location, problem: $0.problem) }
      let needsWriting = engine.store.isFile
      try engine.store.read { db in
        for (record, indexes) in try readableIndexes(db, &problems) {
          for index in indexes where !(needsWriting && index.isVerifiedByWriting) {
            try check(index, of: record, &problems, progress, db)
          }
        }
      }
      guard needsWriting else { return problems }
      // FTS5's integrity check needs a connection that can write. The transaction is rolled back, because a connection
      // that has read damaged pages cannot commit.
      try engine.store.writeAndRollBack { transaction in
        var ignored: [IntegrityProblem] = []
        for (record, indexes) in try readableIndexes(transaction.db, &ignored) {
          for index in indexes where index.isVerifiedByWriting {
            try check(index, of: record, &problems, progress, transaction.db)
          }
        }
      }
      return problems
    }
  }

  /// Returns the indexes of every collection. Collections whose index definitions cannot be read are appended to
  /// `problems` instead.
  private func readableIndexes(
    _ db: GRDB.Database, _ problems: inout [IntegrityProblem]
  ) throws -> [(CollectionRecord, [any StoredIndex])] {
    let records: [CollectionRecord]
    do {
      records = try CollectionCatalog.all(db)
    } catch let error as DatabaseError where error.isCausedByFile {
      // `StoreVerification` has already reported the error.
      return []
    }
    var indexes: [(CollectionRecord, [any StoredIndex])] = []
    for record in records {
      do {
        indexes.append((record, try engine.indexes(of: record, db).all))
      } catch let error as DatabaseError where !error.isCausedByFile {
        throw error
      } catch let error as StoreError {
        throw error
      } catch {
        problems.append(
          IntegrityProblem(
            location: "collection \(record.name)", problem: "the definition of an index cannot be read (\(error))"))
      }
    }
    return indexes
  }

  /// Checks an index. Damage that stops the check is also reported as a problem.
  private func check(
    _ index: any StoredIndex, of record: CollectionRecord, _ problems: inout [IntegrityProblem],
    _ progress: ((String) -> Void)?, _ db: GRDB.Database
  ) throws {
    let location = "index \(index.name) of \(record.name)"
    progress?(location)
    let problem: String?
    do {
      problem = try index.problem(in: record, db)
    } catch let error as DatabaseError where error.isCausedByFile {
      if let cause = remoteCause(of: error, db) { throw cause }
      problem = "cannot be read (\(error.message ?? "damaged")); rebuild it"
    } catch is JSONError {
      problem = "cannot be checked against documents that are damaged"
    }
    if let problem { problems.append(IntegrityProblem(location: location, problem: problem)) }
  }

  /// Returns the error of the PostgreSQL server that caused an error, for example because it cannot be reached; nil for
  /// other errors. It ends the transaction, so it is not damage of the part that was being checked.
  private func remoteCause(of error: DatabaseError, _ db: GRDB.Database) -> (any Error)? {
    let cause = engine.store.remote?.cause(of: error, db)
    return cause is DatabaseError ? nil : cause
  }
}
