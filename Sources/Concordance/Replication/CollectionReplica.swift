import DocumentStore
import Foundation
import GRDB
import JSONText
import Replication
import VersionVectors

/// A collection as the replication engine accesses it. All changes are written by a ``CollectionWriter``, so that
/// indexes are updated in the same transactions.
final class CollectionReplica: ReplicaCollection {
  let collection: Collection
  let replica: DatabaseReplica
  /// The options of an active replication; nil on the passive side.
  let configuration: CollectionConfiguration?
  /// The id of the replication's checkpoint.
  let remote: String?

  private var engine: DatabaseEngine { collection.engine }
  private var record: CollectionRecord { collection.record }
  private let queue = DispatchQueue(label: "concordance.replication.changes")

  /// The maximum total size, in bytes, of the documents in a list of changes. They are in memory until they are sent.
  private static let maximumListSize = 2 << 20

  init(
    _ collection: Collection, of replica: DatabaseReplica, configuration: CollectionConfiguration? = nil,
    remote: String? = nil
  ) {
    self.collection = collection
    self.replica = replica
    self.configuration = configuration
    self.remote = remote
  }

  var path: String {
    record.name.scope == Scope.defaultScopeName ? record.name.name : "\(record.name.scope).\(record.name.name)"
  }

  func peerCheckpointID(_ id: String) throws -> String {
    try engine.store.read { try CollectionCatalog.mayReplaceAnother(record, $0) } ? "\(id)@\(record.id)" : id
  }

  // MARK: Reading

  func changes(after sequence: UInt64, limit: Int) throws -> ReplicaChanges {
    try engine.store.read { db in
      try CollectionCatalog.require(record, db)
      let (documents, isComplete) = try DocumentReader(record, db).versionedChanges(
        after: Int64(clamping: sequence), limit: limit, maximumSize: CollectionReplica.maximumListSize,
        remote: remote)
      let last =
        isComplete
        ? UInt64(clamping: try CollectionCatalog.lastSequence(record, db))
        : documents.last.map { UInt64(clamping: $0.document.sequence) } ?? sequence
      return ReplicaChanges(
        revisions: documents.map(CollectionReplica.revision), last: last, isComplete: isComplete)
    }
  }

  private static func revision(_ document: VersionedDocument) -> ReplicaRevision {
    ReplicaRevision(
      id: document.document.id, sequence: UInt64(clamping: document.document.sequence), vector: document.vector,
      isDeleted: document.document.isDeleted, body: document.document.body, hasConflict: document.hasConflict)
  }

  func versions(_ ids: [String]) throws -> [ReplicaVersion?] {
    try engine.store.read { db in
      try CollectionCatalog.require(record, db)
      return try DocumentReader(record, db).versions(ids).map { found in
        found.map { ReplicaVersion(vector: $0.vector, isDeleted: $0.isDeleted) }
      }
    }
  }

  func blobs(in body: [UInt8]) throws -> [String] {
    // Most documents do not refer to blobs, and testing for references is faster than checking the nesting depth.
    DocumentBody.mayReferenceBlobs(body) ? try DocumentBody(object: body).blobDigests() : []
  }

  func mayReferenceBlobs(_ body: [UInt8]) -> Bool { DocumentBody.mayReferenceBlobs(body) }

  func missingBlobs(in body: [UInt8], of id: String) throws -> [MissingBlob] {
    // Invalid JSON is rejected when it is stored.
    guard let references = try? DocumentBody(object: body).blobReferences(), !references.isEmpty else { return [] }
    // The peer may read this document, so it may also read its blobs.
    let document = try engine.store.read { try DocumentReader(record, $0).document(id: id) }
    let known = try document.map { Set(try DocumentBody(of: $0).blobDigests()) } ?? []
    return try references.compactMap { digest, contentType, length in
      let isStored = try engine.store.blobLength(digest: digest) != nil
      if isStored, known.contains(digest) { return nil }
      return MissingBlob(digest: digest, contentType: contentType, length: length, isStored: isStored)
    }
  }

