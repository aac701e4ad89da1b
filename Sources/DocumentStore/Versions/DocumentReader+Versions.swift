import GRDB
import SQLiteAccess
public import VersionVectors

/// A document or tombstone with its vector.
public struct VersionedDocument: Sendable {
  /// The document.
  public let document: StoredDocument
  /// Its vector.
  public let vector: VersionVector
  /// Whether a revision from another database conflicts with it. In lists of changes, only conflicts of one replication
  /// count.
  public let hasConflict: Bool
}

extension DocumentReader {
  /// Returns changed documents and tombstones with their vectors, in the order of their sequences. Expired documents
  /// are omitted.
  ///
  /// - Parameters:
  ///   - sequence: the sequence after which to begin.
  ///   - limit: the maximum number of documents.
  ///   - maximumSize: the total size of the bodies, in bytes, at which no more documents are added.
  ///   - remote: the replication whose conflicts are reported; nil to report none.
  /// - Returns: The documents, and whether the end of the changes was reached.
  public func versionedChanges(
    after sequence: Int64, limit: Int, maximumSize: Int, remote: String?
  ) throws -> (documents: [VersionedDocument], isComplete: Bool) {
    let records = VersionRecords(collection, try SourceIdentity(db), db)
    let statement = try SQLStatement(
      cached: """
        SELECT \(StoredDocument.columns), vector, EXISTS (
          SELECT 1 FROM concordance_conflict WHERE collection = ?2 AND document = d.rowid AND remote = ?3)
        FROM \(collection.table) d
        LEFT JOIN concordance_version v ON v.collection = ?2 AND v.document = d.rowid
        WHERE sequence > ?1 AND \(StoredDocument.isUnexpired)
        ORDER BY sequence
        """, in: db)
    defer { statement.reset() }
    statement.bind(1, sequence)
    statement.bind(2, collection.id)
    if let remote { statement.bind(3, copying: Array(remote.utf8), asText: true) } else { statement.bindNull(3) }
    var documents: [VersionedDocument] = []
    var size = 0
    while documents.count < limit, size < maximumSize {
      guard try statement.step() else { return (documents, true) }
      let document = StoredDocument(statement.row)
      size += document.body.count
      documents.append(
        VersionedDocument(
          document: document,
          vector: try records.vector(of: document, record: statement.row.bytes(7).map { Array($0) }),
          hasConflict: statement.row.int64(8) != 0))
    }
    return (documents, false)
  }

  /// Returns the vectors of documents and tombstones, and whether they are tombstones; nil for documents that are not
  /// stored.
  ///
  /// - Complexity: O(log n) for each id. Bodies are not read.
  public func versions(_ ids: [String]) throws -> [(vector: VersionVector, isDeleted: Bool)?] {
    let records = VersionRecords(collection, try SourceIdentity(db), db)
    let statement = try SQLStatement(
      cached: """
        SELECT revision, deleted, vector FROM \(collection.table) d
        LEFT JOIN concordance_version v ON v.collection = ?2 AND v.document = d.rowid WHERE id = ?1
        """, in: db)
    statement.bind(2, collection.id)
    return try ids.map { id in
      try statement.withText(1, id) {
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let row = statement.row
        let vector = try records.vector(
          ofRevision: row.int64(0), id: id, record: row.bytes(2).map { Array($0) })
        return (vector, row.int64(1) != 0)
      }
    }
  }

  /// Returns a document or tombstone with its vector, or nil.
  public func versionedDocument(id: String) throws -> VersionedDocument? {
    guard let document = try document(id: id, includingDeleted: true) else { return nil }
    let vector = try VersionRecords(collection, SourceIdentity(db), db).vector(of: document)
    let hasConflict = try !StoredConflicts(collection, db).conflicts(rowID: document.rowID).isEmpty
    return VersionedDocument(document: document, vector: vector, hasConflict: hasConflict)
  }
}
