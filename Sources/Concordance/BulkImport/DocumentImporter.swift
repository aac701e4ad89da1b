import DocumentStore
import Foundation
public import JSONText
import TextIndex

/// Imports many documents: the calling thread validates and analyzes them while another thread writes them.
///
/// ```swift
/// let importer = try DocumentImporter(into: pages)
/// for page in crawl { try importer.add(id: page.url, json: page.json) }
/// let summary = try importer.finish()
/// ```
///
/// Documents are analyzed in batches of about 32 MiB of text; see ``DatabaseConfiguration/indexMemory``. A transaction
/// saves one of them; in a database on PostgreSQL, it saves up to twelve of 16 MiB, for at most 8 seconds. If the
/// process is killed, all committed batches remain, and those that were being written are lost.
///
/// ## Importing files
///
/// To keep a collection up to date with a set of files, add the documents of a file between ``begin(_:)`` and
/// ``endSource(needsRereading:)``. Stored documents that the file no longer contains are removed.
/// ``Collection/importedSources()`` returns the files that need not be read again if they have not changed.
///
/// ```swift
/// try importer.begin(ImportSource(path: path, size: size, modified: modified))
/// for record in records { try importer.add(id: record.id, json: record.json, location: "\(path):\(record.line)") }
/// try importer.endSource()
/// ```
///
/// ## Duplicate ids
///
/// If a stored document has the same id as an added document, the result depends on the origin of both:
///
/// | stored document | added document | result |
/// |---|---|---|
/// | from an earlier version of the same file | from a file | replaced |
/// | not from a file, but from an earlier import or a save | not from a file | replaced |
/// | from the same file or the same import | any | refused |
/// | from another file | from a file | refused, unless `replacing` returns true |
/// | not from a file | from a file | refused, unless both are equal or `replacing` returns true |
/// | from a file | not from a file | refused, unless both are equal or `replacing` returns true |
///
/// Documents are equal if their JSON texts are identical. If a document from a file equals a stored document that is
/// not from a file, the stored document belongs to the file afterwards. If a document that is not from a file equals a
/// stored document from a file, the stored document still belongs to its file.
///
/// Refused documents are not saved. A document that refers to a blob that is not stored is also refused.
/// ``ImportSummary/refusals`` lists the refused documents. The next import reads a file again if one of its documents
/// was refused, or was replaced by a document that is not from a file.
///
/// An importer must be used on one thread at a time. At the end, call ``finish()`` or ``cancel()``.
public final class DocumentImporter {
  private let collection: Collection
  private let parser: JSONParser
  private let preparation: ImportPreparation
  private let queue: ImportQueue<ImportBatch, ImportSummary>
  private let batchSize: Int
  private var batch = ImportBatch()
  private var isOpen = true

  /// Starts an import.
  ///
  /// - Parameters:
  ///   - collection: the collection to import into.
  ///   - replacing: a closure that returns whether a document replaces a stored document with the same id and another
  ///     origin, for example because a file was moved; see the table in ``DocumentImporter``. It is called on the
  ///     writer thread for each such document. By default, no such document is replaced.
  ///   - progress: a closure that is called on the writer thread after each commit.
  /// - Throws: ``CBLError``; ``CBLError/transactionNotClosed`` inside a batch, because the import would wait for the
  ///   batch forever.
  public init(
    into collection: Collection, replacing: (@Sendable (ImportDuplicate) -> Bool)? = nil,
    progress: (@Sendable (ImportSummary) -> Void)? = nil
  ) throws {
    try DocumentImporter.requireNoBatch(collection)
    self.collection = collection
    parser = try JSONParser()
    preparation = try collection.makeImportPreparation()
    batchSize = ImportBatch.fullSize(in: collection.engine.store)
    queue = ImportQueue(capacity: ImportBatch.queueCapacity(in: collection.engine.store))
    let queue = queue
    Thread.detachNewThread {
      ImportWriter(collection: collection, queue: queue, replacing: replacing, progress: progress).run()
    }
  }

  deinit { queue.cancel() }

  /// Adds a document.
  ///
  /// - Parameters:
  ///   - id: the id of the document.
  ///   - alternateID: the id to use if the document is refused because another document has `id`; nil for none.
  ///   - json: the UTF-8 bytes of a JSON object.
  ///   - location: the location that it was read from, such as `hotels.jsonl:12`, for ``ImportRefusal/location``.
  /// - Throws: ``CBLError``. After these errors, the import can continue with the next document:
  ///   - ``CBLError/badDocID`` if an id is empty, longer than 240 bytes, or begins with `_`; in a database on
  ///     PostgreSQL, also if it contains U+0000.
  ///   - ``CBLError/invalidJSON`` if the text is not a JSON object.
  ///   - ``CBLError/invalidParameter`` if the document is too large.
  ///   - ``CBLError/transactionNotClosed`` inside a batch.
  ///
  ///   After any other error, the import has ended.
  /// - Complexity: O(n) in the length of the text, which is analyzed on the calling thread.
  public func add(id: String, alternateID: String? = nil, json: [UInt8], location: String? = nil) throws {
    try requireOpen()
    try withPublicErrors {
      try collection.engine.store.checkDocumentID(id)
      var terms: [IndexedTerms] = []
      let body = try DocumentBody(checking: json, parser: parser) { terms = try preparation.terms(of: $0) }
      try add(id: id, alternateID: alternateID, location: location, keepsCopies: false, body: body, terms: terms)
    }
  }

