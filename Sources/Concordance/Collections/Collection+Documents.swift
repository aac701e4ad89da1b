import DocumentStore
import JSONText

extension Collection {
  /// Returns the document with the given id, or nil if it does not exist.
  ///
  /// ```swift
  /// if let hotel = try hotels.document(id: "hotel_1") { print(hotel.toJSON()) }
  /// ```
  ///
  /// Inside a batch, the changes of the batch are visible. Otherwise the last committed version is returned.
  ///
  /// - Parameter id: the id. Ids are case-sensitive.
  /// - Returns: the document, or nil if it does not exist, was deleted or has expired.
  /// - Throws: ``CBLError``; ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  /// - Complexity: O(log n) in the number of documents; about 5 µs.
  public func document(id: String) throws -> Document? {
    try withPublicErrors {
      try engine.store.document(id: id, in: record).map { Document($0, in: self) }
    }
  }

  /// Saves a document. It replaces a stored document with the same id, even if the stored document has changed since
  /// this one was read.
  ///
  /// ```swift
  /// try hotels.save(document: MutableDocument(id: "hotel_1", data: ["name": "Hotel Ghia"]))
  /// ```
  ///
  /// Every index of the collection is updated in the same transaction. Saving many documents is much faster inside
  /// ``Database/inBatch(using:)``.
  ///
  /// - Parameter document: the document. Afterwards, its ``Document/revisionID``, ``Document/sequence`` and
  ///   ``Document/collection`` are those of the saved version.
  /// - Throws: ``CBLError``, in which case nothing is saved:
  ///   - ``CBLError/badDocID`` if the id is empty, longer than 240 bytes, or begins with `_`.
  ///   - ``CBLError/invalidParameter`` if the document is too large, contains a value that JSON cannot represent, or
  ///     belongs to another collection.
  ///   - ``CBLError/notFound`` if the content of a blob cannot be found.
  ///   - ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  ///   - ``CBLError/busy`` if another process holds the write lock for longer than
  ///     ``DatabaseConfiguration/busyTimeout``.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  ///   - ``CBLError/ioError`` if writing fails.
  /// - Complexity: O(log n) in the number of documents, and O(m) in the text that is indexed.
  public func save(document: MutableDocument) throws {
    _ = try save(document: document, concurrencyControl: .lastWriteWins)
  }

  /// Saves a document, optionally only if it has not changed since it was read.
  ///
  /// ```swift
  /// if try !hotels.save(document: hotel, concurrencyControl: .failOnConflict) {
  ///   print("the document was changed in the meantime")
  /// }
  /// ```
  ///
  /// With ``ConcurrencyControl/failOnConflict``, a document that was never saved conflicts with a stored document that
  /// has the same id.
  ///
  /// - Parameters:
  ///   - document: the document to save.
  ///   - concurrencyControl: whether to overwrite a change that was made after the document was read.
  /// - Returns: true if the document was saved; false if there was a conflict and nothing was saved.
  /// - Throws: the same errors as ``save(document:)``.
  @discardableResult
  public func save(document: MutableDocument, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try save(document, precondition: concurrencyControl.precondition(document))
  }

  /// Saves a document, and calls a handler if the stored document has changed since this one was read.
  ///
  /// ```swift
  /// let isSaved = try hotels.save(document: hotel) { mine, theirs in
  ///   guard let theirs else { return false }           // deleted: do not save
  ///   mine.setInt(theirs.int(forKey: "stars"), forKey: "stars")
  ///   return true                                      // save `mine` with this edit
  /// }
  /// ```
  ///
  /// No transaction is open while the handler runs, unless the call is inside a batch. If the stored document is
  /// changed again before the save, the handler is called again.
  ///
  /// - Parameters:
  ///   - document: the document to save.
  ///   - conflictHandler: a closure that receives the document, which it may edit, and the stored document, which is
  ///     nil if it was deleted. It returns whether to save.
  /// - Returns: true if the document was saved; false if the handler returned false and nothing was saved.
  /// - Throws: the same errors as ``save(document:)``; ``CBLError/notFound`` if the document was purged since it was
  ///   read; the errors of the handler.
  @discardableResult
  public func save(
    document: MutableDocument, conflictHandler: (MutableDocument, Document?) throws -> Bool
  ) throws -> Bool {
    var precondition = ConcurrencyControl.failOnConflict.precondition(document)
    while try !save(document, precondition: precondition) {
      let (stored, revision) = try storedVersion(of: document.id)
      guard try conflictHandler(document, stored) else { return false }
      precondition = .revision(revision)
    }
    return true
  }

