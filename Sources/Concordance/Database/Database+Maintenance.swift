import DocumentStore
import Foundation
import GRDB
import JSONText
import QueryCompiler
import TextIndex
import TrigramIndex

/// A kind of upkeep for ``Database/performMaintenance(type:)``.
public enum MaintenanceType: UInt8, Sendable, CaseIterable {
  /// Deletes the blobs that no document refers to, and gives the space of what was deleted back to the disk.
  case compact = 0
  /// Makes every index anew and counts the documents. Indexes whose models are not registered stay as they are, and so do
  /// those with documents that cannot be predicted.
  case reindex
  /// Checks the file; throws when it is damaged.
  case integrityCheck
  /// Refreshes the statistics that queries are planned with, where they are out of date, and computes what the parts of full-text
  /// indexes lack that searches for common words are fast with: worth its time after much was saved, and quick.
  case optimize
  /// Refreshes all statistics, and merges the parts that full-text indexes have grown from.
  case fullOptimize
}

/// What a check of a database found to be wrong.
public struct IntegrityProblem: Hashable, Sendable, CustomStringConvertible {
  /// The part of the database: the file, a collection, an index.
  public let place: String
  /// What is wrong with it, and what to do.
  public let problem: String

  /// Both, for a line of output.
  public var description: String { "\(place): \(problem)" }
}

extension Database {
  /// Does a kind of upkeep.
  ///
  /// - Throws: ``CBLError``; ``CBLError/corruptData`` when an integrity check finds damage.
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

  /// Checks everything: the pages of the file, the text of every document, the counters of the catalog, and each index
  /// against the documents that it should hold.
  ///
  /// - Parameter progress: called with what is checked next.
  /// - Returns: what is wrong; empty when the database is whole.
  /// - Throws: ``CBLError`` when the check could not be made.
  /// - Complexity: O(n): everything is read, and all text analysed again.
  public func verify(progress: ((String) -> Void)? = nil) throws -> [IntegrityProblem] {
    try withPublicErrors {
      progress?("documents")
      let found = try engine.store.read { try StoreVerification.run($0, isIndexObject: DatabaseEngine.isIndexObject) }
      var problems = found.map { IntegrityProblem(place: $0.place, problem: $0.problem) }
      try engine.store.read { db in
        for (record, schema) in try schemas(db, &problems) {
          for index in schema.valueIndexes {
            try check("index \(index.name) of \(record.name)", &problems, progress) {
              try verify(index, of: record, db)
            }
          }
        }
      }
      // FTS5's own check is a statement that needs a connection which may write. One that has seen damage cannot commit.
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
            place: "collection \(record.name)", problem: "the definition of an index cannot be read (\(error))"))
      }
    }
    return schemas
  }

  /// Runs the check of an index; damage that ends it is a problem, too.
  private func check(
    _ place: String, _ problems: inout [IntegrityProblem], _ progress: ((String) -> Void)?,
    _ check: () throws -> String?
  ) throws {
    progress?(place)
    let problem: String?
    do {
      problem = try check()
    } catch let error as DatabaseError where error.isCausedByFile {
      problem = "cannot be read (\(error.message ?? "damaged")); rebuild it"
    } catch is JSONError {
      problem = "cannot be checked against documents that are damaged"
    }
    if let problem { problems.append(IntegrityProblem(place: place, problem: problem)) }
  }

  private func verify(
    _ index: OrderedIndex, of record: CollectionRecord, _ db: GRDB.Database
  ) throws -> String? {
    // That documents are missing is known, and no damage.
    if index.isOutdated, !index.isIncomplete { return "was made by another version; rebuild it" }
    let rows = try ValueIndexCatalog.differences(of: index, in: record, limit: 1, db)
    return rows.first.map { "does not hold what the document in row \($0) says; rebuild it" }
  }

  private func verify(
    _ index: InvertedIndex, of record: CollectionRecord, _ db: GRDB.Database
  ) throws -> String? {
    var verification = FullTextVerification(index, db)
    let analysis = DocumentAnalysis(index)
    let condition = try index.documentCondition(of: record, db)
    let parser = try JSONParser()
    // With those that have expired and were not purged yet.
    try DocumentReader(record, db).forEach(includingDeleted: true) { document in
      guard try !document.isDeleted && condition?.holds(document) ?? true else { return true }
      let terms = try document.body.withUnsafeBytes { try analysis.analyze(parser.parse($0)) }
      verification.expect(terms, rowID: document.rowID)
      return true
    }
    return try verification.problem()
  }

  private func verify(
    _ index: TrigramIndex.PatternIndex, of record: CollectionRecord, _ db: GRDB.Database
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
