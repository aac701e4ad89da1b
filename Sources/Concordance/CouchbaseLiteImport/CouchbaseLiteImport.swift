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
  private var earlier = EarlierLines()
  /// The numbers of documents and blobs that were saved.
  private var saved = TransferSummary()
  private var rowCount = 0
  private var totalRowCount = 0

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
    try write(CouchbaseLiteReader(file, collections, temporaryFolder: temporaryFolder))
    // This is checked before indexes are built, because building them can take a long time.
    try file.requireUnchanged()
    for index in try file.indexes() { try create(index) }
    for omission in try file.omissions() { summary.addNote("\(omission) not imported") }
    return summary
  }

  private func collection(for source: SourceCollection) throws -> Collection {
    if let target { return target }
    if source == .default { return try database.defaultCollection() }
    return try database.createCollection(name: source.name, scope: source.scope)
  }

  /// Reads the rows on another thread and writes them on this one.
  private func write(_ reader: CouchbaseLiteReader) throws {
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
    summary.add(read)
  }

  private func write(_ part: CouchbaseLitePart) throws {
    if !part.batch.isEmpty {
      let (counts, refused) = try part.batch.write(to: database, existing, after: &earlier)
      saved.add(counts)
      for error in refused { summary.addProblem("\(part.names[error.line]): \(error)") }
    }
    (summary.documentCount, summary.unchangedCount) = (saved.documentCount, saved.unchangedCount)
    (summary.skippedCount, summary.blobCount) = (saved.skippedCount, saved.blobCount)
    rowCount += part.rowCount
    progress?(rowCount, totalRowCount)
  }

  private func create(_ index: SourceIndex) throws {
    do {
      let collection = try collection(for: index.collection)
      if existing != .replace, try collection.indexes().contains(index.name) { return }
      let conversion = try CouchbaseLiteIndexConversion(index)
      try collection.createIndex(withName: index.name, config: conversion.configuration)
      summary.indexCount += 1
      for note in conversion.notes { summary.addNote("index \"\(index.name)\": \(note)") }
    } catch let error as CBLError where CouchbaseLiteImport.indexErrors.contains(error.code) {
      summary.addNote(
        "the index \"\(index.name)\" of \(index.collection.scope).\(index.collection.name) was not created: \(error.message)"
      )
    }
  }

  /// The codes of errors for index definitions that this library does not support.
  private static let indexErrors: Set = [
    CBLError.unsupported, CBLError.invalidQuery, CBLError.invalidParameter, CBLError.invalidJSON,
  ]
}
