import GRDB
import JSONText
import SQLiteAccess

/// Deletes the blobs that no document refers to.
///
/// Counting references at every save would require parsing each document and its previous version. Instead, compaction
/// reads all documents, in two phases so that writers do not wait: first in a read snapshot; then, in short write
/// transactions, the documents changed since the snapshot.
struct BlobCollector {
  /// The digests of the blobs that no document read so far refers to.
  private(set) var candidates: Set<String> = []
  /// The last sequence read in each collection.
  private var lastSequences: [Int64: Int64] = [:]
  private let parser: JSONParser

  init() throws { parser = try JSONParser() }

  /// The first phase: reads every document. Call it in a read transaction.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/corrupt`` for a document that cannot be read: its references
  ///   are unknown, so no blob may be deleted.
  mutating func findCandidates(_ db: Database) throws {
    candidates = try Blobs.digests(db)
    guard !candidates.isEmpty else { return }
    for collection in try CollectionCatalog.all(db) {
      lastSequences[collection.id] = try CollectionCatalog.lastSequence(collection, db)
      try DocumentReader(collection, db).forEach(includingExpired: true) { try keepReferences(of: $0, in: collection) }
    }
    try keepReferencesOfConflicts(db)
  }

  /// Keeps the blobs of revisions that conflict with a document. There are few, so they are read in both phases.
  private mutating func keepReferencesOfConflicts(_ db: Database) throws {
    try StoredConflicts.forEachBody(db) { body in
      let root = try body.withUnsafeBytes { try parser.parse($0) }
      BlobReference.forEach(in: root) { candidates.remove($0) }
    }
  }

  /// The second phase: reads the documents that have changed since the last call, and deletes candidates until their
  /// total size reaches `maximumSize`. Repeat it until ``candidates`` is empty.
  ///
  /// - Returns: The number of deleted blobs.
  mutating func deleteSome(in transaction: WriteTransaction, maximumSize: Int64 = 256 << 20) throws -> Int {
    try transaction.requireIntact()
    let db = transaction.db
    for collection in try CollectionCatalog.all(db) {
      // Sequences only increase, so a changed document comes after the last one that was read.
      let known = lastSequences[collection.id] ?? 0
      try DocumentReader(collection, db).forEachChange(since: known) { document in
        lastSequences[collection.id] = document.sequence
        return try document.isDeleted || keepReferences(of: document, in: collection)
      }
    }
    try keepReferencesOfConflicts(db)
    var size: Int64 = 0
    var count = 0
    while size < maximumSize, let digest = candidates.popFirst() {
      guard let length = try Blobs.delete(digest: digest, db) else { continue }
      // Deleting a small blob costs as much as deleting a page.
      size += max(length, 8192)
      count += 1
    }
    return count
  }

  private mutating func keepReferences(of document: StoredDocument, in collection: CollectionRecord) throws -> Bool {
    do {
      let root = try document.body.withUnsafeBytes { try parser.parse($0) }
      BlobReference.forEach(in: root) { candidates.remove($0) }
      return !candidates.isEmpty
    } catch let error as JSONError {
      throw StoreError(
        .corrupt,
        "the document \"\(document.id)\" of \(collection.name) cannot be read (\(error)), so the blobs that it refers "
          + "to are unknown; delete it or save it again")
    }
  }
}

extension Store {
  /// Deletes the blobs that no document refers to, without blocking writers for long.
  ///
  /// This includes blobs that were saved with `Database.saveBlob(blob:)` and that no document refers to yet.
  ///
  /// - Returns: The number of deleted blobs.
  /// - Throws: ``StoreError``: ``StoreErrorKind/misuse`` if this thread is inside a read or write block,
  ///   ``StoreErrorKind/corrupt`` if a document cannot be read.
  /// - Complexity: O(n) in the size of all documents, O(1) if there are no blobs.
  @discardableResult
  public func deleteUnreferencedBlobs() throws -> Int {
    try requireNoOpenBlock("maintained")
    var collector = try BlobCollector()
    try read { try collector.findCandidates($0) }
    var count = 0
    while !collector.candidates.isEmpty { count += try write { try collector.deleteSome(in: $0) } }
    return count
  }
}
