import Foundation
import GRDB
import JSONText
import SQLiteAccess

/// Verifies the documents of a collection, and compares its counters with them.
struct CollectionVerification {
  private let collection: CollectionRecord
  private let db: Database
  private let lastRevision: Int64

  init(_ collection: CollectionRecord, _ db: Database) throws {
    self.collection = collection
    self.db = db
    let stored = try DatabaseValue.fetchOne(db, sql: "SELECT value FROM concordance_meta WHERE key = 'last_revision'")
    // ``CatalogVerification`` reports a counter that is not a number.
    lastRevision = stored.flatMap(Int64.fromDatabaseValue) ?? .max
  }

  /// Returns the findings about the collection.
  ///
  /// - Complexity: O(n) in the size of its documents.
  func check() throws -> [IntegrityFinding] {
    var problems: [String] = []
    let parser = try JSONParser()
    let blobs = BlobVerification(db)
    let lastSequence = try CollectionCatalog.lastSequence(collection, db)
    let sources = try Set(SourceCatalog.all(in: collection, db).map(\.id))
    var count: Int64 = 0
    try DocumentReader(collection, db).forEach(includingDeleted: true, includingExpired: true) { document in
      let name = "document \"\(document.id)\""
      if try hasInvalidID(document) {
        problems.append("\(name) has an id that is not valid UTF-8; restore a copy of the file")
      }
      if document.sequence > lastSequence {
        problems.append("\(name) has sequence \(document.sequence), above the last, \(lastSequence)")
      }
      if document.revision > lastRevision {
        problems.append("\(name) has revision \(document.revision), above the last, \(lastRevision)")
      }
      if let source = document.source, !sources.contains(source) {
        problems.append("\(name) refers to the source \(source), which is not in the catalog")
      }
      guard !document.isDeleted else { return true }
      count += 1
      do {
        _ = try DocumentBody(checking: document.body, parser: parser) { root in
          guard let digest = try blobs.missingBlob(referencedIn: root) else { return }
          problems.append("\(name) refers to the blob \(digest), which is not stored")
        }
      } catch let error as StoreError {
        problems.append("\(name): \(error.message)")
      }
      return true
    }
    return (problems + (try valueProblems()) + (try counterProblems(count, lastSequence))).map {
      IntegrityFinding(location: "collection \(collection.name)", problem: $0)
    }
  }

  /// Returns a problem for each column that contains values that this library never writes.
  private func valueProblems() throws -> [String] {
    let limit = DocumentExpiration.limit
    let checks = [
      (
        "id",
        """
        typeof(id) <> 'text' OR length(CAST(id AS BLOB)) NOT BETWEEN 1 AND \(DocumentIDRule.maximumLength) OR substr(id, 1, 1) = '_'
        """
      ),
      ("sequence", "typeof(sequence) <> 'integer' OR sequence < 1"),
      ("revision", "typeof(revision) <> 'integer' OR revision < 0"),
      ("deletion flag", "typeof(deleted) <> 'integer' OR deleted NOT IN (0, 1)"),
      (
        "expiration",
        "typeof(expiration) NOT IN ('null', 'integer') OR expiration NOT BETWEEN -\(limit) AND \(limit)"
      ),
    ]
    return try checks.compactMap { name, condition in
      let row = try Row.fetchOne(db, sql: "SELECT count(*), min(rowid) FROM \(collection.table) WHERE \(condition)")
      guard let row, let count = row[0] as Int64?, count > 0 else { return nil }
      let location =
        count == 1 ? "row \(row[1] as Int64? ?? 0)" : "\(count) rows, of which the first is \(row[1] as Int64? ?? 0)"
      return "a document has an invalid \(name) (\(location)); restore a copy of the file"
    }
  }

  /// Returns whether the stored id is not valid UTF-8, in which case reading it replaced the invalid bytes with U+FFFD.
  private func hasInvalidID(_ document: StoredDocument) throws -> Bool {
    guard document.id.unicodeScalars.contains("\u{FFFD}") else { return false }
    let stored = try Data.fetchOne(
      db, sql: "SELECT CAST(id AS BLOB) FROM \(collection.table) WHERE rowid = ?", arguments: [document.rowID])
    return stored.map { !$0.elementsEqual(document.id.utf8) } ?? false
  }

  private func counterProblems(_ count: Int64, _ lastSequence: Int64) throws -> [String] {
    var problems: [String] = []
    let counted = try CollectionCatalog.documentCount(collection, db)
    if counted != count {
      problems.append("the number of documents is \(count), but the catalog records \(counted)")
    }
    let purged = try Int64.fetchOne(
      db, sql: "SELECT max(sequence) FROM concordance_purge WHERE collection = ?", arguments: [collection.id])
    if let purged, purged > lastSequence {
      problems.append("a purge has sequence \(purged), above the last, \(lastSequence)")
    }
    let invalidPurges = try Int64.fetchOne(
      db,
      sql: """
        SELECT count(*) FROM concordance_purge
        WHERE collection = ? AND (typeof(sequence) <> 'integer' OR sequence < 1 OR typeof(id) <> 'text')
        """, arguments: [collection.id])
    if let invalidPurges, invalidPurges > 0 {
      problems.append(
        "a sequence or id is invalid in \(invalidPurges) of the rows of concordance_purge; restore a copy of the file")
    }
    if !CounterLimits.counts.contains(lastSequence) {
      problems.append(
        "the last sequence is \(lastSequence), which no collection can reach; rebuild the indexes to recount"
      )
    }
    return problems
  }
}
