import DocumentStore
import Foundation
import GRDB
import JSONText
import QueryCompiler
import TextIndex

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
        try withPublicErrors { try engine.write { try $0.recount(collection.record) } }
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
      var problems = try engine.store.read { try StoreVerification.run($0) }
        .map { IntegrityProblem(place: $0.place, problem: $0.problem) }
      problems += try engine.store.read { db in
        try CollectionCatalog.all(db).flatMap { record in
          try engine.valueIndexes(of: record, db).compactMap { index in
            let place = "index \(index.name) of \(record.name)"
            progress?(place)
            return try verify(index, of: record, db).map { IntegrityProblem(place: place, problem: $0) }
          }
        }
      }
      // FTS5's own check is a statement that needs a connection which may write. One that has seen damage cannot commit.
      try engine.store.writeAndRollBack { transaction in
        for record in try CollectionCatalog.all(transaction.db) {
          let schema = try engine.schema(of: record, transaction.db)
          let checks =
            schema.fullTextIndexes.map { index in
              (index.name, { try self.verify(index, of: record, transaction.db) })
            }
            + schema.patternIndexes.map { index in
              (index.name, { try self.verify(index, of: record, transaction.db) })
            }
          for (name, check) in checks {
            let place = "index \(name) of \(record.name)"
            progress?(place)
            do {
              guard let problem = try check() else { continue }
              problems.append(IntegrityProblem(place: place, problem: problem))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
              problems.append(
                IntegrityProblem(place: place, problem: "cannot be read (\(error.message ?? "damaged")); rebuild it"))
            } catch is JSONError {
              problems.append(
                IntegrityProblem(place: place, problem: "cannot be checked against documents that are damaged"))
            }
          }
        }
      }
      return problems
    }
  }

  private func verify(
    _ index: OrderedIndex, of record: CollectionRecord, _ db: GRDB.Database
  ) throws -> String? {
    // That documents are missing is known, and no damage.
    if index.isOutdated, !index.isIncomplete { return "was made by another version; rebuild it" }
    do {
      let rows = try ValueIndexCatalog.differences(of: index, in: record, limit: 1, db)
      return rows.first.map { "does not hold what the document in row \($0) says; rebuild it" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_ERROR {
      return "cannot be read (\(error.message ?? "damaged")); rebuild it"
    }
  }

  private func verify(
    _ index: InvertedIndex, of record: CollectionRecord, _ db: GRDB.Database
  ) throws -> String? {
    var verification = FullTextVerification(index, db)
    let analysis = DocumentAnalysis(index)
    let parser = try JSONParser()
    try DocumentReader(record, db).forEach { document in
      let terms = try document.body.withUnsafeBytes { try analysis.analyze(parser.parse($0)) }
      verification.expect(terms, rowID: document.rowID)
      return true
    }
    return try verification.problem()
  }

  private func verify(
    _ index: TextIndex.PatternIndex, of record: CollectionRecord, _ db: GRDB.Database
  ) throws -> String? {
    var verification = try PatternVerification(index, db)
    let analysis = TrigramAnalysis(index)
    let parser = try JSONParser()
    try DocumentReader(record, db).forEach { document in
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
