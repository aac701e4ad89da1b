import DocumentStore
import Foundation
import GRDB
import JSONText

extension Database {
  /// Exports the database as JSON Lines, from which ``DatabaseImport`` creates an equivalent database.
  ///
  /// ```swift
  /// try database.exportLines { line in
  ///   try output.write(contentsOf: line + [UInt8(ascii: "\n")])
  /// }
  /// ```
  ///
  /// An export contains the collections, the documents with their ids and expirations, byte for byte, the blobs and the
  /// definitions of indexes. An export of the whole database also contains the names of the steps of
  /// ``DatabaseConfiguration/migrations`` that the database has run. Tombstones, revisions, sequences and the files
  /// that documents were imported from are not exported.
  ///
  /// A line with a document contains `_id`, then `_collection` unless the document is in the default collection, then
  /// the members of the document:
  ///
  /// ```
  /// {"_id":"hotel_1","_collection":"inventory.hotels","name":"Ghia","stars":4}
  /// ```
  ///
  /// All lines are from one snapshot of the database. Other threads and processes can write during the export.
  ///
  /// - Parameters:
  ///   - collections: the collections to export, with the blobs that their documents refer to; nil for the whole
  ///     database.
  ///   - onDamagedDocument: a closure that receives the error for each document whose text is damaged. These documents
  ///     are not exported; ``TransferSummary/damagedCount`` is their number. If the closure is nil or throws an error, the
  ///     export ends.
  ///   - body: a closure that receives each line as UTF-8 bytes without a line feed. If it throws an error, the export
  ///     ends.
  /// - Returns: the numbers of exported documents, collections, blobs and indexes.
  /// - Throws: the errors of the closures, and ``CBLError``:
  ///   - ``CBLError/notOpen`` if the database is closed or one of the collections was deleted.
  ///   - ``CBLError/corruptData`` if the file is damaged, also with `onDamagedDocument` unless only the text of documents
  ///     is damaged.
  /// - Complexity: O(n) in the size of the exported data. Memory use is bounded by the largest document and, if
  ///   `collections` is not nil, the digests of the blobs.
  @discardableResult
  public func exportLines(
    of collections: [Collection]? = nil, onDamagedDocument: ((CBLError) throws -> Void)? = nil,
    _ body: ([UInt8]) throws -> Void
  ) throws -> TransferSummary {
    try withPublicErrors {
      try engine.store.read { db in
        let all = try CollectionCatalog.all(db)
        for collection in collections ?? [] { try CollectionCatalog.require(collection.record, db) }
        let records = collections.map { $0.map(\.record) } ?? all
        return try withoutActuallyEscaping(body) { body in
          var export = DatabaseExport(db: db, engine: engine, onDamagedDocument: onDamagedDocument, body: body)
          try export.writeHeader(migrations: collections == nil ? MigrationLog.names(db) : [])
          for record in records { try export.writeCollection(record) }
          try export.writeBlobs(referencedIn: collections == nil ? nil : records)
          for record in records { try export.writeDocuments(of: record) }
          for record in records { try export.writeIndexes(of: record) }
          return export.summary
        }
      }
    }
  }
}

/// Writes the lines of an export within one read transaction. See the grammar in ExportFormat.swift.
private struct DatabaseExport {
  let db: GRDB.Database
  let engine: DatabaseEngine
  /// Receives the error of each damaged document; nil if the first one ends the export.
  let onDamagedDocument: ((CBLError) throws -> Void)?
  /// Receives each line.
  let body: ([UInt8]) throws -> Void
  /// The numbers of items written so far.
  private(set) var summary = TransferSummary()
  private var writer = JSONWriter()

  init(
    db: GRDB.Database, engine: DatabaseEngine, onDamagedDocument: ((CBLError) throws -> Void)?,
    body: @escaping ([UInt8]) throws -> Void
  ) {
    self.db = db
    self.engine = engine
    self.onDamagedDocument = onDamagedDocument
    self.body = body
  }

