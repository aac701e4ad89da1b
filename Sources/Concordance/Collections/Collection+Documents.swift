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
  public func save(document: MutableDocument, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try requireOwn(document)
    return try withPublicErrors {
      let body = try document.checkedBody()
      do {
        let change = try engine.change(record) {
          try $0.save(id: document.id, body: body, precondition: concurrencyControl.precondition(document))
        }
        document.collection = self
        document.revision = change.revision
        document.sequence = UInt64(clamping: change.sequence)
        document.body = body
        return true
      } catch let error as StoreError where error.kind == .conflict {
        return false
      }
    }
  }

  /// Deletes a document. A tombstone stays until it is purged.
  ///
  /// - Throws: ``CBLError``: ``CBLError/notFound`` when the document was never saved.
  public func delete(document: Document) throws {
    _ = try delete(document: document, concurrencyControl: .lastWriteWins)
  }

  /// Deletes a document unless it was changed by somebody else since it was read, if that is asked for.
  ///
  /// - Returns: false when there was a conflict and nothing was deleted.
  /// - Throws: ``CBLError``: ``CBLError/notFound`` when the document was never saved.
  public func delete(document: Document, concurrencyControl: ConcurrencyControl) throws -> Bool {
    try requireOwn(document)
    guard document.revision != nil else {
      throw CBLError(CBLError.notFound, "the document \"\(document.id)\" was never saved, so it cannot be deleted")
    }
    return try withPublicErrors {
      do {
        let change = try engine.change(record) {
          try $0.delete(id: document.id, precondition: concurrencyControl.precondition(document))
        }
        if let change {
          document.revision = change.revision
          document.sequence = UInt64(clamping: change.sequence)
        }
        return true
      } catch let error as StoreError where error.kind == .conflict {
        return false
      }
    }
  }

  /// Removes a document without leaving a tombstone. Listeners hear of it.
  ///
  /// - Throws: ``CBLError``: ``CBLError/notFound`` when there is no such document.
  public func purge(document: Document) throws {
    try requireOwn(document)
    try purge(id: document.id)
  }

  /// Removes the document with this id, or its tombstone. For a while its id stays in a log, for listeners of other processes.
  ///
  /// - Throws: ``CBLError``: ``CBLError/notFound`` when there is no such document.
  public func purge(id: String) throws {
    let purged = try withPublicErrors {
      try engine.change(record) { try $0.purge(id: id) }
    }
    if purged == nil {
      throw CBLError(CBLError.notFound, "there is no document \"\(id)\" in \(fullName)")
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

  private func requireOwn(_ document: Document) throws {
    guard let owner = document.collection, owner != self else { return }
    let place =
      owner.fullName == fullName
      ? "was read through another Database object" : "belongs to \(owner.fullName), not to \(fullName)"
    throw CBLError(
      CBLError.invalidParameter, "the document \"\(document.id)\" \(place); save a copy with its id and data")
  }
}

/// What a save or deletion does when the document was changed since it was read.
public enum ConcurrencyControl: UInt8, Sendable {
  /// Overwrites the change.
  case lastWriteWins = 0
  /// Changes nothing and says so.
  case failOnConflict

  func precondition(_ document: Document) -> DocumentWriter.Precondition {
    switch self {
    case .lastWriteWins: .none
    case .failOnConflict: document.revision.map { .revision($0) } ?? .absent
    }
  }
}
