import DocumentStore
import Foundation
import GRDB

/// Writes the batches of an import. A transaction writes several batches if they are ready, because fewer and larger
/// segments of indexes need fewer merges, and fewer rows in another database such as PostgreSQL.
///
/// It runs on the writer thread of the import, which takes the batches from an ``ImportQueue``.
final class ImportWriter {
  let collection: Collection
  private let queue: ImportQueue<ImportBatch, ImportSummary>
  let replacing: (@Sendable (ImportDuplicate) -> Bool)?
  private let progress: (@Sendable (ImportSummary) -> Void)?
  var summary = ImportSummary()
  /// The current file; nil between two files.
  var source: CurrentSource?
  /// The rows of documents without a source that this import has saved.
  var savedRows = RowIDBitmap()
  /// The number of documents that were saved since the last one that existed.
  private var newCount = DocumentWriter.groupSize
  /// The number of new documents after which the next ones are saved as a group. It doubles whenever one of a group
  /// exists, because nothing is saved then and the group takes more time than its documents one by one.
  private var requiredNewCount = DocumentWriter.groupSize
  private static let maximumRequiredNewCount = 4096
  /// The last number for each numbered id: 3 for the id `x` if this import has saved `x:3`.
  var copyNumbers: [String: Int] = [:]

  /// The file that is being read.
  struct CurrentSource {
    /// The row id in the catalog of sources.
    let id: Int64
    let path: String
    /// The rows of the same file from earlier imports.
    let earlier: [Int64]
    /// Whether a document was refused. If so, the next import reads the file again and reports the refusal again.
    var hasRefusals = false
  }

  init(
    collection: Collection, queue: ImportQueue<ImportBatch, ImportSummary>,
    replacing: (@Sendable (ImportDuplicate) -> Bool)?, progress: (@Sendable (ImportSummary) -> Void)?
  ) {
    self.replacing = replacing
    self.collection = collection
    self.queue = queue
    self.progress = progress
  }

  /// Writes batches until there are no more.
  func run() {
    queue.end(
      Swift.Result {
        try queue.forEachBatch(in: collection.engine.store, finish) {
          if hasWritten { try collection.finishImport() }
        }
        return summary
      })
  }

  /// A transaction in another database starts no further batch after batches of this size in bytes. Ten segments of
  /// about equal size are merged, so an import of 1,000,000 documents should write fewer.
  private var maximumSize: Int { 12 * ImportBatch.fullSize(in: collection.engine.store) }
  /// A transaction starts no further batch after this time. It ends with the current batch if another client waits for
  /// the write lock.
  private static let maximumDuration = Duration.seconds(8)
  /// The time in seconds for which a transaction waits for a batch.
  private static let maximumWait = 0.5
  /// The duration for which each transaction writes only one batch after another client waited for the write lock.
  private static let contentionBackoff = Duration.seconds(30)
  /// The last time at which another client waited for the write lock; nil for never.
  private var lastContention: ContinuousClock.Instant?

  /// Writes a batch, and returns it to the thread that has produced it.
  private func finish(_ batch: ImportBatch) throws {
    try write(batch)
    progress?(summary)
  }

  /// Whether documents were saved or removed, so that indexes may have changed.
  private var hasWritten: Bool { summary.savedCount > 0 || summary.removedCount > 0 }

  private func write(_ first: ImportBatch) throws {
    let engine = collection.engine
    let before = (summary, source, savedRows, copyNumbers)
    do {
      try engine.write { transaction in
        let writer = try engine.writer(for: collection.record, in: transaction)
        try requireSource(transaction)
        let start = ContinuousClock.now
        var (next, size): (ImportBatch?, Int) = (first, 0)
        while let batch = next {
          try write(batch, transaction, writer)
          queue.recycle(batch)
          size += batch.size
          let acceptsAnother = try acceptsAnotherBatch(transaction, size, since: start)
          next = acceptsAnother ? queue.take(within: ImportWriter.maximumWait) : nil
        }
      }
    } catch {
      (summary, source, savedRows, copyNumbers) = before
      throw error
    }
  }

