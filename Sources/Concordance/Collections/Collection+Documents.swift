import DocumentStore
import JSONText

extension Collection {
  /// The document with this id, or nil.
  ///
  /// - Throws: ``CBLError``.
  /// - Complexity: O(log n); about 5 µs.
  public func document(id: String) throws -> Document? {
    try withPublicErrors {
      try engine.store.document(id: id, in: record).map { Document($0, in: self) }
    }
  }

  /// Saves a document, in the place of whatever stands there.
  ///
  /// Every index of the collection follows in the same transaction. Many saves are much faster inside
  /// ``Database/inBatch(using:)``.
  ///
  /// - Throws: ``CBLError``: ``CBLError/badDocID``, ``CBLError/invalidParameter`` for a document that is too large or
  ///   holds what JSON cannot, ``CBLError/busy``, ``CBLError/notWriteable``, ``CBLError/ioError``.
  public func save(document: MutableDocument) throws {
    _ = try save(document: document, concurrencyControl: .lastWriteWins)
  }

  /// Saves a document unless it was changed by somebody else since it was read, if that is asked for.
  ///
  /// - Parameters:
  ///   - document: what to save.
  ///   - concurrencyControl: whether to overwrite a change that was made meanwhile.
  /// - Returns: false when there was a conflict and nothing was saved.
  /// - Throws: as ``save(document:)``.
  @discardableResult
  public func save(document: MutableDocument, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try save(document, precondition: concurrencyControl.precondition(document))
  }

  /// Saves a document, and asks what to do when it was changed by somebody else since it was read.
  ///
  /// ```swift
  /// let isSaved = try hotels.save(document: hotel) { mine, theirs in
  ///   guard let theirs else { return false }           // deleted meanwhile: give up
  ///   mine.setInt(theirs.int(forKey: "stars"), forKey: "stars")
  ///   return true                                      // save what `mine` holds now
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - document: what to save.
  ///   - conflictHandler: gets the document, which it may edit, and the one that is stored now, or nil where that was
  ///     deleted. It returns whether to save; when there is another conflict meanwhile, it is asked again. No transaction is
  ///     open while it runs.
  /// - Returns: false when the handler refused and nothing was saved.
  /// - Throws: as ``save(document:)``; ``CBLError/notFound`` if the document was purged since it was read.
  @discardableResult
  public func save(
    document: MutableDocument, conflictHandler: (MutableDocument, Document?) throws -> Bool
  ) throws -> Bool {
    var precondition = ConcurrencyControl.failOnConflict.precondition(document)
    while try !save(document, precondition: precondition) {
      let (stored, revision) = try current(document.id)
      guard try conflictHandler(document, stored) else { return false }
      precondition = .revision(revision)
    }
    return true
  }

  /// Deletes a document. A tombstone stays until it is purged.
  ///
  /// Saving the document afterwards makes it anew. Deleting it again with the same object makes a new tombstone.
  ///
  /// - Throws: ``CBLError``: ``CBLError/notFound`` if the document was never saved, or was purged.
  public func delete(document: Document) throws {
    _ = try delete(document: document, concurrencyControl: .lastWriteWins)
  }

  /// Deletes a document unless it was changed by somebody else since it was read, if that is asked for.
  ///
  /// - Returns: false when there was a conflict and nothing was deleted. That somebody else deleted it is none.
  /// - Throws: ``CBLError``: ``CBLError/notFound`` if the document was never saved, or was purged.
  @discardableResult
  public func delete(document: Document, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try delete(document, precondition: concurrencyControl.precondition(document))
  }

  /// Deletes a document, and asks what to do when it was changed by somebody else since it was read.
  ///
  /// - Parameters:
  ///   - document: what to delete.
  ///   - conflictHandler: gets the document and the one that is stored now. It returns whether to delete that. No
  ///     transaction is open while it runs.
  /// - Returns: false when the handler refused and nothing was deleted.
  /// - Throws: ``CBLError``: ``CBLError/notFound`` if the document was never saved, or was purged.
  @discardableResult
  public func delete(
    document: Document, conflictHandler: (Document, Document?) throws -> Bool
  ) throws -> Bool {
    var precondition = ConcurrencyControl.failOnConflict.precondition(document)
    while try !delete(document, precondition: precondition) {
      let (stored, revision) = try current(document.id)
      guard try conflictHandler(document, stored) else { return false }
      precondition = .revision(revision)
    }
    return true
  }

  /// Removes every trace of a document. No tombstone stays; listeners of this database are told.
  ///
  /// - Throws: ``CBLError``: ``CBLError/notFound`` when there is no such document.
  public func purge(document: Document) throws {
    try requireOwn(document)
    let isPurged = try withPublicErrors {
      try engine.change(record) { writer in
        guard try writer.purge(id: document.id) != nil else { return false }
        document.adopt(nil, writer.transaction)
        return true
      }
    }
    if !isPurged { throw missing(document.id) }
  }

