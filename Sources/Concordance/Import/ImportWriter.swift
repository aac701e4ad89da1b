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
      Result {
        while let batch = queue.take() {
          try write(batch)
          progress?(summary)
        }
        return summary
      })
  }

  private func write(_ batch: ImportBatch) throws {
    let engine = collection.engine
    try engine.write { transaction in
      let writer = try engine.writer(for: collection.record, in: transaction)
      for operation in batch.operations {
        switch operation {
        case .save(let id, let body, let terms): try save(id, body, terms, writer)
        case .begin(let source): try begin(source, transaction)
        case .end: try end(transaction, writer)
        case .abandon: source = nil
        case .remove(let path): try remove(path, transaction, writer)
        }
      }
    }
  }

  private func save(_ id: String, _ body: DocumentBody, _ terms: [IndexedTerms], _ writer: CollectionWriter) throws {
    let change = try writer.save(id: id, body: body, source: source?.id, skippingUnchanged: true, analyses: terms)
    summary.byteCount += body.bytes.count
    if change.isUnchanged { summary.unchangedCount += 1 } else { summary.savedCount += 1 }
    // A document of this file's earlier state, or of no file, is replaced by intention; any other is a second document
    // with the same id.
    if let source, let other = change.previous?.source, !source.earlier.contains(other) {
      summary.replacedCount += 1
      if summary.replacedIDs.count < 100 { summary.replacedIDs.append(id) }
    }
  }

  private func begin(_ file: ImportSource, _ transaction: WriteTransaction) throws {
    let earlier = try SourceCatalog.ids(ofPath: file.path, in: collection.record, transaction.db)
    let id = try transaction.beginSource(
      path: file.path, size: file.size, modified: file.modified, settings: file.settings, in: collection.record)
    source = OpenSource(id: id, earlier: earlier)
  }

  private func end(_ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    guard let open = source else { return }
    for earlier in open.earlier { try removeDocuments(of: earlier, transaction, writer) }
    try transaction.completeSource(open.id)
    source = nil
  }

  private func remove(_ path: String, _ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    for id in try SourceCatalog.ids(ofPath: path, in: collection.record, transaction.db) {
      try removeDocuments(of: id, transaction, writer)
    }
  }

  private func removeDocuments(
    of source: Int64, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws {
    for id in try SourceCatalog.documentIDs(of: source, in: collection.record, transaction.db) {
      if try writer.delete(id: id) != nil { summary.removedCount += 1 }
    }
    try transaction.removeSource(source)
  }
}