  /// Returns whether a transaction writes another batch. In a file, it does not: its entries may be prepared, and a
  /// batch is large enough for a segment.
  private func acceptsAnotherBatch(
    _ transaction: WriteTransaction, _ size: Int, since start: ContinuousClock.Instant
  ) throws -> Bool {
    guard let remote = transaction.remote else { return false }
    let now = ContinuousClock.now
    guard size < maximumSize, now - start < ImportWriter.maximumDuration else { return false }
    if try remote.hasWaitingWriter(transaction.db) { lastContention = now }
    return lastContention.map { now - $0 > ImportWriter.contentionBackoff } ?? true
  }

  private func write(_ batch: ImportBatch, _ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    // Documents that exist are read in one round trip.
    if let remote = transaction.remote {
      try remote.willSave(ids: batch.ids, in: collection.record, transaction.db)
    }
    var operations = batch.operations[...]
    while let operation = operations.first {
      if try saveGroup(operations, writer) {
        operations.removeFirst(DocumentWriter.groupSize)
        continue
      }
      operations.removeFirst()
      switch operation {
      case .save(let document): try save(document, transaction, writer)
      case .begin(let source): try begin(source, transaction)
      case .end(let needsRereading): try end(needsRereading: needsRereading, transaction, writer)
      case .abandon: source = nil
      case .remove(let path): try remove(path, transaction, writer)
      }
    }
  }

  /// Saves the next documents together if they are probably new.
  ///
  /// - Returns: false if nothing was saved.
  private func saveGroup(_ operations: ArraySlice<ImportOperation>, _ writer: CollectionWriter) throws -> Bool {
    let count = DocumentWriter.groupSize
    guard newCount >= requiredNewCount, operations.count >= count else { return false }
    var documents: [ImportDocument] = []
    documents.reserveCapacity(count)
    for operation in operations.prefix(count) {
      guard case .save(let document) = operation, !document.content.mayReferenceBlobs else { return false }
      documents.append(document)
    }
    guard let changes = try writer.insertGroup(documents, source: source?.id) else {
      newCount = 0
      requiredNewCount = min(requiredNewCount * 2, ImportWriter.maximumRequiredNewCount)
      return false
    }
    requiredNewCount = count
    for (document, change) in zip(documents, changes) { noteSaved(document, change) }
    return true
  }

  /// Counts a saved document.
  private func noteSaved(_ document: ImportDocument, _ change: DocumentWriter.Change) {
    document.content.noteSaved(row: change.rowID)
    summary.byteCount += document.content.body.bytes.count
    if change.isUnchanged { summary.unchangedCount += 1 } else { summary.savedCount += 1 }
    if source == nil { savedRows.insert(change.rowID) }
  }

  private func save(
    _ document: ImportDocument, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws {
    do {
      if try save(document, id: document.id, transaction, writer) { return }
      if let other = document.alternateID, try save(document, id: other, transaction, writer) { return }
      if document.keepsCopies { return try saveCopy(document, transaction, writer) }
      let stored = try writer.documents.document(id: document.id)
      if let winner = stored?.source, let source, winner != source.id {
        try transaction.noteReplacement(winner: winner, loser: source.id)
      }
      let path = try stored?.source.flatMap { try SourceCatalog.path(of: $0, transaction.db) }
      // A document without a source is refused only because of a document of this import or of a file.
      let isStoredBefore = source != nil && stored != nil && stored?.source == nil
      refuse(document, isStoredBefore ? .storedDocument : .duplicateID(source: path))
    } catch let error as CBLError where error.code == CBLError.notFound {
      refuse(document, .missingBlob(error.message))
    }
  }

  /// Saves a document with an id.
  ///
  /// - Returns: false if nothing was saved because another document has the id.
  func save(
    _ document: ImportDocument, id: String, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws -> Bool {
    let content = document.content
    let change: DocumentWriter.Change
    do {
      change = try writer.save(
        id: id, body: content.body, mayReferenceBlobs: content.mayReferenceBlobs, source: source?.id,
        skippingUnchanged: true, analyses: content.terms, predictedRow: content.predictedRow,
        mayReplace: { try self.mayReplace($0, by: document, transaction) })
    } catch let error as StoreError where error.kind == .conflict {
      newCount = 0
      return false
    }
    let isNew = change.previous == nil && !change.isUnchanged
    newCount = isNew ? newCount + 1 : 0
    noteSaved(document, change)
    if let previous = change.previous, try noteReplacement(of: previous, isUnchanged: change.isUnchanged, transaction) {
      summary.replacedCount += 1
      if summary.replacedIDs.count < 100 { summary.replacedIDs.append(id) }
    }
    return true
  }
}
