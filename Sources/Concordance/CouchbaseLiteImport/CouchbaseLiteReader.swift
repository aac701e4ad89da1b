import CouchbaseLiteFile
import DocumentStore
import Foundation
import JSONText

/// Documents and blobs that have been read but not saved yet.
struct CouchbaseLitePart: Sendable {
  var batch = TransferBatch()
  /// The descriptions of the documents and blobs. Their indexes are the line numbers of the batch.
  var names: [String] = []
  /// The number of rows that were read.
  var rowCount = 0

  mutating func append(_ change: TransferBatch.Change, _ name: String) {
    names.append(name)
    batch.append(change, line: names.count - 1)
  }
}

/// Reads the rows of a Couchbase Lite database and converts them to batches.
///
/// `@unchecked Sendable`: only the thread of ``run()`` accesses the variables until it closes the queue; afterwards,
/// only the thread that received the end of the queue does. The lock of the queue orders these accesses.
final class CouchbaseLiteReader: @unchecked Sendable {
  let queue = ImportQueue<CouchbaseLitePart, Void>(capacity: 2)
  private let file: CouchbaseLiteFile
  private let collections: [(SourceCollection, Collection)]
  private let temporaryFolder: String
  private var summary = CouchbaseLiteImportSummary()
  private var failure: (any Error)?
  private var part = CouchbaseLitePart()
  /// The digests of blobs that this import has added.
  private var knownBlobs: Set<String> = []
  private var dataDocumentCount = 0

  /// The maximum size of ``knownBlobs``. When it is reached, the set is emptied, and a stored blob that a later
  /// document refers to is read again.
  private static let maximumDigestCount = 100_000

  init(_ file: CouchbaseLiteFile, _ collections: [(SourceCollection, Collection)], temporaryFolder: String) {
    self.file = file
    self.collections = collections
    self.temporaryFolder = temporaryFolder
  }

  /// Reads all rows, and closes the queue.
  func run() {
    defer { queue.close() }
    do {
      let parser = try JSONParser()
      for (source, collection) in collections {
        try file.forEachRow(of: source) { row in
          try add(row, to: collection, parser)
          part.rowCount += 1
          if part.batch.isFull(ImportBatch.fullSize(in: collection.engine.store)) { try flush() }
        }
        try flush()
      }
      if dataDocumentCount > 0 {
        summary.addNote("binary data in \(dataDocumentCount) documents was converted to Base64 strings")
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

  private func add(_ row: SourceRow, to collection: Collection, _ parser: JSONParser) throws {
    switch row {
    case .deleted: summary.deletedCount += 1
    case .internalDocument: break
    case .unreadable(let id, let reason):
      summary.addProblem("document \"\(id)\" of \(collection.fullName): \(reason)")
    case .document(let document):
      let name = "document \"\(document.id)\" of \(collection.fullName)"
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
    if let expiration = document.expiration, expiration <= ExpirationTimer.now {
      summary.expiredCount += 1
      return
    }
    try collection.engine.store.checkDocumentID(document.id)
    var json = document.json
    if file.isVersion1 { json = try decompressingAttachments(of: json, parser) }
    // The text is valid JSON, because the reader has written or parsed it.
    let body = try DocumentBody(object: json)
    for digest in SourceBlobs.digests(in: json, parser) where !knownBlobs.contains(digest) {
      try add(blob: digest)
    }
    if document.hasData { dataDocumentCount += 1 }
    if document.isConflicted { summary.conflictCount += 1 }
    let transfer = TransferDocument(collection, id: document.id, PreparedBody(body), expiration: document.expiration)
    part.append(.document(transfer), name)
  }

  /// Adds a blob to the batch. A blob that is missing or does not match its digest is skipped; the document that refers
  /// to it is then rejected when it is saved, unless the blob is already stored.
  private func add(blob digest: String) throws {
    guard let path = file.blobPath(digest: digest) else { return }
    let source = BlobSource.file(path: path)
    let found = try source.digest()
    guard found.digest == digest else {
      summary.addNote("the blob \(digest) is damaged: its content has the digest \(found.digest)")
      return
    }
    // The content is copied from the file when the batch is saved, so it takes no memory.
    append(blob: digest, length: found.length, source)
  }

  private func append(blob digest: String, length: Int64, _ source: BlobSource) {
    if knownBlobs.count >= CouchbaseLiteReader.maximumDigestCount { knownBlobs.removeAll() }
    knownBlobs.insert(digest)
    part.append(.blob(digest: digest, length: length, source), "blob \(digest)")
  }
}

// MARK: - Compressed attachments

extension CouchbaseLiteReader {
  /// Returns a document whose compressed attachments refer to their decompressed content, which is added to the batch.
  ///
  /// The digest of a compressed attachment is that of the compressed file. An attachment whose file is missing or
  /// damaged is left unchanged.
  private func decompressingAttachments(of json: [UInt8], _ parser: JSONParser) throws -> [UInt8] {
    try CompressedAttachments.replacing(in: json, parser) { digest, length in
      guard let path = file.blobPath(digest: digest) else { return nil }
      do {
        let gzip = try GzipFile(path: path, maximumLength: length)
        let spool = try SpoolFile(in: temporaryFolder) { try gzip.read(into: $0) }
        append(blob: spool.digest, length: spool.length, .spool(spool))
        return (spool.digest, spool.length)
      } catch let error as CouchbaseLiteFileError {
        summary.addNote("the compressed blob \(digest) is damaged: \(error.message)")
        return nil
      }
    }
  }
}
