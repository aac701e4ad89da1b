import GRDB
import SQLiteAccess
import VersionVectors

/// The version vectors of documents.
///
/// The vector of a document that only this file has changed consists of its revision. For a document that a
/// replication has written, `concordance_version` stores the vector of that revision. If the document was saved
/// afterwards, its revision is later than the stored vector, and its vector is the stored one with this revision added.
/// So saving a document does not write a vector.
///
/// If the file is a copy, the vector of a revision that was saved after the copy was made also includes the last
/// versions that were written with the earlier ids of the file.
///
/// Vectors are stored in the binary form of ``VersionVector/bytes`` and contain the ids of all authors.
struct VersionRecords {
  private let db: Database
  private let collection: CollectionRecord
  private let identity: SourceIdentity

  /// Creates an accessor for the vectors of a collection.
  init(_ collection: CollectionRecord, _ identity: SourceIdentity, _ db: Database) {
    self.db = db
    self.collection = collection
    self.identity = identity
  }

  /// Returns the vector of a stored document or tombstone.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/corrupt`` if the stored vector is damaged.
  /// - Complexity: O(log n).
  func vector(of document: StoredDocument) throws -> VersionVector {
    let statement = try SQLStatement(
      cached: "SELECT vector FROM concordance_version WHERE collection = ? AND document = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, collection.id)
    statement.bind(2, document.rowID)
    let record = try statement.step() ? statement.row.bytes(0).map { Array($0) } : nil
    return try vector(of: document, record: record)
  }

  /// Returns the vector of a document whose record has already been read; pass nil if it has none.
  func vector(of document: StoredDocument, record: [UInt8]?) throws -> VersionVector {
    try vector(ofRevision: document.revision, id: document.id, record: record)
  }

  /// Returns the vector of a document whose revision and record have already been read.
  func vector(ofRevision revision: Int64, id: String, record: [UInt8]?) throws -> VersionVector {
    let version = identity.version(revision)
    guard let record else {
      let earlier = identity.earlierVersions(before: version.time, after: 0)
      guard let first = earlier.first else { return VersionVector(version) }
      return earlier.dropFirst().reduce(VersionVector(first)) { $0.adding($1) }.adding(version)
    }
    guard let stored = try? VersionVector(bytes: record) else {
      throw StoreError(
        .corrupt,
        "the version vector of the document \"\(id)\" of \(collection.name) is damaged; save it again")
    }
    guard version.time > stored.current.time else { return stored }
    return identity.earlierVersions(before: version.time, after: stored.current.time)
      .reduce(stored) { $0.adding($1) }.adding(version)
  }

  /// Stores the vector of the current revision of a document.
  func set(_ vector: VersionVector, rowID: Int64) throws {
    let statement = try SQLStatement(
      cached: "INSERT OR REPLACE INTO concordance_version (collection, document, vector) VALUES (?, ?, ?)", in: db)
    statement.bind(1, collection.id)
    statement.bind(2, rowID)
    try vector.bytes.withUnsafeBytes { bytes in
      statement.bind(3, blob: bytes)
      try statement.run()
    }
  }

  /// Removes the vector and the conflicts of a document that is purged.
  static func remove(rowID: Int64, of collection: CollectionRecord, _ db: Database) throws {
    for table in ["concordance_version", "concordance_conflict"] {
      let statement = try SQLStatement(
        cached: "DELETE FROM \(table) WHERE collection = ? AND document = ?", in: db)
      statement.bind(1, collection.id)
      statement.bind(2, rowID)
      try statement.run()
    }
  }
}