  func observeChanges(_ body: @escaping @Sendable () -> Void) throws -> any Sendable {
    let notifier = engine.changes
    let addition = notifier.add(to: record, documentID: nil, on: queue, call: { _ in body() })
    // Otherwise, a continuous replication would send no later changes.
    if case .failed(let error) = addition { throw error }
    return ChangeObservation(notifier.token(of: addition))
  }

  /// Removes a listener when it is released.
  private final class ChangeObservation: Sendable {
    private let token: ListenerToken
    init(_ token: ListenerToken) { self.token = token }
    deinit { token.remove() }
  }

  // MARK: Filters

  func shouldSend(_ revision: ReplicaRevision) throws -> Bool {
    guard let filter = configuration?.pushFilter else { return true }
    return engine.replications.call {
      filter(document(revision.id, revision.body, revision.vector), revision.isDeleted ? .deleted : [])
    }
  }

  func shouldStore(_ revision: ReceivedRevision) throws -> Bool {
    guard let filter = configuration?.pullFilter else { return true }
    // The program's filter is called only with documents that can be stored.
    if let error = CollectionReplica.idError(revision.id) { throw error }
    _ = try CollectionReplica.body(of: revision).get()
    return engine.replications.call {
      filter(document(revision.id, revision.body ?? [], revision.vector), revision.isDeleted ? .deleted : [])
    }
  }

  private func document(_ id: String, _ body: [UInt8], _ vector: VersionVector) -> Document {
    Document(
      StoredConflict(rowID: 0, remote: "", vector: vector, body: body.isEmpty ? Array("{}".utf8) : body).document(
        id: id),
      in: collection)
  }

  func purgeRevoked(_ id: String) throws -> Bool? {
    let stored = try engine.store.read { try DocumentReader(record, $0).versionedDocument(id: id) }
    guard let stored, !stored.document.isDeleted else { return nil }
    if let filter = configuration?.pullFilter {
      let isAccepted = engine.replications.call {
        filter(document(id, stored.document.body, stored.vector), .accessRemoved)
      }
      guard isAccepted else { return false }
    }
    return try engine.change(record) { try $0.purge(id: id) } != nil
  }

  // MARK: Storing

  func insert(_ revisions: [ReceivedRevision], remote: String?) throws -> [InsertionResult] {
    let bodies = revisions.map { CollectionReplica.body(of: $0) }
    do {
      return try engine.write { transaction in
        let writer = try engine.writer(for: record, in: transaction)
        return try zip(revisions, bodies).map { revision, body in
          switch body {
          case .failure(let error): .refused(error)
          case .success(let body): try insert(revision, body, remote: remote, writer)
          }
        }
      }
    } catch {
      if revisions.count == 1, let refusal = CollectionReplica.refusal(error) { return [.refused(refusal)] }
      guard revisions.count > 1, CollectionReplica.refusal(error) != nil else { throw error }
      // One document cannot be stored, for example because a model of a predictive index fails. The transaction was
      // rolled back, so the others are stored without it.
      return try revisions.flatMap { try insert([$0], remote: remote) }
    }
  }

  /// Returns the error for an invalid id; nil if the id is valid.
  private static func idError(_ id: String) -> ReplicaError? {
    do {
      try DocumentIDRule.check(id)
      return nil
    } catch {
      return ReplicaError(status: 400, code: CBLError.badDocID, CBLError.message(of: CBLError.wrapping(error)))
    }
  }

  /// Returns the validated text of a revision.
  private static func body(of revision: ReceivedRevision) -> Swift.Result<DocumentBody?, ReplicaError> {
    guard let bytes = revision.body else { return .success(nil) }
    do {
      return .success(try JSONParser.withShared { try DocumentBody(checking: bytes, parser: $0) })
    } catch {
      return .failure(
        ReplicaError(
          status: 400, "the document \"\(revision.id)\" is invalid: \(CBLError.message(of: CBLError.wrapping(error)))"))
    }
  }

