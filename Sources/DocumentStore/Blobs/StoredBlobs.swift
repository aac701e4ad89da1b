public import GRDB
public import JSONText
public import SQLiteAccess

/// The blobs in one snapshot of a file, for copying them.
///
/// Unlike ``BlobReader``, which runs a query for every chunk, this reads in the caller's open transaction: every blob
/// that existed when it began can be read to its end, even if it is deleted in the meantime.
public struct StoredBlobs {
  /// A blob of the file.
  public struct Entry: Hashable, Sendable {
    /// The digest that identifies it.
    public let digest: String
    /// The length in bytes.
    public let length: Int64

    fileprivate let id: Int64
  }

  private let db: Database

  /// Creates a view of the blobs that a connection sees.
  public init(_ db: Database) { self.db = db }

  /// Calls `body` with each blob, in the order in which they were stored.
  public func forEach(_ body: (Entry) throws -> Void) throws {
    let statement = try SQLStatement(sql: "SELECT id, digest, length FROM concordance_blob ORDER BY id", in: db)
    defer { statement.reset() }
    while try statement.step() {
      let row = statement.row
      try body(Entry(digest: row.string(1), length: row.int64(2), id: row.int64(0)))
    }
  }

  /// Calls `body` with the content of a blob, chunk by chunk.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/corrupt`` if a chunk is missing, and any error that `body`
  ///   throws.
  public func forEachChunk(of blob: Entry, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let chunks = try SQLStatement(
      cached: "SELECT content FROM concordance_blob_chunk WHERE blob = ? ORDER BY number", in: db)
    defer { chunks.reset() }
    chunks.bind(1, blob.id)
    var length: Int64 = 0
    while try chunks.step() {
      guard let content = chunks.row.bytes(0) else { continue }
      length += Int64(content.count)
      try body(content)
    }
    guard length == blob.length else {
      throw StoreError(
        .corrupt,
        "the blob \(blob.digest) is damaged: only \(length) of its \(blob.length) bytes are stored; restore a copy of the file"
      )
    }
  }

  /// Returns the digests of the blobs that documents of the given collections refer to, whether or not they are stored.
  ///
  /// - Parameters:
  ///   - collections: the collections.
  ///   - skippingDamaged: whether documents whose text is damaged are skipped.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/corrupt`` for a document that cannot be read.
  /// - Complexity: O(n) in the size of the documents.
  public func digests(
    referencedIn collections: [CollectionRecord], skippingDamaged: Bool = false
  ) throws -> Set<String> {
    var digests: Set<String> = []
    let parser = try JSONParser()
    for collection in collections {
      try DocumentReader(collection, db).forEach { document in
        do {
          try BlobReference.forEach(in: document.parsed(by: parser, in: collection)) { digests.insert($0) }
        } catch let error as StoreError where skippingDamaged && error.kind == .corrupt {}
        return true
      }
    }
    return digests
  }
}

extension StoredDocument {
  /// Returns the root of the document's JSON, valid until the parser's next parse.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/corrupt`` if the text is damaged.
  public func parsed(by parser: JSONParser, in collection: CollectionRecord) throws -> JSONElement {
    do {
      return try body.withUnsafeBytes { try parser.parse($0) }
    } catch let error as JSONError where error.kind != .memory {
      throw unreadable("\(error)", in: collection)
    }
  }

  /// Returns the error for a document whose text is damaged.
  public func unreadable(_ reason: String, in collection: CollectionRecord) -> StoreError {
    StoreError(
      .corrupt, "the document \"\(id)\" of \(collection.name) cannot be read (\(reason)); delete it or save it again")
  }
}
