import DocumentStore
import Foundation
import GRDB

/// The writing side of an import: one transaction a batch.
final class ImportWriter {
  private let collection: Collection
  private let queue: ImportQueue
  private let replacing: (@Sendable (ImportDuplicate) -> Bool)?
  private let progress: (@Sendable (ImportSummary) -> Void)?
  private var summary = ImportSummary()
  private var source: OpenSource?
  /// The documents without a source that this import has saved.
  private var savedRows = RowSet()

  /// The file that is being read.
  private struct OpenSource {
    let id: Int64
    let path: String
    /// The rows of the same file from earlier imports.
    let earlier: [Int64]
    /// Whether a document was refused: then the file is read again by the next import, so that it is told again.
    var hasRefusals = false
  }

  init(
    collection: Collection, queue: ImportQueue, replacing: (@Sendable (ImportDuplicate) -> Bool)?,
    progress: (@Sendable (ImportSummary) -> Void)?
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
        while let batch = queue.take() {
          try write(batch)
          progress?(summary)
        }
        if hasWritten { try writeBounds() }
        return summary
      })
  }

  /// All documents are saved by now, and searches do without bounds: where there is no room for them, or somebody else is writing,
  /// the next import computes them.
  private func writeBounds() throws {
    do {
      try collection.engine.write { try collection.writeBounds($0) }
    } catch let error as StoreError where error.kind == .diskFull || error.kind == .busy {
    }
  }

  /// Whether any index may have changed.
  private var hasWritten: Bool { summary.savedCount > 0 || summary.removedCount > 0 }

  private func write(_ batch: ImportBatch) throws {
    let engine = collection.engine
    let before = (summary, source, savedRows)
    do {
      try engine.write { transaction in
        let writer = try engine.writer(for: collection.record, in: transaction)
        try requireSource(transaction)
        for operation in batch.operations {
          switch operation {
          case .save(let document): try save(document, transaction, writer)
          case .begin(let source): try begin(source, transaction)
          case .end(let readingAgain): try end(readingAgain: readingAgain, transaction, writer)
          case .abandon: source = nil
          case .remove(let path): try remove(path, transaction, writer)
          }
        }
      }
    } catch {
      (summary, source, savedRows) = before
      throw error
    }
  }

  /// Another import may have removed the file that is being read.
  private func requireSource(_ transaction: WriteTransaction) throws {
    guard let source, try !SourceCatalog.exists(source.id, transaction.db) else { return }
    throw StoreError(.conflict, "a file that was being read was removed by another import; import it again")
  }

  private func save(
    _ document: ImportDocument, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws {
    do {
      if try save(document, id: document.id, transaction, writer) { return }
      if let other = document.alternateID, try save(document, id: other, transaction, writer) { return }
      let stored = try writer.documents.document(id: document.id)?.source
      if let stored, let source, stored != source.id {
        try transaction.noteReplacement(winner: stored, loser: source.id)
      }
      let path = try stored.flatMap { try SourceCatalog.path(of: $0, transaction.db) }
      refuse(document, .duplicateID(source: path))
    } catch let error as CBLError where error.code == CBLError.notFound {
      refuse(document, .missingBlob(error.message))
    }
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
  /// - Returns: false where another document has the id, and nothing was saved.
  private func save(
    _ document: ImportDocument, id: String, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws -> Bool {
    let change: DocumentWriter.Change
    do {
      change = try writer.save(
        id: id, body: document.body, source: source?.id, skippingUnchanged: true, analyses: document.terms,
        mayReplace: { try self.mayReplace($0, transaction) })
    } catch let error as StoreError where error.kind == .conflict {
      return false
    }
    summary.byteCount += document.body.bytes.count
    if change.isUnchanged { summary.unchangedCount += 1 } else { summary.savedCount += 1 }
    guard let source else {
      savedRows.insert(change.rowID)
      return true
    }
    if let other = change.previous?.source, other != source.id, !source.earlier.contains(other) {
      try transaction.noteReplacement(winner: source.id, loser: other)
      summary.replacedCount += 1
      if summary.replacedIDs.count < 100 { summary.replacedIDs.append(id) }
    }
    return true
  }

  /// Whether a document that is being saved may take the place of a stored one. It may replace one of its file's earlier state, or
  /// of no file; any other is a second document with the same id.
  private func mayReplace(_ stored: StoredDocument, _ transaction: WriteTransaction) throws -> Bool {
    guard let other = stored.source else { return !savedRows.contains(stored.rowID) }
    guard let source else { return true }
    if other == source.id { return false }
    if source.earlier.contains(other) { return true }
    guard let replacing, let path = try SourceCatalog.path(of: other, transaction.db) else { return false }
    // The answer may depend on the id as well as on the files.
    return replacing(ImportDuplicate(id: stored.id, path: source.path, storedPath: path))
  }

  private func begin(_ file: ImportSource, _ transaction: WriteTransaction) throws {
    var earlier = try SourceCatalog.ids(ofPath: file.path, in: collection.record, transaction.db)
    if let first = earlier.first, earlier.count > 1 {
      try transaction.mergeSources(earlier.dropFirst(), into: first, in: collection.record)
      earlier = [first]
    }
    let id = try transaction.beginSource(
      path: file.path, size: file.size, modified: file.modified, settings: file.settings, in: collection.record)
    source = OpenSource(id: id, path: file.path, earlier: earlier)
  }

  private func end(readingAgain: Bool, _ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    guard let open = source else { return }
    for earlier in open.earlier { try removeDocuments(of: earlier, replacedBy: open.id, transaction, writer) }
    if !readingAgain, !open.hasRefusals { try transaction.completeSource(open.id) }
    source = nil
  }

  private func remove(_ path: String, _ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    for id in try SourceCatalog.ids(ofPath: path, in: collection.record, transaction.db) {
      try removeDocuments(of: id, replacedBy: nil, transaction, writer)
    }
  }

  /// Removes what still belongs to a source, and the source.
  private func removeDocuments(
    of source: Int64, replacedBy successor: Int64?, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws {
    var count = 0
    for id in try SourceCatalog.documentIDs(of: source, in: collection.record, transaction.db) {
      if try writer.delete(id: id) != nil { count += 1 }
    }
    summary.removedCount += count
    // Only a document that is gone can have been one that another file holds as well.
    if count > 0 { summary.reopenedSourceCount += try transaction.reopenSources(replacedBy: source) }
    if let successor { try transaction.inheritReplacements(of: source, by: successor) }
    try transaction.removeSource(source)
  }
}
