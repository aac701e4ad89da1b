import DocumentStore
import GRDB
import JSONText
import QueryCompiler

/// Writes documents and updates the indexes of their collection in one transaction.
final class CollectionWriter {
  let documents: DocumentWriter
  let transaction: WriteTransaction
  private let indexes: [any StoredIndexWriter]
  private let parser: JSONParser
  /// Whether a received document is probably not stored yet, because the last one was not.
  var expectsNewDocuments = true

  /// - Parameter noteVersionChange: called after the version of an index is changed in the catalog.
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

  /// Saves a document with its index entries. Single saves and imports both use this method.
  ///
  /// - Parameters:
  ///   - mayReferenceBlobs: `DocumentBody.mayReferenceBlobs` of the body, if it is known.
  ///   - analyses: precomputed terms of the document, for some of the indexes. The terms for other indexes are computed
  ///     here.
  ///   - predictedRow: the row for which entries of the document were prepared; nil if none were.
  ///   - mayReplace: returns whether the save may replace the stored document; nil if it may replace any document.
  /// - Throws: ``CBLError/notFound`` if the document refers to a blob that is not stored; the errors of
  ///   `DocumentWriter.save`. In both cases, nothing is written.
  func save(
    id: String, body: DocumentBody, mayReferenceBlobs: Bool? = nil, source: Int64? = nil,
    precondition: DocumentWriter.Precondition = .none, skippingUnchanged: Bool = false, analyses: [IndexedTerms] = [],
    predictedRow: Int64? = nil, mayReplace: ((StoredDocument) throws -> Bool)? = nil
  ) throws -> DocumentWriter.Change {
    if mayReferenceBlobs ?? body.mayReferenceBlobs { try requireBlobs(of: body, id: id, precondition) }
    let change = try documents.save(
      id: id, body: body, source: source, precondition: precondition, skippingUnchanged: skippingUnchanged,
      mayReplace: mayReplace)
    if !change.isUnchanged {
      try updateIndexes(id, body, change, analyses: analyses, predictedRow: predictedRow)
    }
    return change
  }

  /// Stores a revision with its version vector, and its index entries. See `DocumentWriter.put`.
  ///
  /// - Parameter existing: the stored document or tombstone, read in the same transaction; nil if there is none.
  /// - Throws: ``CBLError/notFound`` if the document refers to a blob that is not stored.
  func put(_ revision: ReplicatedRevision, replacing existing: StoredDocument?) throws -> DocumentWriter.Change {
    if let body = revision.body, revision.mayReferenceBlobs { try requireBlobs(of: body, id: revision.id, .none) }
    let change = try documents.put(revision, replacing: existing)
    if let body = revision.body {
      try updateIndexes(revision.id, body, change)
    } else if let previous = change.previous {
      try removeFromIndexes(previous)
    }
    return change
  }

  /// Stores the revision of a document that does not exist yet, and its index entries.
  ///
  /// - Parameter revision: a revision that refers to no blobs.
  /// - Returns: nil if a document or tombstone with its id exists. In that case, nothing is written.
  func insert(_ revision: ReplicatedRevision) throws -> DocumentWriter.Change? {
    guard let body = revision.body, let change = try documents.insert(revision) else { return nil }
    try updateIndexes(revision.id, body, change)
    return change
  }

  /// Saves documents that do not exist yet, with their index entries.
  ///
  /// - Parameters:
  ///   - documents: `DocumentWriter.groupSize` documents that refer to no blobs, with valid ids.
  ///   - source: the source that they were read from.
  /// - Returns: nil if nothing was written, because one of the documents exists. See `DocumentWriter.insertGroup`.
  func insertGroup(_ documents: [ImportDocument], source: Int64?) throws -> [DocumentWriter.Change]? {
    let inserted = documents.map { DocumentWriter.NewDocument(id: $0.id, body: $0.content.body) }
    guard let changes = try self.documents.insertGroup(inserted, source: source) else { return nil }
    for (document, change) in zip(documents, changes) {
      let content = document.content
      try updateIndexes(
        document.id, content.body, change, analyses: content.terms, predictedRow: content.predictedRow)
    }
    return changes
  }

  private func updateIndexes(
    _ id: String, _ body: DocumentBody, _ change: DocumentWriter.Change, analyses: [IndexedTerms] = [],
    predictedRow: Int64? = nil
  ) throws {
    if indexes.isEmpty { return }
    let document = SavedDocument(
      id: id, rowID: change.rowID, body: body.bytes, previous: change.previous, terms: analyses,
      predictedRow: predictedRow, predictionRun: PredictionRun.next(), parser: parser)
    try updatingIndexes {
      for index in indexes { try index.update(document) }
    }
  }

  /// Throws if a document refers to a blob that is not stored, for example because the blob was deleted after the
  /// document was read. Blobs that were already missing from the stored document are allowed, so that it can be edited.
  private func requireBlobs(of body: DocumentBody, id: String, _ precondition: DocumentWriter.Precondition) throws {
    let missing = try transaction.missingBlobs(in: body, parser: parser)
    guard !missing.isEmpty else { return }
    let stored = try documents.document(id: id).map { DocumentBody(of: $0) }
    let alreadyMissing = try stored.map { try transaction.missingBlobs(in: $0, parser: parser) } ?? []
    guard let newlyMissing = missing.first(where: { !alreadyMissing.contains($0) }) else { return }
    // A conflict takes precedence: the document is not saved, so its missing blobs do not matter.
    try documents.require(precondition, id: id)
    throw CBLError(
      CBLError.notFound,
      "the document \"\(id)\" refers to the blob \(newlyMissing), whose content is not in the database; save it with "
        + "saveBlob, or set a Blob with the content")
  }

  /// Deletes a document. Returns nil if it does not exist. See `DocumentWriter.delete`.
  func delete(
    id: String, precondition: DocumentWriter.Precondition = .none, replacing tombstone: Int64? = nil
  ) throws -> DocumentWriter.Change? {
    guard let change = try documents.delete(id: id, precondition: precondition, replacing: tombstone) else {
      return nil
    }
    if let previous = change.previous { try removeFromIndexes(previous) }
    return change
  }

  /// Purges a document. Returns nil if it does not exist.
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

  /// Makes the transaction fail if an index cannot be updated, because the document is already written.
  ///
  /// A savepoint around each change would allow the transaction to continue, but FTS5 flushes its pending terms at
  /// every savepoint, which makes writing three times slower.
  private func updatingIndexes(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      transaction.fail(error)
      throw error
    }
  }
}