  /// Writes the header with the names of the migration steps; if there are none, the member is omitted.
  mutating func writeHeader(migrations: [String]) throws {
    try write { object in
      object.member(ExportKey.header.rawValue, ExportFormat.version)
      guard !migrations.isEmpty else { return }
      object.member(ExportKey.migrations.rawValue) { $0.array { array in migrations.forEach { array.write($0) } } }
    }
  }

  mutating func writeCollection(_ collection: CollectionRecord) throws {
    try write { $0.member(ExportKey.collection.rawValue, collection.name.description) }
    summary.collectionCount += 1
  }

  mutating func writeDocuments(of collection: CollectionRecord) throws {
    var lines = try DocumentLine()
    let reader = DocumentReader(collection, db)
    // The expirations are read only if the collection has any, because reading them takes a query for each document.
    let hasExpirations = try reader.earliestExpiration() != nil
    try reader.forEach { document in
      let expiration = try hasExpirations ? reader.expiration(id: document.id) : nil
      let line: [UInt8]
      do {
        line = try lines.make(document, expiration: expiration, of: collection)
      } catch let error as StoreError where error.kind == .corrupt {
        guard let onDamagedDocument, let error = CBLError.wrapping(error) as? CBLError else { throw error }
        try onDamagedDocument(error)
        summary.damagedCount += 1
        return true
      }
      try body(line)
      summary.documentCount += 1
      return true
    }
  }

  /// Writes the blobs of the file, or only those that the given collections refer to.
  ///
  /// - Parameter collections: the collections whose blobs are written; nil for all blobs of the file.
  mutating func writeBlobs(referencedIn collections: [CollectionRecord]?) throws {
    let blobs = StoredBlobs(db)
    // Documents are parsed for blobs only if the database has blobs.
    guard try Int.fetchOne(db, sql: "SELECT 1 FROM concordance_blob LIMIT 1") != nil else { return }
    let wanted = try collections.map { try blobs.digests(referencedIn: $0, skippingDamaged: onDamagedDocument != nil) }
    try blobs.forEach { blob in
      guard wanted?.contains(blob.digest) ?? true else { return }
      try writePieces(of: blob, blobs)
      summary.blobCount += 1
    }
  }

  /// Writes a blob as lines of ``ExportFormat/pieceSize`` bytes; the last one may be shorter.
  private mutating func writePieces(of blob: StoredBlobs.Entry, _ blobs: StoredBlobs) throws {
    var offset: Int64 = 0
    // The bytes that have been read but not written yet.
    var piece = Data()
    func write(_ piece: Data) throws {
      try self.write { object in
        object.member(ExportKey.blob.rawValue, blob.digest)
        object.member(ExportKey.length.rawValue, blob.length)
        object.member(ExportKey.offset.rawValue, offset)
        object.member(ExportKey.data.rawValue, piece.base64EncodedString())
      }
      offset += Int64(piece.count)
    }
    try blobs.forEachChunk(of: blob) { chunk in
      piece.append(contentsOf: chunk)
      while piece.count >= ExportFormat.pieceSize {
        try write(piece.prefix(ExportFormat.pieceSize))
        piece = Data(piece.dropFirst(ExportFormat.pieceSize))
      }
    }
    if !piece.isEmpty || blob.length == 0 { try write(piece) }
  }

  mutating func writeIndexes(of collection: CollectionRecord) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for index in try engine.indexes(of: collection, db).all {
      let definition = try encoder.encode(index.exportedConfiguration)
      try write { object in
        object.member(ExportKey.index.rawValue, index.name)
        object.member(ExportKey.collection.rawValue, collection.name.description)
        object.member(ExportKey.definition.rawValue) { $0.write(rawJSON: definition) }
      }
      summary.indexCount += 1
    }
  }

  private mutating func write(_ members: (inout JSONWriter) -> Void) throws {
    writer.removeAll()
    writer.object(members)
    try body(writer.bytes)
  }
}
