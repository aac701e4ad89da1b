import Foundation
import GRDB
import SQLiteAccess
public import VersionVectors

/// A revision with its version vector, which is the same in all databases.
public struct ReplicatedRevision: Sendable {
  /// The document's id.
  public let id: String
  /// Its text; nil for a tombstone.
  public let body: DocumentBody?
  /// The version vector, with the ids of all authors.
  public let vector: VersionVector
  /// Whether the text may refer to blobs.
  public let mayReferenceBlobs: Bool

  /// Creates a revision.
  public init(id: String, body: DocumentBody?, vector: VersionVector, mayReferenceBlobs: Bool = true) {
    self.id = id
    self.body = body
    self.vector = vector
    self.mayReferenceBlobs = mayReferenceBlobs
  }
}

extension DocumentWriter {
  /// Stores a revision from another database, or the resolution of a conflict, with its vector. Always replaces the
  /// stored document and its vector: the caller has compared the vectors in the same transaction.
  ///
  /// Advances the clock of the file to the latest time in the vector.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/badDocumentID``.
  public func put(_ revision: ReplicatedRevision, replacing existing: StoredDocument?) throws -> Change {
    try DocumentIDRule.check(revision.id)
    try transaction.requireIntact()
    let identity = try transaction.state.identity(transaction.db)
    try transaction.state.observe(revision.vector, transaction.db)
    var counters = try transaction.state.collection(collection.id, transaction.db)
    counters.lastSequence += 1
    let time = Int64(clamping: revision.vector.current.time)
    let wasLive = existing.map { !$0.isDeleted } ?? false
    if wasLive != (revision.body != nil) {
      counters.documentCount = max(0, counters.documentCount + (wasLive ? -1 : 1))
    }
    let rowID: Int64
    if let existing {
      rowID = existing.rowID
      try write(
        rowID, counters.lastSequence, time, isDeleted: revision.body == nil,
        revision.body == nil ? nil : existing.source, revision.body?.bytes)
    } else {
      rowID = try insertRevision(revision, sequence: counters.lastSequence, time)
    }
    try VersionRecords(collection, identity, transaction.db).set(revision.vector, rowID: rowID)
    recordChange(counters, revision.id)
    return Change(
      rowID: rowID, sequence: counters.lastSequence, revision: time, previous: wasLive ? existing : nil)
  }

  /// Stores a revision of a document that does not exist.
  ///
  /// - Returns: nil if a document or tombstone with its id exists, or if the revision is a tombstone. Nothing is
  ///   changed then.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/badDocumentID``.
  public func insert(_ revision: ReplicatedRevision) throws -> Change? {
    guard let body = revision.body else { return nil }
    try DocumentIDRule.check(revision.id)
    try transaction.requireIntact()
    let identity = try transaction.state.identity(transaction.db)
    var counters = try transaction.state.collection(collection.id, transaction.db)
    let sequence = counters.lastSequence + 1
    let time = Int64(clamping: revision.vector.current.time)
    guard
      let rowID = try insertNew(id: revision.id, body: body, source: nil, sequence: sequence, revision: time)
    else { return nil }
    try transaction.state.observe(revision.vector, transaction.db)
    counters.lastSequence = sequence
    counters.documentCount += 1
    try VersionRecords(collection, identity, transaction.db).set(revision.vector, rowID: rowID)
    recordChange(counters, revision.id)
    return Change(rowID: rowID, sequence: sequence, revision: time, previous: nil)
  }

  /// Returns a document or tombstone with its vector; nil if there is none.
  public func version(id: String) throws -> (document: StoredDocument, vector: VersionVector)? {
    guard let document = try reader.document(id: id, includingDeleted: true) else { return nil }
    let identity = try transaction.state.identity(transaction.db)
    return (document, try VersionRecords(collection, identity, transaction.db).vector(of: document))
  }

  private func insertRevision(_ revision: ReplicatedRevision, sequence: Int64, _ time: Int64) throws -> Int64 {
    if let body = revision.body {
      if let row = try insertNew(id: revision.id, body: body, source: nil, sequence: sequence, revision: time) {
        return row
      }
      throw StoreError(.conflict, "the document \"\(revision.id)\" was changed in the same transaction")
    }
    let statement = try SQLStatement(
      cached: "INSERT INTO \(collection.table) (id, sequence, revision, deleted) VALUES (?, ?, ?, 1)",
      in: transaction.db)
    return try statement.withText(1, revision.id) {
      statement.bind(2, sequence)
      statement.bind(3, time)
      try statement.run()
      return statement.lastInsertedRowID
    }
  }
}

extension WriteTransaction {
  /// Returns a new version with this file as its author, later than all versions that the file has stored or seen.
  public func nextVersion() throws -> Version {
    let revision = try state.nextRevision(db)
    return try state.identity(db).version(revision)
  }

  /// Checks that the times of a vector are not too far in the future.
  ///
  /// - Throws: `VersionError.timeInFuture`, `VersionError.generationTooLarge`.
  public func checkTimes(of vector: VersionVector) throws {
    let now = UInt64(clamping: CounterLimits.currentNanoseconds())
    var clock = HybridClock()
    try clock.observe(vector, systemTime: now)
    // It would be stored as the document's revision, and the clock of the file would follow it into the future.
    try vector.checkGeneration(systemTime: now)
  }
}

extension WriterState {
  /// Returns the identity of the file. It does not change while the file is open.
  func identity(_ db: Database) throws -> SourceIdentity {
    if let knownIdentity { return knownIdentity }
    let identity = try SourceIdentity(db)
    knownIdentity = identity
    return identity
  }

  /// Advances the clock of the file, so that later revisions are later than all versions of a vector.
  func observe(_ vector: VersionVector, _ db: Database) throws {
    let last = try counters.lastRevision ?? WriterState.storedRevision(db)
    let latest = vector.entries.lazy.filter { $0.author != .revisionTree }.map(\.time).max() ?? 0
    // The current time counts even if the author is `.revisionTree`, because it is stored as the document's revision,
    // and verification requires that no stored revision be greater than the counter. It is not in the future, because
    // callers check revisions with `checkTimes(of:)`, also the result of a conflict that an earlier release stored.
    let time = max(latest, vector.current.time)
    if Int64(clamping: time) > last { counters.lastRevision = Int64(clamping: time) }
  }
}
