public import Foundation
import SQLiteAccess

/// Reads a stored blob chunk by chunk.
///
/// ```swift
/// var reader = BlobReader(store, digest: digest)
/// while let chunk = try reader.next() { output.write(chunk) }
/// ```
///
/// No transaction is open between two chunks, so a slow reader neither occupies a connection nor prevents checkpoints
/// of the write-ahead log. The digest identifies the content, so concurrent writes cannot change it; if the blob is
/// deleted in the meantime, the reader throws.
public struct BlobReader: Sendable {
  private let store: Store
  private let digest: String
  private var number: Int64 = 0
  private var offset: Int64 = 0

  /// Creates a reader at the start of a blob.
  public init(_ store: Store, digest: String) {
    self.store = store
    self.digest = digest
  }

  /// Returns the next chunk, or nil after the last.
  ///
  /// - Throws: ``StoreError``: ``StoreErrorKind/noSuchBlob``; ``StoreErrorKind/corrupt`` if a chunk is missing.
  public mutating func next() throws -> Data? {
    guard let part = try store.blobPart(digest: digest, number: number) else {
      throw StoreError(.noSuchBlob, "\(store.path): there is no blob \(digest); it was deleted, or never saved")
    }
    if offset == part.length { return nil }
    guard let content = part.content, !content.isEmpty, offset + Int64(content.count) <= part.length else {
      throw StoreError(
        .corrupt,
        "\(store.path): the blob \(digest) is damaged at byte \(offset) of \(part.length); restore a copy of the file, "
          + "or save the content again after deleting the documents that refer to it")
    }
    number += 1
    offset += Int64(content.count)
    return content
  }
}

/// A chunk of a blob, and the length of the whole blob.
struct BlobPart {
  let length: Int64
  /// The content of the chunk; nil if no chunk has the requested number: after the end, or in a damaged file.
  let content: Data?

  /// Selects a chunk by its number (first parameter) and the digest (second parameter).
  static let selection = """
    SELECT length, content FROM concordance_blob
    LEFT JOIN concordance_blob_chunk ON blob = id AND number = ? WHERE digest = ?
    """

  /// Reads the current row of ``selection``.
  init(_ row: StatementRow) {
    length = row.int64(0)
    content = row.bytes(1).map { Data($0) }
  }
}