  /// Deletes a document, and leaves a tombstone: a row without a body, which remains until it is purged.
  ///
  /// ```swift
  /// if let hotel = try hotels.document(id: "hotel_1") { try hotels.delete(document: hotel) }
  /// ```
  ///
  /// Saving the document afterwards creates it again. Deleting it again with the same object writes a new tombstone.
  ///
  /// - Parameter document: the document, as it was read or saved.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notFound`` if the document was never saved, or was purged.
  ///   - ``CBLError/invalidParameter`` if it belongs to another collection.
  ///   - ``CBLError/busy``, ``CBLError/notWriteable`` and ``CBLError/ioError`` as for ``save(document:)``.
  public func delete(document: Document) throws {
    _ = try delete(document: document, concurrencyControl: .lastWriteWins)
  }

  /// Deletes a document, optionally only if it has not changed since it was read.
  ///
  /// - Parameters:
  ///   - document: the document, as it was read or saved.
  ///   - concurrencyControl: whether to delete a version that was saved after the document was read.
  /// - Returns: true if the document is deleted; false if there was a conflict and nothing was deleted. It is not a
  ///   conflict if the stored document was already deleted.
  /// - Throws: the same errors as ``delete(document:)``.
  @discardableResult
  public func delete(document: Document, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try delete(document, precondition: concurrencyControl.precondition(document))
  }

  /// Deletes a document, and calls a handler if the stored document has changed since this one was read.
  ///
  /// No transaction is open while the handler runs, unless the call is inside a batch. If the stored document is
  /// changed again before the deletion, the handler is called again.
  ///
  /// - Parameters:
  ///   - document: the document, as it was read or saved.
  ///   - conflictHandler: a closure that receives the document and the stored document. It returns whether to delete
  ///     the stored document.
  /// - Returns: true if the document is deleted; false if the handler returned false and nothing was deleted.
  /// - Throws: the same errors as ``delete(document:)``; the errors of the handler.
  @discardableResult
  public func delete(
    document: Document, conflictHandler: (Document, Document?) throws -> Bool
  ) throws -> Bool {
    var precondition = ConcurrencyControl.failOnConflict.precondition(document)
    while try !delete(document, precondition: precondition) {
      let (stored, revision) = try storedVersion(of: document.id)
      guard try conflictHandler(document, stored) else { return false }
      precondition = .revision(revision)
    }
    return true
  }

  /// Removes a document from the file without leaving a tombstone. Change listeners are called.
  ///
  /// - Parameter document: the document, as it was read or saved.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notFound`` if the collection contains neither the document nor its tombstone.
  ///   - ``CBLError/invalidParameter`` if the document belongs to another collection.
  ///   - ``CBLError/busy``, ``CBLError/notWriteable`` and ``CBLError/ioError`` as for ``save(document:)``.
  public func purge(document: Document) throws {
    try requireThisCollection(document)
    let isPurged = try withPublicErrors {
      try engine.change(record) { writer in
        guard try writer.purge(id: document.id) != nil else { return false }
        document.adopt(nil, writer.transaction)
        return true
      }
    }
    if !isPurged { throw notFound(document.id) }
  }

  /// Removes the document with the given id, or its tombstone, from the file.
  ///
  /// ```swift
  /// try hotels.purge(id: "hotel_1")
  /// ```
  ///
  /// The id remains for some time in a log that other processes read to notify their listeners.
  ///
  /// - Parameter id: the id of the document.
  /// - Throws: the same errors as ``purge(document:)``.
  public func purge(id: String) throws {
    let purged = try withPublicErrors {
      try engine.change(record) { try $0.purge(id: id) }
    }
    if purged == nil { throw notFound(id) }
  }

  private func notFound(_ id: String) -> CBLError {
    CBLError(CBLError.notFound, "there is no document \"\(id)\" in \(fullName)")
  }

