import DocumentStore
import Foundation
import JSONText
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
/// With sources, a corpus is kept up to date: between ``begin(_:)`` and ``endSource()`` all documents of a file are
/// added, and those that the file held before and does not hold any more are removed. ``Collection/importedSources()``
/// tells which files need not be read again.
///
/// Each document needs an id of its own. A document with the id of another one that was read from another file, from the same
/// file, or by the same import is not saved and is listed in ``ImportSummary/refusals``; so is one that refers to a blob that is
/// not stored.
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
  ///   - collection: where the documents go.
  ///   - replacing: returns whether a document may take the place of one of another file with the same id, when that file was
  ///     moved for instance. Called on the writing thread, once for each such document; without it, no document may.
  ///   - progress: called on the writing thread after every commit.
  /// - Throws: ``CBLError``; ``CBLError/transactionNotClosed`` inside a batch, for which the import would wait for ever.
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
  ///   - alternateID: the id to save it with where another document has its id.
  ///   - json: its text.
  ///   - location: where it was read from, for ``ImportRefusal/location``: `hotels.jsonl:12`.
  /// - Throws: ``CBLError`` for this document: ``CBLError/badDocID``, ``CBLError/invalidJSON``,
  ///   ``CBLError/invalidParameter`` when it is too large; the import can go on. Any other error is one of writing, and
  ///   the import is over.
  public func add(id: String, alternateID: String? = nil, json: [UInt8], location: String? = nil) throws {
    try requireOpen()
    try withPublicErrors {
      try DocumentStore.DocumentID.check(id)
      if let alternateID { try DocumentStore.DocumentID.check(alternateID) }
      var terms: [IndexedTerms] = []
      let body = try DocumentBody(checking: json, parser: parser) { root in
        terms = try analyses.map { try $0.terms(of: root) }
      }
      let document = ImportDocument(id: id, alternateID: alternateID, location: location, body: body, terms: terms)
      batch.append(.save(document), size: json.count)
      try flushIfFull()
    }
  }

  /// Begins a file: the documents that follow are read from it.
  public func begin(_ source: ImportSource) throws { try append(.begin(source)) }

  /// Ends the file that was begun: it is complete, and what it does not hold any more is removed.
  ///
  /// - Parameter readingAgain: whether the file should be read again by the next import although it has not changed, because
  ///   a part of it could not be used.
  public func endSource(readingAgain: Bool = false) throws { try append(.end(readingAgain: readingAgain)) }

  /// Leaves the file that was begun incomplete: nothing is removed, and the next import reads it again.
  public func abandonSource() throws { try append(.abandon) }

  /// Removes a file that is gone, with its documents.
  public func remove(sourcePath path: String) throws { try append(.remove(path: path)) }

  /// Waits until everything is saved.
  ///
  /// - Returns: what was done.
  /// - Throws: ``CBLError`` when writing failed, or when the import is over already.
  public func finish() throws -> ImportSummary {
    try requireOpen()
    isOpen = false
    return try withPublicErrors {
      try queue.put(batch)
      batch = ImportBatch()
      return try queue.waitForEnd()
    }
  }

  /// Ends the import. What was not committed yet is not saved.
  public func cancel() {
    isOpen = false
    queue.cancel()
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
  case end(readingAgain: Bool)
  case abandon
  case remove(path: String)
}

/// A document with what the calling thread has made of it.
struct ImportDocument: Sendable {
  let id: String
  let alternateID: String?
  let location: String?
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
