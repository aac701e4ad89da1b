import CouchbaseLiteFile
import DocumentStore
import Foundation
import JSONText

/// A run of ``Database/importCouchbaseLite(at:into:existing:progress:)-(URL,_,_,_)``.
///
/// The rows are read and written on the calling thread, because converting a document of 1 kB takes only a fraction of
/// the time that saving it takes.
final class CouchbaseLiteImport {
  private let database: Database
  private let target: Collection?
  private let existing: DatabaseImport.ExistingDocuments
  private let progress: ((Int, Int) -> Void)?
  private var summary = CouchbaseLiteImportSummary()
  /// The changes that have been read but not saved yet.
  private var batch = TransferBatch()
  /// The descriptions of the documents of ``batch``. Their indexes are the line numbers of the batch.
  private var names: [String] = []
  private var starts = StartSequences()
  /// The numbers of documents and blobs that were saved.
  private var saved = TransferSummary()
  /// The digests of blobs that this import has stored.
  private var storedBlobs: Set<String> = []
  private var rowCount = 0
  private var totalRowCount = 0
  private var dataDocumentCount = 0

  /// The maximum number of ``storedBlobs``. When it is reached, the set is emptied, and a stored blob is read again if
  /// a later document refers to it.
  private static let maximumDigestCount = 100_000

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
    let folder = database.path.map { PathComponents.folder(of: $0) } ?? FileManager.default.temporaryDirectory.path
    let file = try CouchbaseLiteFile(path: path, temporaryFolder: folder.isEmpty ? "." : folder)
    totalRowCount = try file.rowCount()
    let parser = try JSONParser()
    for source in file.collections {
      let collection = try collection(for: source)
      summary.collectionCount += 1
      try file.forEachRow(of: source) { row in
        try add(row, to: collection, file, parser)
        rowCount += 1
        if batch.isFull { try flush() }
      }
      try flush()
    }
    // This is checked before indexes are built, because building them can take a long time.
    try file.requireUnchanged()
    if dataDocumentCount > 0 {
      summary.addNote("binary data in \(dataDocumentCount) documents was converted to Base64 strings")
    }
    for index in try file.indexes() { try create(index) }
    for omission in try file.omissions() { summary.addNote("\(omission) not imported") }
    return summary
  }

  private func collection(for source: SourceCollection) throws -> Collection {
    if let target { return target }
    if source == .default { return try database.defaultCollection() }
    return try database.createCollection(name: source.name, scope: source.scope)
  }

  private func add(
    _ row: SourceRow, to collection: Collection, _ file: CouchbaseLiteFile, _ parser: JSONParser
  ) throws {
    switch row {
    case .deleted: summary.deletedCount += 1
    case .internalDocument: break
    case .unreadable(let id, let reason):
      summary.addProblem("document \"\(id)\" of \(collection.fullName): \(reason)")
    case .document(let document):
      let name = "document \"\(document.id)\" of \(collection.fullName)"
      do {
        try add(document, name, to: collection, file, parser)
      } catch let error as StoreError where CouchbaseLiteImport.documentErrors.contains(error.kind) {
        summary.addProblem("\(name): \(error.message)")
      }
    }
  }

  /// The kinds of errors that concern a single document. The import continues after them.
  private static let documentErrors: Set<StoreErrorKind> = [
    .badDocumentID, .notJSON, .tooLarge, .notFound, .cannotOpen, .io,
  ]

  private func add(
    _ document: SourceDocument, _ name: String, to collection: Collection, _ file: CouchbaseLiteFile,
    _ parser: JSONParser
  ) throws {
    let expiration = document.expiration.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    if let expiration, expiration <= Date() {
      summary.expiredCount += 1
      return
    }
    try DocumentStore.DocumentIDRule.check(document.id)
    // The text is valid JSON, because the reader has written or parsed it.
    let body = try DocumentBody(object: document.json)
    let digests = SourceBlobs.digests(in: document.json, parser)
    for digest in digests where !storedBlobs.contains(digest) {
      try add(blob: digest, file)
    }
    if document.hasData { dataDocumentCount += 1 }
    if document.isConflicted { summary.conflictCount += 1 }
    names.append(name)
    batch.append(
      .document(collection, id: document.id, body, expiration: expiration), line: names.count - 1,
      size: body.bytes.count)
  }

  /// Adds a blob to the batch. A blob that is missing or does not match its digest is skipped; the document that refers
  /// to it is then refused when it is saved, unless the blob is already stored.
  private func add(blob digest: String, _ file: CouchbaseLiteFile) throws {
    guard let path = file.blobPath(digest: digest) else { return }
    let source = BlobSource.file(path: path)
    let found = try source.digest()
    guard found.digest == digest else {
      summary.addNote("the blob \(digest) is damaged: its content has the digest \(found.digest)")
      return
    }
    if storedBlobs.count >= CouchbaseLiteImport.maximumDigestCount { storedBlobs.removeAll() }
    storedBlobs.insert(digest)
    names.append("blob \(digest)")
    // The content is copied from the file when the batch is saved, so it takes no memory.
    batch.append(.blob(digest: digest, length: found.length, source), line: names.count - 1, size: 0)
  }

  /// Saves the batch.
  private func flush() throws {
    while !batch.isEmpty {
      var failure: (line: Int, error: CBLError)?
      let (result, count) = try batch.write(to: database, existing, saved, startingAt: &starts) { failure = ($0, $1) }
      saved = result
      batch.removeFirst(count)
      if let failure { summary.addProblem("\(names[failure.line]): \(failure.error.message)") }
    }
    names.removeAll(keepingCapacity: true)
    (summary.documentCount, summary.skippedCount, summary.blobCount) = (
      saved.documentCount, saved.skippedCount, saved.blobCount
    )
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

/// Finds the blobs that a document refers to.
enum SourceBlobs {
  /// Returns the digests of all blobs in a document.
  static func digests(in text: [UInt8], _ parser: JSONParser) -> [String] {
    // Few documents contain blobs, and a byte search for digests is much faster than parsing.
    let mayContain = text.withUnsafeBytes { contains(mark: Array("\"sha1".utf8), before: UInt8(ascii: "-"), $0) }
    guard mayContain, let root = try? text.withUnsafeBytes({ try parser.parse($0) }) else { return [] }
    var digests: [String] = []
    collect(root, &digests)
    return digests
  }

  /// Returns whether a text contains `mark` followed by `last`. The search looks for `last`, because it is rare.
  private static func contains(mark: [UInt8], before last: UInt8, _ text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress else { return false }
    var start = 0
    while start < text.count, let found = memchr(base + start, Int32(last), text.count - start) {
      let index = UnsafeRawPointer(found) - base
      if index >= mark.count, text[(index - mark.count)..<index].elementsEqual(mark) { return true }
      start = index + 1
    }
    return false
  }

  private static func collect(_ element: JSONElement, _ digests: inout [String]) {
    switch element.kind {
    case .array: element.forEachElement { collect($0, &digests) }
    case .object:
      if element["@type"]?.string == "blob" || element["_cbltype"]?.string == "blob",
        let digest = element["digest"]?.string
      {
        digests.append(digest)
      }
      element.forEachMember { collect($1, &digests) }
    default: break
    }
  }
}
