import CouchbaseLiteFile
import DocumentStore
import Foundation
import JSONText

/// Reads the rows of a Couchbase Lite database and converts them to batches.
///
/// `@unchecked Sendable`: only the thread of ``run()`` accesses the variables until it closes the queue; afterwards,
/// only the thread that received the end of the queue does. The lock of the queue orders these accesses.
final class CouchbaseLiteReader: @unchecked Sendable {
  let queue = ImportQueue<CouchbaseLitePart, Void>(capacity: 2)
  private let file: CouchbaseLiteFile
  private let collections: [(SourceCollection, Collection)]
  private var blobs: CouchbaseLiteBlobs
  private var summary = CouchbaseLiteImportSummary()
  private var failure: (any Error)?
  private var part = CouchbaseLitePart()

  init(_ file: CouchbaseLiteFile, _ collections: [(SourceCollection, Collection)], temporaryFolder: String) {
    self.file = file
    self.collections = collections
    blobs = CouchbaseLiteBlobs(file, temporaryFolder: temporaryFolder)
  }

  /// Reads all rows, and closes the queue.
  func run() {
    defer { queue.close() }
    do {
      let parser = try JSONParser()
      for (source, collection) in collections {
        try file.forEachRow(of: source) { row in
          try add(row, of: source, to: collection, parser)
          part.rowCount += 1
          let isFull = part.batch.isFull(ImportBatch.fullSize(in: collection.engine.store))
          if isFull || part.rowCount >= CouchbaseLitePart.maximumRowCount { try flush() }
        }
        try flush()
      }
    } catch {
      failure = error
    }
  }

  /// Returns the counts, problems and notes of the rows, and the error that ended the thread. Call it only after the
  /// end of the queue has been received.
  func result() -> (CouchbaseLiteImportSummary, (any Error)?) { (summary, failure) }

  private func flush() throws {
    try queue.put(part)
    part = CouchbaseLitePart()
  }

  private func add(
    _ row: SourceRow, of source: SourceCollection, to collection: Collection, _ parser: JSONParser
  ) throws {
    switch row {
    case .deleted: summary.deletedCount += 1
    case .internalDocument: break
    case .unreadable(let id, let reason):
      summary.addProblem("document \"\(id)\" of \(source.scope).\(source.name): \(reason)")
    case .document(let document):
      let name = "document \"\(document.id)\" of \(source.scope).\(source.name)"
      do {
        try add(document, name, to: collection, parser)
      } catch let error as StoreError where CouchbaseLiteReader.documentErrors.contains(error.kind) {
        summary.addProblem("\(name): \(error.message)")
      }
    }
  }

  /// The kinds of errors that concern a single document. The import continues after them.
  private static let documentErrors: Set<StoreErrorKind> = [
    .badDocumentID, .notJSON, .tooLarge, .notFound, .cannotOpen, .io,
  ]

  private func add(
    _ document: SourceDocument, _ name: String, to collection: Collection, _ parser: JSONParser
  ) throws {
    var traits: CouchbaseLitePart.Traits = document.isConflicted ? .isConflicted : []
    if document.hasData { traits.insert(.hasData) }
    var expiration = document.expiration
    if let time = expiration {
      if time <= ExpirationTimer.now {
        summary.expiredCount += 1
        return
      }
      // `DocumentExpiration.limit` is the latest time that can be stored. The document is imported without an
      // expiration.
      if time > DocumentExpiration.limit {
        traits.insert(.lacksExpiration)
        expiration = nil
      }
    }
    try collection.engine.store.checkDocumentID(document.id)
    var json = document.json
    if file.isVersion1 {
      json = try CompressedAttachments.replacing(in: json, parser) { digest, length in
        try blobs.addContent(ofCompressed: digest, length: length, to: &part, &summary)
      }
    }
    // The text is valid JSON, because the reader has written or parsed it.
    let body = try DocumentBody(object: json)
    for digest in SourceBlobs.digests(in: json, parser) { try blobs.add(digest, to: &part, &summary) }
    let transfer = TransferDocument(collection, id: document.id, PreparedBody(body), expiration: expiration)
    part.append(.document(transfer), name, traits)
  }
}
