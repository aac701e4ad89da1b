import DocumentStore
import Foundation
import GRDB
import JSONText

/// A kind of maintenance for ``Database/performMaintenance(type:)``. The raw values are those of Couchbase Lite.
public enum MaintenanceType: UInt8, Sendable, CaseIterable {
  /// Deletes blobs that no document refers to, and returns the space of deleted data to the file system.
  ///
  /// It rewrites the file, so it needs as much free disk space as the file has.
  case compact = 0
  /// Rebuilds every index and recounts the documents.
  ///
  /// An index whose model is not registered is not rebuilt, and neither is an index with documents that cannot be
  /// predicted.
  case reindex
  /// Checks the whole database as ``Database/verify(progress:)`` does, and throws if it is damaged.
  case integrityCheck
  /// Updates outdated statistics of the query planner, and computes missing score bounds of full-text indexes, which
  /// make searches for common words fast. It is quick; call it after many saves.
  case optimize
  /// Updates all statistics, and merges the segments of every full-text and pattern index into one.
  case fullOptimize
}

/// A fault that ``Database/verify(progress:)`` has found.
public struct IntegrityProblem: Hashable, Sendable, CustomStringConvertible {
  /// The part of the database that is damaged: the file, a collection or an index.
  public let location: String
  /// The fault, and what to do about it.
  public let problem: String

  /// The place and the fault in one line, as `concord verify` prints them.
  public var description: String { "\(location): \(problem)" }
}

extension Database {
  /// Performs one kind of maintenance.
  ///
  /// ```swift
  /// try database.performMaintenance(type: .compact)
  /// ```
  ///
  /// - Parameter type: what to do.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/corruptData`` if an integrity check finds damage; the message lists all faults.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  ///   - ``CBLError/busy`` if another process is writing for longer than ``DatabaseConfiguration/busyTimeout``.
  /// - Complexity: O(n) in the size of the database, except ``MaintenanceType/optimize``, which depends on what has
  ///   changed.
  public func performMaintenance(type: MaintenanceType) throws {
    switch type {
    case .compact:
      try withPublicErrors {
        try engine.store.deleteUnreferencedBlobs()
        try engine.store.withoutTransaction { try $0.execute(sql: "VACUUM") }
      }
    case .reindex:
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
        try withPublicErrors { try engine.write { try collection.writeStatistics($0) } }
      }
      try withPublicErrors { try engine.store.write { try $0.db.execute(sql: "PRAGMA optimize") } }
    case .fullOptimize:
      for collection in try allCollections() {
        for name in try collection.indexes() { try collection.optimizeIndex(forName: name) }
      }
      try withPublicErrors { try engine.store.write { try $0.db.execute(sql: "ANALYZE") } }
    }
  }

  /// Checks the pages of the file, the text of every document, the counters of the catalog, and each index against the
  /// documents that it should contain.
  ///
  /// ```swift
  /// for problem in try database.verify() { print(problem) }
  /// ```
  ///
  /// - Parameter progress: called with the name of each part before it is checked.
  /// - Returns: the faults; empty if the database is undamaged.
  /// - Throws: ``CBLError`` if the check could not be made; ``CBLError/notWriteable`` for a read-only database, because
  ///   FTS5's integrity check needs a connection that can write.
  /// - Complexity: O(n): reads the whole file and analyzes all text again.
  public func verify(progress: ((String) -> Void)? = nil) throws -> [IntegrityProblem] {
    try withPublicErrors {
      progress?("documents")
      let found = try engine.store.read {
        try StoreVerification.run($0, indexKinds: engine.kinds.catalogNames, isIndexObject: engine.kinds.isIndexObject)
      }
      var problems = found.map { IntegrityProblem(location: $0.location, problem: $0.problem) }
      try engine.store.read { db in
        for (record, indexes) in try readableIndexes(db, &problems) {
          for index in indexes where !index.isVerifiedByWriting {
            try check(index, of: record, &problems, progress, db)
          }
        }
      }
      // FTS5's integrity check needs a connection that can write. A connection that has seen damage cannot commit.
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

  /// The indexes of every collection whose definitions can be read; others are problems.
  private func readableIndexes(
    _ db: GRDB.Database, _ problems: inout [IntegrityProblem]
  ) throws -> [(CollectionRecord, [any StoredIndex])] {
    let records: [CollectionRecord]
    do {
      records = try CollectionCatalog.all(db)
    } catch let error as DatabaseError where error.isCausedByFile {
      // `StoreVerification` has reported it.
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

  /// Checks an index. Damage that stops the check is reported as a problem, too.
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
      problem = "cannot be read (\(error.message ?? "damaged")); rebuild it"
    } catch is JSONError {
      problem = "cannot be checked against documents that are damaged"
    }
    if let problem { problems.append(IntegrityProblem(location: location, problem: problem)) }
  }

  private func allCollections() throws -> [Collection] {
    try scopes().flatMap { try $0.collections() }
  }
}
