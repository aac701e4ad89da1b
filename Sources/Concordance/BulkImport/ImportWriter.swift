import DocumentStore
import Foundation
import GRDB

/// Writes the batches of an import. A transaction writes several batches if they are ready, because fewer and larger
/// segments of indexes need fewer merges, and fewer rows in another database such as PostgreSQL.
///
/// It runs on the writer thread of the import, which takes the batches from an ``ImportQueue``.
final class ImportWriter {
  private let collection: Collection
  private let queue: ImportQueue<ImportBatch, ImportSummary>
  private let replacing: (@Sendable (ImportDuplicate) -> Bool)?
  private let progress: (@Sendable (ImportSummary) -> Void)?
  private var summary = ImportSummary()
  /// The current file; nil between two files.
  private var source: CurrentSource?
  /// The rows of documents without a source that this import has saved.
  private var savedRows = RowIDBitmap()
  /// The number of documents that were saved since the last one that existed.
  private var newCount = DocumentWriter.groupSize
  /// The number of new documents after which the next ones are saved as a group. It doubles whenever one of a group
  /// exists, because nothing is saved then and the group takes more time than its documents one by one.
  private var requiredNewCount = DocumentWriter.groupSize
  private static let maximumRequiredNewCount = 4096
  /// The last number for each numbered id: 3 for the id `x` if this import has saved `x:3`.
  private var copyNumbers: [String: Int] = [:]

  /// The file that is being read.
  private struct CurrentSource {
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

  /// Throws if another import has removed the current file from the catalog.
  private func requireSource(_ transaction: WriteTransaction) throws {
    guard let source, try !SourceCatalog.exists(source.id, transaction.db) else { return }
    throw StoreError(.conflict, "a file that was being read was removed by another import; import it again")
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

  /// Saves a document with a numbered id: the first free number after the last one.
  private func saveCopy(
    _ document: ImportDocument, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws {
    let id = document.alternateID ?? document.id
    var number = copyNumbers[id] ?? 1
    repeat { number += 1 } while try !save(document, id: ImportWriter.numbered(id, number), transaction, writer)
    copyNumbers[id] = number
  }

  /// Returns an id with a number. A long id is shortened, so that the number fits.
  private static func numbered(_ id: String, _ number: Int) -> String {
    let suffix = ":\(number)"
    var base = id
    while base.utf8.count + suffix.utf8.count > DocumentStore.DocumentIDRule.maximumLength { base.removeLast() }
    return base + suffix
  }

  private func refuse(_ document: ImportDocument, _ reason: ImportRefusal.Reason) {
    source?.hasRefusals = true
    summary.refusedCount += 1
    guard summary.refusals.count < 100 else { return }
    summary.refusals.append(
      ImportRefusal(id: document.id, location: document.location, source: source?.path, reason: reason))
  }

  /// Saves a document with an id.
  ///
  /// - Returns: false if nothing was saved because another document has the id.
  private func save(
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

  /// Records the file whose document was replaced.
  ///
  /// If the new document is from a file, the recorded file is read again when the new document is removed; otherwise it
  /// is read again by the next import.
  ///
  /// - Returns: whether a document of another origin was replaced.
  private func noteReplacement(
    of previous: StoredDocument, isUnchanged: Bool, _ transaction: WriteTransaction
  ) throws -> Bool {
    switch (source, previous.source) {
    case (let source?, let other?):
      guard other != source.id, !source.earlier.contains(other) else { return false }
      try transaction.noteReplacement(winner: source.id, loser: other)
      return true
    case (nil, let other?):
      guard !isUnchanged else { return false }
      try transaction.reopenSource(other)
      return true
    case (_?, nil): return !isUnchanged
    case (nil, nil): return false
    }
  }

  /// Returns whether a document may replace a stored one. See ``DocumentImporter`` for the rules.
  private func mayReplace(
    _ stored: StoredDocument, by document: ImportDocument, _ transaction: WriteTransaction
  ) throws -> Bool {
    if let source, let other = stored.source {
      if other == source.id { return false }
      if source.earlier.contains(other) { return true }
    } else {
      if source == nil, savedRows.contains(stored.rowID) { return false }
      if stored.body == document.content.body.bytes { return true }
      if document.keepsCopies { return false }
      if source == nil, stored.source == nil { return true }
    }
    guard let replacing else { return false }
    let storedPath = try stored.source.flatMap { try SourceCatalog.path(of: $0, transaction.db) }
    if stored.source != nil, storedPath == nil { return false }
    // The result is not cached per file, because it may also depend on the id.
    return replacing(ImportDuplicate(id: stored.id, path: source?.path, storedPath: storedPath))
  }

  private func begin(_ file: ImportSource, _ transaction: WriteTransaction) throws {
    var earlier = try SourceCatalog.ids(ofPath: file.path, in: collection.record, transaction.db)
    if let first = earlier.first, earlier.count > 1 {
      try transaction.mergeSources(earlier.dropFirst(), into: first, in: collection.record)
      earlier = [first]
    }
    let id = try transaction.beginSource(
      path: file.path, size: file.size, modified: file.modified, settings: file.settings, in: collection.record)
    source = CurrentSource(id: id, path: file.path, earlier: earlier)
  }

  private func end(needsRereading: Bool, _ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    guard let open = source else { return }
    for earlier in open.earlier { try removeDocuments(of: earlier, replacedBy: open.id, transaction, writer) }
    if !needsRereading, !open.hasRefusals { try transaction.completeSource(open.id) }
    source = nil
  }

  private func remove(_ path: String, _ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    for id in try SourceCatalog.ids(ofPath: path, in: collection.record, transaction.db) {
      try removeDocuments(of: id, replacedBy: nil, transaction, writer)
    }
  }

  /// Removes a source and the documents that still belong to it.
  private func removeDocuments(
    of source: Int64, replacedBy successor: Int64?, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws {
    var count = 0
    for id in try SourceCatalog.documentIDs(of: source, in: collection.record, transaction.db) {
      if try writer.delete(id: id) != nil { count += 1 }
    }
    summary.removedCount += count
    // Files whose documents this source has replaced need to be read again only if a document was removed.
    if count > 0 { summary.reopenedSourceCount += try transaction.reopenSources(replacedBy: source) }
    if let successor { try transaction.inheritReplacements(of: source, by: successor) }
    try transaction.removeSource(source)
  }
}