  /// Returns the stored document, which is nil for a tombstone, and its revision.
  ///
  /// - Throws: ``CBLError/notFound`` if the document was purged.
  private func storedVersion(of id: String) throws -> (document: Document?, revision: Int64) {
    try withPublicErrors {
      try engine.store.read { db in
        let reader = DocumentReader(record, db)
        guard let stored = try reader.document(id: id, includingDeleted: true) else { throw notFound(id) }
        // The document is also nil if it has expired and has not been purged yet.
        return (try reader.document(id: id).map { Document($0, in: self) }, stored.revision)
      }
    }
  }

  /// Calls a closure for every document, in the order in which they were first saved. Only one document is in memory at
  /// a time.
  ///
  /// ```swift
  /// try hotels.forEachDocument { hotel in
  ///   print(hotel.id)
  ///   return true
  /// }
  /// ```
  ///
  /// All documents come from one snapshot of the database. Inside a batch, this is the state of the batch without the
  /// documents that `body` adds.
  ///
  /// - Parameter body: a closure that receives a document and returns whether to continue.
  /// - Throws: ``CBLError``; ``CBLError/notOpen`` if the database is closed or the collection was deleted; the errors
  ///   of `body`.
  /// - Complexity: O(n) in the size of the collection.
  public func forEachDocument(_ body: (Document) throws -> Bool) throws {
    try withPublicErrors {
      try engine.store.read { db in
        try DocumentReader(record, db).forEach { try body(Document($0, in: self)) }
      }
    }
  }
}

extension Collection {
  /// Saves a document. Returns false if there is a conflict.
  private func save(_ document: MutableDocument, precondition: DocumentWriter.Precondition) throws -> Bool {
    try requireThisCollection(document)
    return try withPublicErrors {
      let draft = try document.draft(for: database)
      for blob in draft.blobs { try blob.prepare(for: database) }
      do {
        try engine.change(record) { writer in
          // The precondition is checked before blobs are copied, because they may be large.
          if !draft.blobs.isEmpty { try writer.documents.require(precondition, id: document.id) }
          for blob in draft.blobs { try blob.install(in: writer.transaction, database: database) }
          let (body, editStamp) = try document.complete(draft)
          let change = try writer.save(id: document.id, body: body, precondition: precondition)
          document.adopt(
            Document.Version(
              collection: self, revision: change.revision, sequence: UInt64(clamping: change.sequence),
              saved: (body.bytes, editStamp)), writer.transaction.outcome)
          if !draft.blobs.isEmpty {
            document.root.setDatabase(database, whenCommitted: writer.transaction, savedStamp: editStamp)
          }
        }
        // Inside a batch, the content of blobs of another database is read from there until the batch is committed,
        // because the batch may be rolled back.
        document.root.setDatabase(database, replacesOthers: draft.blobs.isEmpty)
        return true
      } catch let error as StoreError where error.kind == .conflict {
        return false
      }
    }
  }

  /// Deletes a document. Returns false if there is a conflict.
  private func delete(_ document: Document, precondition: DocumentWriter.Precondition) throws -> Bool {
    try requireThisCollection(document)
    guard document.version.revision != nil else {
      throw CBLError(CBLError.notFound, "the document \"\(document.id)\" was never saved, so it cannot be deleted")
    }
    return try withPublicErrors {
      do {
        try engine.change(record) { writer in
          var version = document.version
          let change = try writer.delete(id: document.id, precondition: precondition, replacing: version.revision)
          guard let change else {
            // The document was already deleted. This object adopts that version.
            guard let tombstone = try writer.documents.tombstone(id: document.id) else { throw notFound(document.id) }
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

  private func requireThisCollection(_ document: Document) throws {
    guard let owner = document.collection, owner != self else { return }
    let location =
      owner.fullName == fullName
      ? "was read through another Database object" : "belongs to \(owner.fullName), not to \(fullName)"
    throw CBLError(
      CBLError.invalidParameter, "the document \"\(document.id)\" \(location); save a copy with its id and data")
  }
}

extension Document {
  /// Sets the version of the document to the state of the file after a purge (nil) or a deletion (a tombstone).
  fileprivate func adopt(_ stored: StoredDocument?, _ transaction: WriteTransaction) {
    var version = self.version
    version.revision = stored?.revision
    version.sequence = stored.map { UInt64(clamping: $0.sequence) } ?? 0
    adopt(version, transaction.outcome)
  }
}
