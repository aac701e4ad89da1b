import Foundation
import GRDB
public import JSONText

extension WriteTransaction {
  /// The bytes of the blob with this digest, or nil when it is not stored.
  ///
  /// - Complexity: O(log n).
  public func blobLength(digest: String) throws -> Int64? { try Blobs.length(digest: digest, db) }

  /// Stores a blob, unless one with its digest is stored.
  ///
  /// - Parameters:
  ///   - digest: what names it, as ``BlobSource/digest()`` computed it.
  ///   - length: its bytes, counted at the same time.
  ///   - source: where the content is read from, once.
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/contentChanged`` where the content has another digest by now, and
  ///   what the source throws. Nothing of the blob is left then, and the transaction can go on.
  /// - Complexity: O(n) in the length; O(1) in memory.
  public func storeBlob(digest: String, length: Int64, from source: BlobSource) throws {
    try requireSound()
    guard try blobLength(digest: digest) == nil else { return }
    let statement = try SQLStatement(cached: "INSERT INTO concordance_blob (digest, length) VALUES (?, ?)", in: db)
    statement.bind(2, length)
    try statement.withText(1, digest) { try statement.run() }
    let id = statement.lastInsertedRowID
    do {
      guard try copy(source, to: id, length: length) == digest else {
        throw StoreError(
          .contentChanged,
          "\(source): the content changed while it was being saved; save it again when nobody writes to it")
      }
    } catch {
      try removeHalfOfBlob(id, after: error)
      throw error
    }
  }

  /// Copies the content chunk by chunk, and hashes what is copied: what was hashed before may be something else by now.
  ///
  /// - Returns: the digest of what was copied, or nil where that has another length.
  private func copy(_ source: BlobSource, to id: Int64, length: Int64) throws -> String? {
    let hasher = try BlobHasher()
    let insert = try SQLStatement(
      sql: "INSERT INTO concordance_blob_chunk (blob, number, content) VALUES (?, ?, ?)", in: db)
    var number: Int64 = 0
    // Nobody reads the pages of a large blob again, but SQLite would fill its cache with them.
    var usualCacheSize: Int?
    // It is a hint: a connection on which it cannot be set is only slower.
    defer { if let usualCacheSize { try? setCacheSize(usualCacheSize) } }
    let next = try source.makeReader()
    while let chunk = try next() {
      if number == 16 {
        usualCacheSize = try Int.fetchOne(db, sql: "PRAGMA cache_size")
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
      // A file that grows as fast as it is read would never end.
      guard hasher.length <= length else { return nil }
    }
    return hasher.length == length ? try hasher.finish() : nil
  }

  /// In pages, or below 0 in KiB.
  private func setCacheSize(_ size: Int) throws { try db.execute(sql: "PRAGMA cache_size = \(size)") }

  /// A savepoint would do as well, but costs each document of a batch the terms that FTS5 has gathered; see
  /// ``Store/writeInsideOpenTransaction(_:)``.
  private func removeHalfOfBlob(_ id: Int64, after error: any Error) throws {
    // A transaction that SQLite has rolled back holds no half, and what is deleted now would be deleted at once.
    try requireSound()
    do {
      try Blobs.delete(id: id, db)
    } catch {
      fail(error)
    }
  }
}

extension Store {
  /// The bytes of the blob with this digest, or nil when it is not stored, as the last commit or the batch of this thread
  /// left it.
  public func blobLength(digest: String) throws -> Int64? { try read { try Blobs.length(digest: digest, $0) } }
}

extension BlobSource: CustomStringConvertible {
  /// The place of the content, for messages.
  public var description: String {
    switch self {
    case .bytes: "data in memory"
    case .file(let path): path
    case .spool: "the copy of a stream"
    case .stored(let store, let digest): "\(store.path), blob \(digest)"
    }
  }
}

/// The rows of blobs.
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

  /// Deletes a blob; its chunks go with it.
  static func delete(id: Int64, _ db: Database) throws {
    let statement = try SQLStatement(cached: "DELETE FROM concordance_blob WHERE id = ?", in: db)
    statement.bind(1, id)
    try statement.run()
  }

  /// Deletes the blob with this digest.
  ///
  /// - Returns: how many bytes it had, or nil when there was none.
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
  /// The digests of blobs that a document refers to and that are not stored.
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
  /// Whether the text may hold a reference: most texts do not, and need not be parsed for them.
  public var mayReferToBlobs: Bool {
    bytes.withUnsafeBytes { text in
      if DocumentBody.typeKeys.contains(where: { text.firstIndex(of: $0, from: 0) != nil }) { return true }
      // A key may have letters of ASCII as escapes, `"\u0040type"`; hardly any text has.
      var position = 0
      while let escape = text.firstIndex(of: DocumentBody.escape, from: position) {
        position = escape + DocumentBody.escape.count
        if position < text.count, text[position] >= UInt8(ascii: "4"), text[position] <= UInt8(ascii: "7") {
          return true
        }
      }
      return false
    }
  }

  private static let typeKeys = ["@type", "_cbltype"].map { Array($0.utf8) }
  private static let escape = Array("\\u00".utf8)
}

extension UnsafeRawBufferPointer {
  /// The index at which a sequence of bytes begins next.
  fileprivate func firstIndex(of bytes: [UInt8], from start: Int) -> Int? {
    guard let base = baseAddress else { return nil }
    var position = start
    while position < count, let found = memchr(base + position, Int32(bytes[0]), count - position) {
      position = UnsafeRawPointer(found) - base
      if self[position...].starts(with: bytes) { return position }
      position += 1
    }
    return nil
  }
}