  /// Removes the document with this id, or its tombstone. For a while its id stays in a log, for listeners of other processes.
  ///
  /// - Throws: ``CBLError``: ``CBLError/notFound`` when there is no such document.
  public func purge(id: String) throws {
    let purged = try withPublicErrors {
      try engine.change(record) { try $0.purge(id: id) }
    }
    if purged == nil { throw missing(id) }
  }

  private func missing(_ id: String) -> CBLError {
    CBLError(CBLError.notFound, "there is no document \"\(id)\" in \(fullName)")
  }

  /// The document that is stored now, nil for a tombstone, and its revision.
  ///
  /// - Throws: ``CBLError/notFound`` if there is neither, because it was purged.
  private func current(_ id: String) throws -> (document: Document?, revision: Int64) {
    try withPublicErrors {
      try engine.store.read { db in
        let reader = DocumentReader(record, db)
        guard let stored = try reader.document(id: id, includingDeleted: true) else { throw missing(id) }
        // Nil also for a document that has expired and waits for its purge.
        return (try reader.document(id: id).map { Document($0, in: self) }, stored.revision)
      }
    }
  }

  /// Calls `body` with every document, in the order in which they were first saved, without holding more than one.
  ///
  /// ```swift
  /// try hotels.forEachDocument { hotel in
  ///   print(hotel.id)
  ///   return true
  /// }
  /// ```
  ///
  /// All of them come from one state of the database, whatever is written meanwhile. Inside a batch they are those of the
  /// batch, without what `body` itself adds.
  ///
  /// - Parameter body: returns whether to go on.
  public func forEachDocument(_ body: (Document) throws -> Bool) throws {
    try withPublicErrors {
      try engine.store.read { db in
        try DocumentReader(record, db).forEach { try body(Document($0, in: self)) }
      }
    }
  }
}

extension Collection {
  /// Returns false for a conflict.
  private func save(_ document: MutableDocument, precondition: DocumentWriter.Precondition) throws -> Bool {
    try requireOwn(document)
    return try withPublicErrors {
      let draft = try document.draft(for: database)
      for blob in draft.blobs { try blob.prepare(for: database) }
      do {
        try engine.change(record) { writer in
          // Before blobs that may be large are copied for nothing.
          if !draft.blobs.isEmpty { try writer.documents.require(precondition, id: document.id) }
          for blob in draft.blobs { try blob.install(in: writer.transaction, database: database) }
          let (body, editStamp) = try document.complete(draft)
          let change = try writer.save(id: document.id, body: body, precondition: precondition)
          document.adopt(
            Document.Version(
              collection: self, revision: change.revision, sequence: UInt64(clamping: change.sequence),
              saved: (body.bytes, editStamp)), writer.transaction.outcome)
        }
        document.root.setDatabase(database)
        return true
      } catch let error as StoreError where error.kind == .conflict {
        return false
      }
    }
  }

  /// Returns false for a conflict.
  private func delete(_ document: Document, precondition: DocumentWriter.Precondition) throws -> Bool {
    try requireOwn(document)
    guard document.version.revision != nil else {
      throw CBLError(CBLError.notFound, "the document \"\(document.id)\" was never saved, so it cannot be deleted")
    }
    return try withPublicErrors {
      do {
        try engine.change(record) { writer in
          var version = document.version
          let change = try writer.delete(id: document.id, precondition: precondition, replacing: version.revision)
          guard let change else {
            // Somebody else has deleted it; that is now what this object knows.
            guard let tombstone = try writer.documents.tombstone(id: document.id) else { throw missing(document.id) }
            return document.adopt(tombstone, writer.transaction)
          }
          version.revision = change.revision
          version.sequence = UInt64(clamping: change.sequence)
          document.adopt(version, writer.transaction.outcome)
        }
        return true
      } catch let error as StoreError where error.kind == .conflict {
        return false
      }
    }
  }

  private func requireOwn(_ document: Document) throws {
    guard let owner = document.collection, owner != self else { return }
    let place =
      owner.fullName == fullName
      ? "was read through another Database object" : "belongs to \(owner.fullName), not to \(fullName)"
    throw CBLError(
      CBLError.invalidParameter, "the document \"\(document.id)\" \(place); save a copy with its id and data")
  }
}

extension Document {
  /// Takes over what stands in the place of the document after a purge or somebody else's deletion: a tombstone or nothing.
  fileprivate func adopt(_ stored: StoredDocument?, _ transaction: WriteTransaction) {
    var version = self.version
    version.revision = stored?.revision
    version.sequence = stored.map { UInt64(clamping: $0.sequence) } ?? 0
    adopt(version, transaction.outcome)
  }
}

/// What a save or deletion does when the document was changed since it was read.
public enum ConcurrencyControl: UInt8, Sendable {
  /// Overwrites the change.
  case lastWriteWins = 0
  /// Changes nothing and says so.
  case failOnConflict

  fileprivate func precondition(_ document: Document) -> DocumentWriter.Precondition {
    switch self {
    case .lastWriteWins: .none
    case .failOnConflict: document.version.revision.map { .revision($0) } ?? .absent
    }
  }
}
