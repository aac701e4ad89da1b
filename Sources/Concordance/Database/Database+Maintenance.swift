import DocumentStore
import Foundation
import GRDB
import JSONText
import QueryCompiler
import TextIndex
import TrigramIndex

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
        for name in try collection.indexes() { try collection.reindex(name) }
      }
    case .integrityCheck:
      let problems = try verify()
      guard problems.isEmpty else {
        throw CBLError(CBLError.corruptData, problems.map(\.description).joined(separator: "\n"))
      }
    case .optimize:
      for collection in try allCollections() {
        try withPublicErrors { try engine.write { try collection.writeBounds($0) } }
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
      let found = try engine.store.read { try StoreVerification.run($0, isIndexObject: DatabaseEngine.isIndexObject) }
      var problems = found.map { IntegrityProblem(location: $0.location, problem: $0.problem) }
      try engine.store.read { db in
        for (record, schema) in try schemas(db, &problems) {
          for index in schema.valueIndexes {
            try check("index \(index.name) of \(record.name)", &problems, progress) {
              try verify(index, of: record, db)
            }
          }
        }
      }
      // FTS5's integrity check needs a connection that can write. A connection that has seen damage cannot commit.
      try engine.store.writeAndRollBack { transaction in
        var ignored: [IntegrityProblem] = []
        for (record, schema) in try schemas(transaction.db, &ignored) {
          for index in schema.fullTextIndexes {
            try check("index \(index.name) of \(record.name)", &problems, progress) {
              try verify(index, of: record, transaction.db)
            }
          }
          for index in schema.patternIndexes {
            try check("index \(index.name) of \(record.name)", &problems, progress) {
              try verify(index, of: record, transaction.db)
            }
          }
        }
      }
      return problems
    }
  }

  /// The indexes of every collection whose definitions can be read; others are problems.
  private func schemas(
    _ db: GRDB.Database, _ problems: inout [IntegrityProblem]
  ) throws -> [(CollectionRecord, CollectionSchema)] {
    let records: [CollectionRecord]
    do {
      records = try CollectionCatalog.all(db)
    } catch let error as DatabaseError where error.isCausedByFile {
      // `StoreVerification` has reported it.
      return []
    }
    var schemas: [(CollectionRecord, CollectionSchema)] = []
    for record in records {
      do {
        schemas.append((record, try engine.schema(of: record, db)))
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
    return schemas
  }

  /// Runs the check of an index. Damage that stops the check is reported as a problem, too.
  private func check(
    _ location: String, _ problems: inout [IntegrityProblem], _ progress: ((String) -> Void)?,
    _ check: () throws -> String?
  ) throws {
    progress?(location)
    let problem: String?
    do {
      problem = try check()
    } catch let error as DatabaseError where error.isCausedByFile {
      problem = "cannot be read (\(error.message ?? "damaged")); rebuild it"
    } catch is JSONError {
      problem = "cannot be checked against documents that are damaged"
    }
    if let problem { problems.append(IntegrityProblem(location: location, problem: problem)) }
  }

  private func verify(
    _ index: StoredValueIndex, of record: CollectionRecord, _ db: GRDB.Database
  ) throws -> String? {
    // Missing documents of an incomplete index are known; they are not damage.
    if index.isOutdated, !index.isIncomplete { return "was made by another version; rebuild it" }
    let rows = try ValueIndexCatalog.differences(of: index, in: record, limit: 1, db)
    return rows.first.map { "does not hold what the document in row \($0) says; rebuild it" }
  }

  private func verify(
    _ index: StoredFullTextIndex, of record: CollectionRecord, _ db: GRDB.Database
  ) throws -> String? {
    var verification = FullTextVerification(index, db)
    let analysis = DocumentAnalysis(index)
    let condition = try index.documentCondition(of: record, db)
    let parser = try JSONParser()
    // Includes documents that have expired and are not purged yet.
    try DocumentReader(record, db).forEach(includingDeleted: true) { document in
      guard try !document.isDeleted && condition?.holds(document) ?? true else { return true }
      let terms = try document.body.withUnsafeBytes { try analysis.analyze(parser.parse($0)) }
      verification.expect(terms, rowID: document.rowID)
      return true
    }
    return try verification.problem()
  }

  private func verify(
    _ index: TrigramIndex.StoredPatternIndex, of record: CollectionRecord, _ db: GRDB.Database
  ) throws -> String? {
    var verification = try PatternVerification(index, db)
    let analysis = TrigramAnalysis(index)
    let parser = try JSONParser()
    try DocumentReader(record, db).forEach(includingDeleted: true) { document in
      guard !document.isDeleted else { return true }
      let trigrams = try document.body.withUnsafeBytes { try analysis.analyze(parser.parse($0)) }
      try verification.expect(trigrams, rowID: document.rowID)
      return true
    }
    return try verification.problem()
  }

  private func allCollections() throws -> [Collection] {
    try scopes().flatMap { try $0.collections() }
  }
}