  /// Returns the error for a document that cannot be stored; nil if the error concerns the whole database.
  private static func refusal(_ error: any Error) -> ReplicaError? {
    guard let error = CBLError.wrapping(error) as? CBLError else {
      return ReplicaError(status: 500, "the document could not be stored: \(error)")
    }
    switch error.code {
    case CBLError.notOpen, CBLError.ioError, CBLError.busy, CBLError.notWriteable, CBLError.corruptData,
      CBLError.memoryError, CBLError.transactionNotClosed:
      return nil
    case CBLError.badDocID, CBLError.invalidParameter, CBLError.invalidJSON:
      return ReplicaError(status: 400, code: error.code, error.message)
    default: return ReplicaError(status: 500, code: error.code, error.message)
    }
  }

  private func insert(
    _ revision: ReceivedRevision, _ body: DocumentBody?, remote: String?, _ writer: CollectionWriter
  ) throws -> InsertionResult {
    if let error = CollectionReplica.idError(revision.id) { return .refused(error) }
    do {
      try writer.transaction.checkTimes(of: revision.vector)
    } catch let error as VersionError {
      let message = "the document \"\(revision.id)\": \(error)"
      if case .generationTooLarge = error { return .refused(ReplicaError(status: 400, message)) }
      // A transient status, because the clocks may be corrected.
      return .refused(ReplicaError(status: 503, message))
    }
    let new = ReplicatedRevision(
      id: revision.id, body: body, vector: revision.vector, mayReferenceBlobs: revision.mayReferenceBlobs)
    // Most received documents are new, and inserting a document is faster than searching for it first.
    if writer.expectsNewDocuments, body != nil, !revision.mayReferenceBlobs {
      if let change = try writer.insert(new) { return .inserted(sequence: UInt64(clamping: change.sequence)) }
      writer.expectsNewDocuments = false
    }
    let stored = try writer.documents.version(id: revision.id)
    if stored == nil { writer.expectsNewDocuments = true }
    switch stored.map({ $0.vector.compare(with: revision.vector) }) {
    case .same?, .newer?: return .exists
    case nil, .older?:
      if let missing = try store(revision.blobs, for: body, in: writer.transaction) { return .refused(missing) }
      let change = try writer.put(new, replacing: stored?.document)
      if stored != nil { try removeConflicts(rowID: change.rowID, includedIn: revision.vector, writer.transaction) }
      return .inserted(sequence: UInt64(clamping: change.sequence))
    case .conflicting?:
      guard let remote, let stored else {
        return .refused(ReplicaError(status: 409, "the document \"\(revision.id)\" conflicts with the stored revision"))
      }
      if let missing = try store(revision.blobs, for: body, in: writer.transaction) { return .refused(missing) }
      try writer.transaction.storeConflict(
        StoredConflict(rowID: stored.document.rowID, remote: remote, vector: revision.vector, body: body?.bytes),
        in: record)
      return .conflict
    }
  }

  /// Stores received blobs.
  ///
  /// - Returns: an error if the body refers to a blob that is neither stored nor received.
  private func store(
    _ blobs: [(digest: String, length: Int64, content: any Sendable)], for body: DocumentBody?,
    in transaction: WriteTransaction
  ) throws -> ReplicaError? {
    for blob in blobs {
      guard let file = blob.content as? SpoolFile else { continue }
      try transaction.storeBlob(digest: blob.digest, length: blob.length, from: .spool(file))
    }
    guard let body else { return nil }
    for digest in try body.blobDigests() where try transaction.blobLength(digest: digest) == nil {
      // Compaction can delete a blob between the check and the transaction.
      return ReplicaError(status: 503, "the blob \(digest) is missing; send the document again")
    }
    return nil
  }

  /// Removes the conflicts that a new revision has resolved.
  func removeConflicts(rowID: Int64, includedIn vector: VersionVector, _ transaction: WriteTransaction) throws {
    for conflict in try StoredConflicts(record, transaction.db).conflicts(rowID: rowID)
    where vector.includes(conflict.vector.current) {
      try transaction.removeConflict(rowID: rowID, remote: conflict.remote, in: record)
    }
  }
}