  /// Throws if a string is not a valid document id: 1 to 240 bytes of UTF-8, not beginning with an underscore.
  ///
  /// - Throws: ``CBLError/badDocID``.
  @_spi(Command) public static func checkID(_ id: String) throws {
    try withPublicErrors { try DocumentStore.DocumentIDRule.check(id) }
  }

  /// Adds a parsed document, optionally with a numbered id. `root` is the root of `json`.
  ///
  /// If `keepingCopies` is true, neither a different stored document nor a document of this import is replaced.
  /// Instead, the document is saved as `ID:2`, `ID:3` and so on. `ID` is `alternateID`; if it is nil, `ID` is `id`. A
  /// long id is shortened, so that the number fits. The id should depend on the content, so that another import of the
  /// same documents gives them the same ids.
  @_spi(Command) public func add(
    id: String, alternateID: String?, json: [UInt8], _ root: JSONElement, location: String?, keepingCopies: Bool
  ) throws {
    try requireOpen()
    try withPublicErrors {
      try collection.engine.store.checkDocumentID(id)
      let body = try DocumentBody(object: json)
      try add(
        id: id, alternateID: alternateID, location: location, keepsCopies: keepingCopies, body: body,
        terms: preparation.terms(of: root))
    }
  }

  /// Begins a file. Documents that are added until ``endSource(needsRereading:)`` belong to it.
  ///
  /// - Parameter source: the file, with its current size and modification time.
  /// - Throws: the same errors as ``finish()``.
  public func begin(_ source: ImportSource) throws { try append(.begin(source)) }

  /// Ends the current file, and removes stored documents that it no longer contains.
  ///
  /// - Parameter needsRereading: whether the next import must read the file again even if it has not changed, because a
  ///   part of it could not be read.
  /// - Throws: the same errors as ``finish()``.
  public func endSource(needsRereading: Bool = false) throws { try append(.end(needsRereading: needsRereading)) }

  /// Ends the current file as incomplete. No documents are removed, and the next import reads the file again.
  ///
  /// - Throws: the same errors as ``finish()``.
  public func abandonSource() throws { try append(.abandon) }

  /// Removes a file that no longer exists, and its documents, from the collection.
  ///
  /// - Parameter path: the path of the file.
  /// - Throws: the same errors as ``finish()``.
  public func remove(sourcePath path: String) throws { try append(.remove(path: path)) }

  /// Waits until all documents are saved, and ends the import.
  ///
  /// - Returns: the numbers of saved, unchanged, removed and refused documents.
  /// - Throws: ``CBLError`` if writing has failed; ``CBLError/notOpen`` if the import has already ended;
  ///   ``CBLError/transactionNotClosed`` inside a batch.
  public func finish() throws -> ImportSummary {
    try requireOpen()
    isOpen = false
    return try withPublicErrors {
      try send()
      return try queue.waitForEnd()
    }
  }

  /// Ends the import without waiting. Documents that have not been written yet are discarded.
  public func cancel() {
    isOpen = false
    queue.cancel()
  }

  private func add(
    id: String, alternateID: String?, location: String?, keepsCopies: Bool, body: DocumentBody, terms: [IndexedTerms]
  ) throws {
    if let alternateID { try collection.engine.store.checkDocumentID(alternateID) }
    let document = ImportDocument(
      id: id, alternateID: alternateID, location: location, keepsCopies: keepsCopies, preparation.prepare(body, terms))
    batch.append(.save(document), size: body.bytes.count)
    try flushIfFull()
  }

  private func requireOpen() throws {
    guard isOpen else {
      throw CBLError(CBLError.notOpen, "the import was finished or cancelled; start another one")
    }
    try DocumentImporter.requireNoBatch(collection)
  }

  private static func requireNoBatch(_ collection: Collection) throws {
    guard collection.engine.store.isWriting else { return }
    throw CBLError(
      CBLError.transactionNotClosed, "an import uses its own transactions; call it outside a batch")
  }

  private func append(_ operation: ImportOperation) throws {
    try requireOpen()
    try withPublicErrors {
      batch.append(operation, size: 64)
      try flushIfFull()
    }
  }

  private func flushIfFull() throws {
    if batch.size >= batchSize || preparation.isFull(in: collection.engine.store) { try send() }
  }

  private func send() throws {
    preparation.endBatch()
    try queue.put(batch)
    batch = ImportBatch()
  }
}

@available(*, unavailable)
extension DocumentImporter: Sendable {}
