import DocumentStore
import GRDB

/// The writing side of an import: one transaction a batch.
final class ImportWriter {
  private let collection: Collection
  private let queue: ImportQueue
  private let progress: (@Sendable (ImportSummary) -> Void)?
  private var summary = ImportSummary()
  private var source: OpenSource?

  /// The file that is being read.
  private struct OpenSource {
    let id: Int64
    /// The rows of the same file from earlier imports.
    let earlier: [Int64]
  }

  init(collection: Collection, queue: ImportQueue, progress: (@Sendable (ImportSummary) -> Void)?) {
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
    let before = (summary, source)
    do {
      try engine.write { transaction in
        let writer = try engine.writer(for: collection.record, in: transaction)
        try requireSource(transaction)
        for operation in batch.operations {
          switch operation {
          case .save(let id, let body, let terms): try save(id, body, terms, transaction, writer)
          case .begin(let source): try begin(source, transaction)
          case .end(let readingAgain): try end(readingAgain: readingAgain, transaction, writer)
          case .abandon: source = nil
          case .remove(let path): try remove(path, transaction, writer)
          }
        }
      }
    } catch {
      (summary, source) = before
      throw error
    }
  }

  /// Another import may have removed the file that is being read.
  private func requireSource(_ transaction: WriteTransaction) throws {
    guard let source, try !SourceCatalog.exists(source.id, transaction.db) else { return }
    throw StoreError(.conflict, "a file that was being read was removed by another import; import it again")
  }

  private func save(
    _ id: String, _ body: DocumentBody, _ terms: [IndexedTerms], _ transaction: WriteTransaction,
    _ writer: CollectionWriter
  ) throws {
    let change = try writer.save(id: id, body: body, source: source?.id, skippingUnchanged: true, analyses: terms)
    summary.byteCount += body.bytes.count
    if change.isUnchanged { summary.unchangedCount += 1 } else { summary.savedCount += 1 }
    // A document of this file's earlier state, or of no file, is replaced by intention; any other is a second document
    // with the same id.
    if let source, let other = change.previous?.source, !source.earlier.contains(other) {
      if other != source.id { try transaction.noteReplacement(winner: source.id, loser: other) }
      summary.replacedCount += 1
      if summary.replacedIDs.count < 100 { summary.replacedIDs.append(id) }
    }
  }

  private func begin(_ file: ImportSource, _ transaction: WriteTransaction) throws {
    var earlier = try SourceCatalog.ids(ofPath: file.path, in: collection.record, transaction.db)
    if let first = earlier.first, earlier.count > 1 {
      try transaction.mergeSources(earlier.dropFirst(), into: first, in: collection.record)
      earlier = [first]
    }
    let id = try transaction.beginSource(
      path: file.path, size: file.size, modified: file.modified, settings: file.settings, in: collection.record)
    source = OpenSource(id: id, earlier: earlier)
  }

  private func end(readingAgain: Bool, _ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    guard let open = source else { return }
    for earlier in open.earlier { try removeDocuments(of: earlier, replacedBy: open.id, transaction, writer) }
    if !readingAgain { try transaction.completeSource(open.id) }
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
