import Foundation
import GRDB
public import JSONText
import PatternMatching
import SQLiteAccess

extension WriteTransaction {
  /// Returns the length of the blob with this digest, or nil if it is not stored.
  ///
  /// - Complexity: O(log n).
  public func blobLength(digest: String) throws -> Int64? { try Blobs.length(digest: digest, db) }

  /// Stores a blob, unless a blob with this digest is already stored.
  ///
  /// - Parameters:
  ///   - digest: the digest that ``BlobSource/digest()`` computed.
  ///   - length: the length in bytes that it computed.
  ///   - source: the source of the content, which is read once.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/contentChanged`` if the content no longer has this digest, and
  ///   any error of the source. In both cases, no part of the blob is stored, and the transaction can continue.
  /// - Complexity: O(n) in the length; O(1) in memory.
  public func storeBlob(digest: String, length: Int64, from source: BlobSource) throws {
    try requireIntact()
    guard try blobLength(digest: digest) == nil else { return }
    let statement = try SQLStatement(cached: "INSERT INTO concordance_blob (digest, length) VALUES (?, ?)", in: db)
    statement.bind(2, length)
    try statement.withText(1, digest) { try statement.run() }
    let id = statement.lastInsertedRowID
    do {
      guard try copy(source, to: id, length: length) == digest else {
        throw StoreError(
          .contentChanged,
          "\(source): the content changed while it was being saved; save it again when no program is writing to it")
      }
    } catch {
      try removePartialBlob(id, after: error)
      throw error
    }
  }

  /// Copies the content chunk by chunk and hashes the copy, because the content may have changed since the digest was
  /// computed.
  ///
  /// - Returns: The digest of the copy, or nil if its length is not `length`.
  private func copy(_ source: BlobSource, to id: Int64, length: Int64) throws -> String? {
    let hasher = try BlobHasher()
    let insert = try SQLStatement(
      sql: "INSERT INTO concordance_blob_chunk (blob, number, content) VALUES (?, ?, ?)", in: db)
    var number: Int64 = 0
    // The pages of a large blob are not read again, but SQLite would fill its cache with them.
    var previousCacheSize: Int?
    // An error is ignored: a connection with the smaller cache is only slower.
    defer { if let previousCacheSize { try? setCacheSize(previousCacheSize) } }
    let next = try source.makeReader()
    while let chunk = try next() {
      if number == 16 {
        previousCacheSize = try Int.fetchOne(db, sql: "PRAGMA cache_size")
        try setCacheSize(-4 << 10)
      }
      try chunk.withUnsafeBytes { bytes in
        try hasher.update(bytes)
        insert.bind(1, id)
        insert.bind(2, number)
        insert.bind(3, blob: bytes)
        try insert.run()
      }
      number += 1
      // Otherwise, copying a file that grows as fast as it is read would never end.
      guard hasher.length <= length else { return nil }
    }
    return hasher.length == length ? try hasher.finish() : nil
  }

  /// Sets the size of the page cache: in pages if it is positive, in KiB if it is negative.
  private func setCacheSize(_ size: Int) throws { try db.execute(sql: "PRAGMA cache_size = \(size)") }

  /// Removes a partially stored blob. A savepoint would do the same, but forces FTS5 to write its pending terms for
  /// each document of a batch; see ``Store/writeInsideOpenTransaction(_:)``.
  private func removePartialBlob(_ id: Int64, after error: any Error) throws {
    // If SQLite has rolled back the transaction, no partial blob is left, and a deletion would be committed
    // immediately.
    try requireIntact()
    do {
      try Blobs.delete(id: id, db)
    } catch {
      fail(error)
    }
  }
}

extension Store {
  /// Returns the length of the blob with this digest, or nil if it is not stored, as of the last commit or this
  /// thread's batch.
  public func blobLength(digest: String) throws -> Int64? { try read { try Blobs.length(digest: digest, $0) } }
}

extension BlobSource: CustomStringConvertible {
  /// The location of the content, for messages.
  public var description: String {
    switch self {
    case .bytes: "data in memory"
    case .file(let path): path
    case .spool: "the copy of a stream"
    case .stored(let store, let digest): "\(store.path), blob \(digest)"
    }
  }
}

/// Access to the rows of blobs.
enum Blobs {
  static func length(digest: String, _ db: Database) throws -> Int64? {
    let statement = try SQLStatement(cached: "SELECT length FROM concordance_blob WHERE digest = ?", in: db)
    defer { statement.reset() }
    return try statement.withText(1, digest) { try statement.step() ? statement.row.int64(0) : nil }
  }

  static func digests(_ db: Database) throws -> Set<String> {
    var digests: Set<String> = []
    let statement = try SQLStatement(cached: "SELECT digest FROM concordance_blob", in: db)
    defer { statement.reset() }
    while try statement.step() { digests.insert(statement.row.string(0)) }
    return digests
  }

