import DocumentStore
import Foundation
public import JSONText
import TextIndex

/// Saves many documents fast: the calling thread checks and analyses them, another one writes.
///
/// ```swift
/// let importer = try DocumentImporter(into: pages)
/// for page in crawl { try importer.add(id: page.url, json: page.json) }
/// let summary = try importer.finish()
/// ```
///
/// Documents are saved in batches of some megabytes, each in a transaction. When the process is killed, every batch
/// that was committed is there, and nothing of the one that was being written.
///
/// With sources, a corpus is kept up to date: between ``begin(_:)`` and ``endSource(needsRereading:)`` all documents of a file are
/// added, and those that the file held before and does not hold any more are removed. ``Collection/importedSources()``
/// tells which files need not be read again.
///
/// Each document needs an id of its own. What happens to a document whose id a stored document has depends on where both are from:
///
/// | stored document | added document | result |
/// |---|---|---|
/// | an earlier state of the same file | of a file | replaced |
/// | not of a file, from an earlier import or a save | not of a file | replaced |
/// | of the same file or the same import, read before | any | refused |
/// | of another file | of a file | refused, unless `replacing` returns true |
/// | not of a file | of a file | refused, unless both are equal or `replacing` returns true |
/// | of a file | not of a file | refused, unless both are equal or `replacing` returns true |
///
/// Refused documents are not saved and are listed in ``ImportSummary/refusals``; so are documents that refer to a blob that is not
/// stored. A file with a refused document is read again by the next import, and so is a file of which a document was replaced by
/// one that is not of a file. Documents are equal if their JSON texts are. An equal document that was not of a file belongs to the
/// file from then on; an equal document of a file stays one of the file.
///
/// An importer belongs to one thread. Call ``finish()`` at the end, or ``cancel()``.
public final class DocumentImporter {
  private let collection: Collection
  private let parser: JSONParser
  private let analyses: [TermAnalysis]
  private let queue: ImportQueue
  private var batch = ImportBatch()
  private var isOpen = true

  /// Starts an import.
  ///
  /// - Parameters:
  ///   - collection: the collection to import into.
  ///   - replacing: returns whether a document may replace a different one with the same id if one of them is of
  ///     another file, as after that file was moved. Called on the writing thread, once for each such document. By
  ///     default none is replaced.
  ///   - progress: called on the writing thread after each commit.
  /// - Throws: ``CBLError``; ``CBLError/transactionNotClosed`` inside a batch, because the import would wait for it
  ///   forever.
  public init(
    into collection: Collection, replacing: (@Sendable (ImportDuplicate) -> Bool)? = nil,
    progress: (@Sendable (ImportSummary) -> Void)? = nil
  ) throws {
    try DocumentImporter.requireNoBatch(collection)
    self.collection = collection
    parser = try JSONParser()
    analyses = try collection.termAnalyses()
    queue = ImportQueue(capacity: 2)
    let queue = queue
    Thread.detachNewThread {
      ImportWriter(collection: collection, queue: queue, replacing: replacing, progress: progress).run()
    }
  }

  deinit { queue.cancel() }

  /// Adds a document.
  ///
  /// - Parameters:
  ///   - id: its id.
  ///   - alternateID: the id to use if another document has `id`; nil for none.
  ///   - json: its text.
  ///   - location: where it was read from, for ``ImportRefusal/location``: `hotels.jsonl:12`.
  /// - Throws: ``CBLError`` for this document, after which the import can continue: ``CBLError/badDocID``,
  ///   ``CBLError/invalidJSON``, or ``CBLError/invalidParameter`` if it is too large. Any other error is an error of
  ///   writing, after which it cannot.
  /// - Complexity: O(n) in the length of the text, which is analyzed on the calling thread.
  public func add(id: String, alternateID: String? = nil, json: [UInt8], location: String? = nil) throws {
    try requireOpen()
    try withPublicErrors {
      try DocumentStore.DocumentIDRule.check(id)
      var terms: [IndexedTerms] = []
      let body = try DocumentBody(checking: json, parser: parser) { root in terms = try self.terms(of: root) }
      try add(id: id, alternateID: alternateID, location: location, keepsCopies: false, body: body, terms: terms)
    }
  }

  /// Throws if a text is not a valid document id: 1 to 240 bytes of UTF-8, not beginning with an underscore.
  ///
  /// - Throws: ``CBLError/badDocID``.
  @_spi(Command) public static func checkID(_ id: String) throws {
    try withPublicErrors { try DocumentStore.DocumentIDRule.check(id) }
  }

