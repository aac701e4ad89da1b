import CouchbaseLiteFile
import DocumentStore
import Foundation

/// A run of ``Database/importCouchbaseLite(at:into:existing:progress:)-(URL,_,_,_)``.
///
/// A ``CouchbaseLiteReader`` reads and converts the rows on a separate thread. The batches are written on the calling
/// thread, which may already be in a batch.
final class CouchbaseLiteImport {
  private let database: Database
  private let target: Collection?
  private let existing: DatabaseImport.ExistingDocuments
  private let progress: ((Int, Int) -> Void)?
  private var summary = CouchbaseLiteImportSummary()
  private var earlier = EarlierLines(.collections)
  /// The numbers of documents and blobs that were saved.
  private var saved = TransferSummary()
  private var rowCount = 0
  private var totalRowCount = 0
  /// The number of saved documents that have binary data, and of those that were saved without their expirations.
  private var dataDocumentCount = 0
  private var unlimitedCount = 0

  init(
    database: Database, target: Collection?, existing: DatabaseImport.ExistingDocuments,
    progress: ((Int, Int) -> Void)?
  ) {
    self.database = database
    self.target = target
    self.existing = existing
    self.progress = progress
  }

  /// Imports the database at a path.
  func run(_ path: String) throws -> CouchbaseLiteImportSummary {
    let temporaryFolder = database.engine.store.folderOfTemporaryFiles
    let file = try CouchbaseLiteFile(path: path, temporaryFolder: temporaryFolder)
    totalRowCount = try file.rowCount()
    let collections = try file.collections.map { ($0, try collection(for: $0)) }
    summary.collectionCount = collections.count
    let read = try write(CouchbaseLiteReader(file, collections, temporaryFolder: temporaryFolder))
    // This is checked before indexes are built, because building them can take a long time.
    try file.requireUnchanged()
    var indexes = CouchbaseLiteIndexes(database: database, target: target, existing: existing)
    for index in try file.indexes() { try indexes.create(index, &summary) }
    for omission in try file.omissions() { summary.addNote("\(omission) not imported") }
    addCounts()
    // The number of notes on documents is not limited, so they come last.
    summary.add(read)
    return summary
  }

  private func addCounts() {
    if dataDocumentCount > 0 {
      summary.addNote("documents with binary data, which was converted to Base64 strings: \(dataDocumentCount)")
    }
    if unlimitedCount > 0 {
      summary.addNote(
        "documents imported without an expiration time, because it is too far in the future: \(unlimitedCount)")
    }
  }

  private func collection(for source: SourceCollection) throws -> Collection {
    try target ?? database.collection(for: source)
  }

  /// Reads the rows on another thread and writes them on this one.
  ///
  /// - Returns: the counts, problems and notes of the rows.
  private func write(_ reader: CouchbaseLiteReader) throws -> CouchbaseLiteImportSummary {
    let queue = reader.queue
    Thread.detachNewThread { reader.run() }
    // After an error, the remaining batches are discarded. The file can be used again only once the queue has ended.
    var failure: (any Error)?
    while let part = queue.take() {
      guard failure == nil else { continue }
      do {
        try write(part)
      } catch {
        failure = error
        queue.end(.failure(error))
      }
    }
    let (read, readingError) = reader.result()
    if let error = failure ?? readingError { throw error }
    return read
  }

  private func write(_ part: CouchbaseLitePart) throws {
    if !part.batch.isEmpty {
      let outcome = try part.batch.write(to: database, existing, after: &earlier)
      saved.add(outcome.summary)
      for error in outcome.refused { summary.addProblem("\(part.items[error.line].name): \(error)") }
      count(part.items, except: Set(outcome.kept + outcome.refused.map(\.line)))
    }
    (summary.documentCount, summary.unchangedCount) = (saved.documentCount, saved.unchangedCount)
    (summary.skippedCount, summary.blobCount) = (saved.skippedCount, saved.blobCount)
    rowCount += part.rowCount
    progress?(rowCount, totalRowCount)
  }

  /// Counts the documents whose content is stored now.
  private func count(_ items: [CouchbaseLitePart.Item], except others: Set<Int>) {
    for (number, item) in items.enumerated() where !item.traits.isEmpty && !others.contains(number) {
      if item.traits.contains(.isConflicted) { summary.conflictCount += 1 }
      if item.traits.contains(.hasData) { dataDocumentCount += 1 }
      if item.traits.contains(.lacksExpiration) { unlimitedCount += 1 }
    }
  }
}

extension Database {
  /// Returns the collection for the documents and indexes of a collection, and creates it if it does not exist.
  func collection(for source: SourceCollection) throws -> Collection {
    if source == .default { return try defaultCollection() }
    return try createCollection(name: source.name, scope: source.scope)
  }
}
