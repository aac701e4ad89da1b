import DocumentStore

/// A document that an import saves.
///
/// A class, because a copy of a structure retains each of its arrays.
final class TransferDocument: Sendable {
  let collection: Collection
  let id: String
  let content: PreparedBody
  /// The expiration time in milliseconds since 1970; nil if the document does not expire.
  let expiration: Int64?

  init(_ collection: Collection, id: String, _ content: PreparedBody, expiration: Int64?) {
    self.collection = collection
    self.id = id
    self.content = content
    self.expiration = expiration
  }
}

extension TransferDocument {
  /// Saves the document, unless a stored one must be kept.
  ///
  /// - Returns: whether the document is stored now; false if an existing one was kept.
  /// - Throws: ``CBLError/notFound`` for a reference to a missing blob; ``CBLError/conflict`` if the document exists
  ///   and `existing` is `fail`, or if an earlier line has saved other content.
  func save(
    _ existing: DatabaseImport.ExistingDocuments, _ earlier: inout EarlierLines, _ summary: inout TransferSummary,
    _ writer: CollectionWriter, _ transaction: WriteTransaction
  ) throws -> Bool {
    try earlier.begin(collection.record, transaction)
    let known = earlier
    var isRepeated = false
    let saved: DocumentWriter.Change
    do {
      saved = try writer.save(
        id: id, body: content.body, mayReferenceBlobs: content.mayReferenceBlobs,
        precondition: existing == .replace ? .none : .absent, skippingUnchanged: true, analyses: content.terms,
        predictedRow: content.predictedRow
      ) { [content, collection] stored in
        isRepeated = stored.body != content.body.bytes && known.contains(stored, of: collection.record)
        return !isRepeated
      }
    } catch let error as StoreError where error.kind == .conflict {
      if isRepeated {
        throw CBLError(CBLError.conflict, earlier.message(ofRepeated: id, in: collection.fullName))
      }
      if existing == .fail {
        throw CBLError(CBLError.conflict, "the document \"\(id)\" already exists in \(collection.fullName)")
      }
      summary.skippedCount += 1
      return false
    }
    content.noteSaved(row: saved.rowID)
    if saved.isUnchanged {
      earlier.noteUnchanged(row: saved.rowID, of: collection.record)
      // The document belongs to the import from now on, and is not deleted together with a file.
      if saved.previous?.source != nil { try writer.documents.setSource(nil, rowID: saved.rowID) }
    }
    if try setExpiration(of: saved, writer, transaction) || !saved.isUnchanged {
      summary.documentCount += 1
    } else {
      summary.unchangedCount += 1
    }
    return true
  }

  /// Sets the expiration of the saved document, if it has one.
  ///
  /// - Returns: whether it was changed.
  private func setExpiration(
    of saved: DocumentWriter.Change, _ writer: CollectionWriter, _ transaction: WriteTransaction
  ) throws -> Bool {
    guard let expiration else { return false }
    guard expiration.magnitude <= DocumentExpiration.limit else {
      throw CBLError(CBLError.invalidParameter, "\(expiration) ms since 1970 is not a valid expiration time")
    }
    if saved.isUnchanged {
      let stored = try DocumentReader(collection.record, transaction.db).expiration(id: id)
      if stored == expiration { return false }
    }
    _ = try writer.documents.setExpiration(expiration, id: id)
    return true
  }
}
