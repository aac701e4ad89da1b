import DocumentStore
import GRDB
import JSONText
import QueryCompiler

/// Writes documents together with the indexes of their collection, within one transaction.
final class CollectionWriter {
  let documents: DocumentWriter
  let transaction: WriteTransaction
  private let indexes: [any StoredIndexWriter]
  private let parser: JSONParser

  /// - Parameter noteVersionChange: called when the version of an index was changed in the catalog.
  init(
    documents: DocumentWriter, indexes: [any StoredIndex], of collection: CollectionRecord,
    _ transaction: WriteTransaction, noteVersionChange: @escaping () throws -> Void
  ) throws {
    self.documents = documents
    self.transaction = transaction
    let context = IndexWriterContext(
      collection: collection, transaction: transaction, noteVersionChange: noteVersionChange)
    self.indexes = try indexes.map { try $0.makeWriter(context) }
    parser = try JSONParser()
  }

  /// Saves a document with its index entries. Saves, imports and indexing all call it.
  ///
  /// - Parameters:
  ///   - analyses: its terms by index, if they were computed before; others are computed here.
  ///   - mayReplace: returns whether the save may replace the stored document; nil if it may replace any.
  /// - Throws: ``CBLError`` of code ``CBLError/notFound`` for a reference to a blob that is not stored; ``StoreError``
  ///   as ``DocumentWriter`` does. Nothing was written then.
  func save(
    id: String, body: DocumentBody, source: Int64? = nil, precondition: DocumentWriter.Precondition = .none,
    skippingUnchanged: Bool = false, analyses: [IndexedTerms] = [], mayReplace: ((StoredDocument) throws -> Bool)? = nil
  ) throws -> DocumentWriter.Change {
    try requireBlobs(of: body, id: id, precondition)
    let change = try documents.save(
      id: id, body: body, source: source, precondition: precondition, skippingUnchanged: skippingUnchanged,
      mayReplace: mayReplace)
    if change.isUnchanged { return change }
    let document = SavedDocument(
      id: id, rowID: change.rowID, body: body.bytes, previous: change.previous, terms: analyses,
      predictionRun: PredictionRun.next(), parser: parser)
    try updatingIndexes {
      for index in indexes { try index.update(document) }
    }
    return change
  }

  /// Throws if a text refers to a blob that is not stored. A text that was read before its blobs were deleted must not
  /// be saved; but a blob that the stored document already lacks does not prevent an edit of it.
  private func requireBlobs(of body: DocumentBody, id: String, _ precondition: DocumentWriter.Precondition) throws {
    guard body.mayReferenceBlobs else { return }
    let missing = try transaction.missingBlobs(in: body, parser: parser)
    guard !missing.isEmpty else { return }
    let stored = try documents.document(id: id).map { DocumentBody(of: $0) }
    let known = try stored.map { try transaction.missingBlobs(in: $0, parser: parser) } ?? []
    guard let lost = missing.first(where: { !known.contains($0) }) else { return }
    // A document that will not be saved because of a conflict may refer to any blob.
    try documents.require(precondition, id: id)
    throw CBLError(
      CBLError.notFound,
      "the document \"\(id)\" refers to the blob \(lost), whose content is not in the database; save it with saveBlob, or "
        + "set a Blob with the content")
  }

  /// Deletes a document; returns nil if there is none. See ``DocumentWriter/delete(id:precondition:replacing:)``.
  func delete(
    id: String, precondition: DocumentWriter.Precondition = .none, replacing tombstone: Int64? = nil
  ) throws -> DocumentWriter.Change? {
    guard let change = try documents.delete(id: id, precondition: precondition, replacing: tombstone) else {
      return nil
    }
    if let previous = change.previous { try removeFromIndexes(previous) }
    return change
  }

  /// Purges a document; returns nil if there is none.
  func purge(id: String) throws -> StoredDocument? {
    guard let document = try documents.purge(id: id) else { return nil }
    if !document.isDeleted { try removeFromIndexes(document) }
    return document
  }

  private func removeFromIndexes(_ document: StoredDocument) throws {
    try updatingIndexes {
      for index in indexes { try index.remove(document, parser) }
    }
  }

  /// Makes the transaction fail if an index cannot be updated, because the document is already changed. A savepoint
  /// around each change would do the same, but FTS5 flushes its pending terms at every savepoint: three times slower.
  private func updatingIndexes(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      transaction.fail(error)
      throw error
    }
  }
}