  /// Deletes a blob and its chunks.
  static func delete(id: Int64, _ db: Database) throws {
    let statement = try SQLStatement(cached: "DELETE FROM concordance_blob WHERE id = ?", in: db)
    statement.bind(1, id)
    try statement.run()
  }

  /// Deletes the blob with this digest.
  ///
  /// - Returns: Its length in bytes, or nil if there was none.
  static func delete(digest: String, _ db: Database) throws -> Int64? {
    let statement = try SQLStatement(cached: "SELECT id, length FROM concordance_blob WHERE digest = ?", in: db)
    let found: (id: Int64, length: Int64)? = try statement.withText(1, digest) {
      defer { statement.reset() }
      return try statement.step() ? (statement.row.int64(0), statement.row.int64(1)) : nil
    }
    guard let found else { return nil }
    try delete(id: found.id, db)
    return found.length
  }
}

extension WriteTransaction {
  /// Returns the digests of the blobs that a document refers to but that are not stored.
  public func missingBlobs(in body: DocumentBody, parser: JSONParser) throws -> [String] {
    var missing: [String] = []
    let root = try body.bytes.withUnsafeBytes { try parser.parse($0) }
    try BlobReference.forEach(in: root) { digest in
      if try blobLength(digest: digest) == nil { missing.append(digest) }
    }
    return missing
  }
}

extension DocumentBody {
  /// Returns the digests of the blobs that the document refers to.
  ///
  /// - Complexity: O(n) in the size of the text, which is parsed only if it may contain a reference.
  public func blobDigests() throws -> [String] { try blobReferences().map(\.digest) }

  /// Returns the digests, the content types and the stated lengths of the blobs that the document refers to.
  ///
  /// - Complexity: as ``blobDigests()``.
  public func blobReferences() throws -> [(digest: String, contentType: String?, length: Int64?)] {
    guard mayReferenceBlobs else { return [] }
    return try JSONParser.withShared { parser in
      var references: [(digest: String, contentType: String?, length: Int64?)] = []
      let root = try bytes.withUnsafeBytes { try parser.parse($0) }
      BlobReference.forEachWithMetadata(in: root) { references.append(($0, $1, $2)) }
      return references
    }
  }

  /// Whether the text may contain a reference to a blob. If false, the text need not be parsed to find references.
  public var mayReferenceBlobs: Bool { DocumentBody.mayReferenceBlobs(bytes) }

  /// Whether a text may contain a reference to a blob.
  public static func mayReferenceBlobs(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { text in
      // Local, because a static constant is checked for its initialization each time it is read.
      let t = SIMD32<UInt8>(repeating: UInt8(ascii: "t"))
      let quotation = SIMD32<UInt8>(repeating: UInt8(ascii: "\""))
      let backslash = SIMD32<UInt8>(repeating: UInt8(ascii: "\\"))
      let u = SIMD32<UInt8>(repeating: UInt8(ascii: "u"))
      let y = SIMD32<UInt8>(repeating: UInt8(ascii: "y"))
      var position = 0
      // Neither pattern is frequent, so nearly all blocks are skipped.
      while position + 36 <= text.count {
        let block = text.loadUnaligned(fromByteOffset: position, as: SIMD32<UInt8>.self)
        let next = text.loadUnaligned(fromByteOffset: position + 1, as: SIMD32<UInt8>.self)
        let fifth = text.loadUnaligned(fromByteOffset: position + 4, as: SIMD32<UInt8>.self)
        let isFound =
          (block .== t .& next .== y .& fifth .== quotation) .| (block .== backslash .& next .== u)
        if isAny(isFound), DocumentBody.mayBeReference(text, position..<position + 32) { return true }
        position += 32
      }
      return DocumentBody.mayBeReference(text, position..<text.count)
    }
  }

  /// Whether the key `@type` or `_cbltype` ends at an offset, or an escaped ASCII character of such a key begins there,
  /// as in `"\u0040type"`, which is rare.
  private static func mayBeReference(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    func matches(_ bytes: [UInt8], _ start: Int) -> Bool {
      start >= 0 && start + bytes.count <= text.count
        && bytes.indices.allSatisfy { text[start + $0] == bytes[$0] }
    }
    return range.contains { start in
      switch text[start] {
      case UInt8(ascii: "t"):
        matches(typeKeys[0], start - 1) || matches(typeKeys[1], start - 4)
      case UInt8(ascii: "\\"):
        matches(escape, start) && start + 4 < text.count
          && (UInt8(ascii: "4")...UInt8(ascii: "7")).contains(text[start + 4])
      default: false
      }
    }
  }

  /// The keys with the quotation mark after them.
  private static let typeKeys = ["@type\"", "_cbltype\""].map { Array($0.utf8) }
  private static let escape = Array("\\u00".utf8)
}

/// Returns whether any element is set. The standard library's `any` examines them one by one.
private func isAny(_ mask: SIMDMask<SIMD32<Int8>>) -> Bool {
  let words = unsafeBitCast(mask, to: SIMD4<UInt64>.self)
  return words[0] | words[1] | words[2] | words[3] != 0
}
