import DocumentStore
import Foundation
import GRDB
import JSONText
import Replication
import VersionVectors

extension CollectionReplica {
  func conflicts() throws -> [String] {
    try collection.engine.store.read { try StoredConflicts(collection.record, $0).documentIDs() }
  }

  /// Resolves all conflicts of a document, one after the other. If the document is changed while the resolver runs, the
  /// resolver is called again with the new version.
  func resolveConflicts(_ id: String) throws -> ConflictResolution? {
    var result: ConflictResolution?
    var attemptCount = 0
    while let (local, conflict) = try nextConflict(id) {
      attemptCount += 1
      guard attemptCount <= CollectionReplica.maximumAttemptCount else {
        throw ReplicaError(
          status: 409,
          "the document \"\(id)\" is changed too often to resolve its conflict; it is tried again at the next start")
      }
      let decision = try decide(id, local, conflict)
      if let resolution = try apply(decision, id, local, conflict) { result = resolution }
    }
    return result
  }

  private static let maximumAttemptCount = 1000

  /// The result of a resolver.
  private enum Decision {
    case local
    case remote
    /// The conflict no longer exists, because one of the revisions includes the other.
    case obsolete
    case deletion
    case merge(MutableDocument)
  }

  private func nextConflict(_ id: String) throws -> (VersionedDocument, StoredConflict)? {
    try collection.engine.store.read { db in
      guard let document = try DocumentReader(collection.record, db).versionedDocument(id: id),
        let conflict = try StoredConflicts(collection.record, db).conflicts(rowID: document.document.rowID).first
      else { return nil }
      return (document, conflict)
    }
  }

  private func decide(_ id: String, _ local: VersionedDocument, _ conflict: StoredConflict) throws -> Decision {
    switch conflict.vector.compare(with: local.vector) {
    case .same, .older: return .obsolete
    case .newer: return .remote
    case .conflicting: break
    }
    if conflict.body == nil, local.document.isDeleted {
      return conflict.vector.current.isLater(than: local.vector.current) ? .remote : .local
    }
    let mine = local.document.isDeleted ? nil : Document(local.document, in: collection)
    let theirs = conflict.body == nil ? nil : Document(conflict.document(id: id), in: collection)
    guard let resolver = configuration?.conflictResolver, !(resolver is ConflictResolver.LastWriteWins) else {
      return defaultDecision(mine, theirs)
    }
    let resolved = collection.engine.replications.call {
      resolver.resolve(conflict: Conflict(documentID: id, localDocument: mine, remoteDocument: theirs))
    }
    guard let resolved else { return mine == nil ? .local : theirs == nil ? .remote : .deletion }
    if resolved === mine { return .local }
    if resolved === theirs { return .remote }
    if let owner = resolved.collection, owner != collection {
      throw ReplicaError(
        status: 409, code: CBLError.invalidParameter,
        "the resolver for the document \"\(id)\" returned a document of another collection; return one of the two "
          + "versions or a new document")
    }
    if resolved.id != id {
      collection.engine.log.warning(
        "a conflict resolver returned a document with another id",
        CBLError(CBLError.invalidParameter, "\"\(resolved.id)\" instead of \"\(id)\""))
    }
    let merged = MutableDocument(id: id)
    merged.copyProperties(of: resolved)
    return .merge(merged)
  }

  /// The default policy: a deletion wins; otherwise, the later revision wins, or the remote one if the times are equal.
  private func defaultDecision(_ mine: Document?, _ theirs: Document?) -> Decision {
    guard let theirs else { return .remote }
    guard let mine else { return .local }
    return mine.timestamp > theirs.timestamp ? .local : .remote
  }

  /// Stores the result of a resolver unless the document has changed in the meantime.
  private func apply(
    _ decision: Decision, _ id: String, _ local: VersionedDocument, _ conflict: StoredConflict
  ) throws -> ConflictResolution? {
    var draft: MutableDocument.Draft?
    if case .merge(let document) = decision {
      let prepared = try document.draft(for: collection.database)
      for blob in prepared.blobs { try blob.prepare(for: collection.database) }
      draft = prepared
    }
    return try withPublicErrors {
      try collection.engine.change(collection.record) { writer in
        let conflicts = StoredConflicts(collection.record, writer.transaction.db)
        guard let stored = try writer.documents.version(id: id),
          stored.document.sequence == local.document.sequence, stored.vector == local.vector,
          try conflicts.conflicts(rowID: stored.document.rowID).contains(where: {
            $0.remote == conflict.remote && $0.vector == conflict.vector
          })
        else { return nil }
        // It is removed even if no result is stored.
        try writer.transaction.removeConflict(
          rowID: conflict.rowID, remote: conflict.remote, in: collection.record)
        let revision: ReplicatedRevision
        switch decision {
        case .obsolete: return nil
        case .local:
          let body = stored.document.isDeleted ? nil : DocumentBody(of: stored.document)
          revision = try winner(id, body, stored.vector, over: conflict.vector, writer)
        case .remote:
          let body = try conflict.body.map { try DocumentBody(object: $0) }
          revision = try winner(id, body, conflict.vector, over: stored.vector, writer)
        case .deletion: revision = try merge(id, nil, stored.vector, conflict.vector, writer)
        case .merge(let document):
          for blob in draft?.blobs ?? [] {
            try blob.install(in: writer.transaction, database: collection.database)
          }
          let body = try draft.map { try document.complete($0).body }
          revision = try merge(id, body, stored.vector, conflict.vector, writer)
        }
        let change = try writer.put(revision, replacing: stored.document)
        // Conflicts of other replications that the result includes are removed, too, in this transaction: each
        // replication sends the document only when it has no conflict of its own.
        try removeConflicts(rowID: change.rowID, includedIn: revision.vector, writer.transaction)
        var isRemote = false
        if case .remote = decision {
          isRemote = conflict.remote == remote && revision.vector.current == conflict.vector.current
        }
        return ConflictResolution(
          sequence: UInt64(clamping: change.sequence), isRemote: isRemote, isDeleted: revision.body == nil)
      }
    }
  }

  /// Returns the revision that wins a conflict.
  ///
  /// The winner keeps its version only if it is the later one, so that no version includes a later one. Otherwise, two
  /// databases that resolve different conflicts of a document can arrive at versions that include each other: each of
  /// them would consider the other's version known, and they would never agree.
  private func winner(
    _ id: String, _ body: DocumentBody?, _ winner: VersionVector, over loser: VersionVector, _ writer: CollectionWriter
  ) throws -> ReplicatedRevision {
    let kept = winner.winning(over: loser)
    // It does not include the loser if both are revision ids of Couchbase Lite 3 with the same generation.
    // Its time can be in the future if an earlier release stored the conflict of a revision id with a large generation.
    guard winner.current.isLater(than: loser.current), kept.includes(loser.current),
      (try? writer.transaction.checkTimes(of: kept)) != nil
    else { return try merge(id, body, winner, loser, writer) }
    return ReplicatedRevision(id: id, body: body, vector: kept)
  }

  private func merge(
    _ id: String, _ body: DocumentBody?, _ local: VersionVector, _ remote: VersionVector, _ writer: CollectionWriter
  ) throws -> ReplicatedRevision {
    ReplicatedRevision(id: id, body: body, vector: local.merging(remote, as: try writer.transaction.nextVersion()))
  }
}
