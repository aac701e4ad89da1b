import DocumentStore
public import Foundation

/// Binary content of any size that documents refer to: a picture, a PDF, a recording.
///
/// ```swift
/// let blob = Blob(contentType: "image/jpeg", data: jpeg)
/// try hotels.save(document: MutableDocument(id: "hotel_1").setBlob(blob, forKey: "picture"))
/// blob.digest    // sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=
/// ```
///
/// A document contains the digest, length and type of the blob. The content is stored in the same file, once for all
/// documents that refer to it. The digest is the SHA-1 of the content, as in Couchbase Lite.
/// ``Database/performMaintenance(type:)`` with ``MaintenanceType/compact`` deletes content that no document refers to.
///
/// Use a file or a stream for large content: saving and reading it then needs little memory, see ``contentStream``. A
/// blob is immutable and can be used from any thread.
///
/// `@unchecked Sendable`: `state` is accessed only under `lock`. The lock is held while content is read to compute its
/// digest, and not while content is copied into a database.
public final class Blob: @unchecked Sendable {
  /// The value of ``typeProperty`` in the JSON form of a blob: `blob`.
  public static let blobType = "blob"
  /// The property by which blobs differ from other objects: `@type`.
  public static let typeProperty = "@type"
  /// The property with the digest: `digest`.
  public static let blobDigestProperty = "digest"
  /// The property with the length in bytes: `length`.
  public static let blobLengthProperty = "length"
  /// The property with the type of the content: `content_type`.
  public static let blobContentType = "content_type"

  /// The type of the content, by convention a MIME type; nil if it is not known.
  public let contentType: String?

  private let lock = NSLock()
  private var state: BlobState

  /// Makes a blob of content in memory.
  ///
  /// - Parameters:
  ///   - contentType: the type of the content, such as `image/jpeg`.
  ///   - data: the content.
  public init(contentType: String, data: Data) {
    self.contentType = contentType
    state = BlobState(origin: .data(data))
  }

  /// Makes a blob of the content of a stream, from its current position to its end.
  ///
  /// The stream is read once into a temporary file, when the blob is saved or its content is read. Saving the blob
  /// throws an error of the stream.
  ///
  /// - Parameters:
  ///   - contentType: the type of the content.
  ///   - contentStream: the stream, which must not be used by anything else from now on.
  public init(contentType: String, contentStream: InputStream) {
    self.contentType = contentType
    state = BlobState(origin: .stream(contentStream))
  }

  /// Makes a blob of the content of a file.
  ///
  /// The file is read when the blob is saved. It must not change while it is being saved; afterwards it is not needed.
  ///
  /// - Parameters:
  ///   - contentType: the type of the content.
  ///   - fileURL: the URL of the file.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` for a URL that is not that of a file.
  ///   - ``CBLError/notFound`` if the file does not exist.
  ///   - ``CBLError/cantOpenFile`` if it cannot be read.
  public init(contentType: String, fileURL: URL) throws {
    self.contentType = contentType
    state = BlobState(origin: .file(try BlobFile(fileURL)))
  }

  /// A blob that a document refers to.
  ///
  /// - Parameter database: where its content stands; nil where it is not known.
  init(digest: String, length: UInt64?, contentType: String?, database: Database?) {
    self.contentType = contentType
    state = BlobState(origin: .none, digest: digest, length: length, owningDatabase: database)
  }

  /// Calls `body` with the state, under the lock.
  func withState<T>(_ body: (inout BlobState) throws -> T) rethrows -> T {
    try lock.withLock { try body(&state) }
  }

  /// The digest of the content: `sha1-` and the SHA-1 in Base64; nil until the blob is stored in a database.
  public var digest: String? { withState { $0.isStored ? $0.digest : nil } }

  /// The number of bytes; 0 for a stream that is not read yet.
  public var length: UInt64 { knownLength ?? 0 }

  var knownLength: UInt64? {
    let state = withState { $0 }
    if let length = state.length { return length }
    if let length = state.origin.length { return length }
    guard let owningDatabase = state.owningDatabase, let digest = state.digest else { return nil }
    // Of a database that is closed or damaged the length is not known.
    return (try? owningDatabase.engine.store.blobLength(digest: digest)).map { UInt64(clamping: $0) }
  }
}

extension Blob: Equatable, Hashable {
  /// Returns whether both have the same content. The type of the content does not matter.
  ///
  /// - Complexity: O(1) for stored blobs; others are read once. A blob whose content cannot be read equals only itself.
  public static func == (blob1: Blob, blob2: Blob) -> Bool {
    if blob1 === blob2 { return true }
    guard let digest = blob1.contentDigest() else { return false }
    return digest == blob2.contentDigest()
  }

  /// Hashes the digest. Content that is not stored yet is read once.
  public func hash(into hasher: inout Hasher) { hasher.combine(contentDigest()) }
}

extension Blob: CustomStringConvertible {
  /// The type and the length: `Blob[image/jpeg; 12034 bytes]`.
  public var description: String {
    "Blob[\(contentType ?? "unknown type"); \(knownLength.map { "\($0) bytes" } ?? "a stream")]"
  }
}