  /// Adds a document that is already parsed. `root` is the root of `json`. If `keepingCopies` is true, a different document that is stored with one of its ids is never replaced, and
  /// neither is one that this import has added: the document is saved as `ID:2`, `ID:3`, … of the last id, which should depend on
  /// its content. The same documents added again by another import get the same ids.
  @_spi(Command) public func add(
    id: String, alternateID: String?, json: [UInt8], _ root: JSONElement, location: String?, keepingCopies: Bool
  ) throws {
    try requireOpen()
    try withPublicErrors {
      try DocumentStore.DocumentIDRule.check(id)
      let body = try DocumentBody(object: json)
      try add(
        id: id, alternateID: alternateID, location: location, keepsCopies: keepingCopies, body: body,
        terms: terms(of: root))
    }
  }

  /// Begins a file: documents that are added until ``endSource(needsRereading:)`` belong to it.
  ///
  /// - Parameter source: the file.
  /// - Throws: ``CBLError`` if writing has failed.
  public func begin(_ source: ImportSource) throws { try append(.begin(source)) }

  /// Ends the file that was begun, and removes documents that it does not contain any more.
  ///
  /// - Parameter needsRereading: whether the next import should read the file again although it has not changed, because
  ///   a part of it could not be used.
  /// - Throws: ``CBLError`` if writing has failed.
  public func endSource(needsRereading: Bool = false) throws { try append(.end(needsRereading: needsRereading)) }

  /// Ends the file that was begun as incomplete: no documents are removed, and the next import reads it again.
  ///
  /// - Throws: ``CBLError`` if writing has failed.
  public func abandonSource() throws { try append(.abandon) }

  /// Removes a file that does not exist any more, with its documents.
  ///
  /// - Parameter path: the path of the file.
  /// - Throws: ``CBLError`` if writing has failed.
  public func remove(sourcePath path: String) throws { try append(.remove(path: path)) }

  /// Waits until everything is saved, and ends the import.
  ///
  /// - Returns: the numbers of saved, unchanged, removed and refused documents.
  /// - Throws: ``CBLError`` if writing has failed, or if the import has already ended.
  public func finish() throws -> ImportSummary {
    try requireOpen()
    isOpen = false
    return try withPublicErrors {
      try queue.put(batch)
      batch = ImportBatch()
      return try queue.waitForEnd()
    }
  }

  /// Ends the import. Documents that were not committed yet are not saved.
  public func cancel() {
    isOpen = false
    queue.cancel()
  }

  private func terms(of root: JSONElement) throws -> [IndexedTerms] { try analyses.map { try $0.terms(of: root) } }

  private func add(
    id: String, alternateID: String?, location: String?, keepsCopies: Bool, body: DocumentBody, terms: [IndexedTerms]
  ) throws {
    if let alternateID { try DocumentStore.DocumentIDRule.check(alternateID) }
    let document = ImportDocument(
      id: id, alternateID: alternateID, location: location, keepsCopies: keepsCopies, body: body, terms: terms)
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
      CBLError.transactionNotClosed, "an import runs in transactions of its own; use it outside of a batch")
  }

  private func append(_ operation: ImportOperation) throws {
    try requireOpen()
    try withPublicErrors {
      batch.append(operation, size: 64)
      try flushIfFull()
    }
  }

  private func flushIfFull() throws {
    guard batch.size >= ImportBatch.fullSize else { return }
    try queue.put(batch)
    batch = ImportBatch()
  }
}

@available(*, unavailable)
extension DocumentImporter: Sendable {}

/// A step of an import.
enum ImportOperation: Sendable {
  case save(ImportDocument)
  case begin(ImportSource)
  case end(needsRereading: Bool)
  case abandon
  case remove(path: String)
}

/// A document with what the calling thread has made of it.
struct ImportDocument: Sendable {
  let id: String
  let alternateID: String?
  let location: String?
  /// Whether the document gets another id instead of replacing a different one, or one of the same import.
  let keepsCopies: Bool
  let body: DocumentBody
  let terms: [IndexedTerms]
}

/// Steps that are written in one transaction.
struct ImportBatch: Sendable {
  /// Bytes of text at which a batch is written. FTS5 writes a segment at every commit at the least, so small batches
  /// make it merge more.
  static let fullSize = 16 << 20

  private(set) var operations: [ImportOperation] = []
  private(set) var size = 0

  mutating func append(_ operation: ImportOperation, size: Int) {
    operations.append(operation)
    self.size += size + 256
  }
}
