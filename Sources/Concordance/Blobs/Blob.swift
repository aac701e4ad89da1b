import DocumentStore
public import Foundation

/// Binary content of any size that documents refer to: a picture, a PDF, a recording.
///
/// ```swift
/// let blob = Blob(contentType: "image/jpeg", data: jpeg)
/// try database.saveBlob(blob: blob)
/// blob.digest    // sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=
/// ```
///
/// A document holds the blob's digest, length and type; the content stands beside the documents in the same file, once for
/// each content, however many documents refer to it. The digest is the SHA-1 of the content, as in Couchbase Lite. What no
/// document refers to any more is deleted by ``Database/performMaintenance(type:)`` with ``MaintenanceType/compact``.
///
/// Content that may be large belongs into a file or a stream: saving and reading it then needs little memory, see
/// ``contentStream``. A blob does not change, and may be used from any thread.
///
/// `@unchecked Sendable`: `state` is reached only under `lock`. It is held while content is read for its digest, and not
/// while content is copied into a database.
public final class Blob: @unchecked Sendable {
  /// What ``typeProperty`` holds in the JSON form of a blob.
  public static let blobType = "blob"
  /// The property that tells a blob from other objects: `@type`.
  public static let typeProperty = "@type"
  /// The property that holds the digest.
  public static let blobDigestProperty = "digest"
  /// The property that holds the length in bytes.
  public static let blobLengthProperty = "length"
  /// The property that holds the type of the content.
  public static let blobContentType = "content_type"

  /// The type of the content, by convention a MIME type; nil where it is not known.
  public let contentType: String?

  private let lock = NSLock()
  private var state: BlobState

  /// A blob with content in memory.
  ///
  /// - Parameters:
  ///   - contentType: the type of the content, such as `image/jpeg`.
  ///   - data: the content.
  public init(contentType: String, data: Data) {
    self.contentType = contentType
    state = BlobState(origin: .data(data))
  }

  /// A blob with the content of a stream, from where it stands to its end.
  ///
  /// The stream is read once, when the blob is saved or its content is asked for: into a temporary file, so that it may be
  /// large and slow. An error of the stream is thrown by the save.
  ///
  /// - Parameters:
  ///   - contentType: the type of the content.
  ///   - contentStream: the stream, which nobody else may use from now on.
  public init(contentType: String, contentStream: InputStream) {
    self.contentType = contentType
    state = BlobState(origin: .stream(contentStream))
  }

  /// A blob with the content of a file.
  ///
  /// The file is read when the blob is saved. It may not change while it is being saved; afterwards it is not needed.
  ///
  /// - Parameters:
  ///   - contentType: the type of the content.
  ///   - fileURL: the file.
  /// - Throws: ``CBLError``: ``CBLError/invalidParameter`` for a URL of something else, or of what is no file;
  ///   ``CBLError/notFound``; ``CBLError/cantOpenFile``.
  public init(contentType: String, fileURL: URL) throws {
    self.contentType = contentType
    state = BlobState(origin: .file(try BlobFile(fileURL)))
  }

  /// A blob that a document refers to.
  ///
  /// - Parameter database: where its content stands; nil where it is not known.
  init(digest: String, length: UInt64?, contentType: String?, database: Database?) {
    self.contentType = contentType
    state = BlobState(origin: .none, digest: digest, length: length, home: database)
  }

  /// Calls `body` with the state while nobody else has it.
  func withState<T>(_ body: (inout BlobState) throws -> T) rethrows -> T {
    try lock.withLock { try body(&state) }
  }

  /// The digest of the content, `sha1-` and the SHA-1 in Base64; nil until the blob is stored in a database.
  public var digest: String? { withState { $0.isStored ? $0.digest : nil } }

  /// The number of bytes; 0 for a stream that was not read yet.
  public var length: UInt64 { knownLength ?? 0 }

  var knownLength: UInt64? {
    let state = withState { $0 }
    if let length = state.length { return length }
    if let length = state.origin.length { return length }
    guard let home = state.home, let digest = state.digest else { return nil }
    // Of a database that is closed or damaged the length is not known.
    return (try? home.engine.store.blobLength(digest: digest)).map { UInt64(clamping: $0) }
  }
}

extension Blob: Equatable, Hashable {
  /// Whether both have the same content. The type of the content does not count.
  ///
  /// - Complexity: O(1) for blobs that are stored; others are read once. Blobs whose content cannot be read are equal to
  ///   themselves alone.
  public static func == (blob1: Blob, blob2: Blob) -> Bool {
    if blob1 === blob2 { return true }
    guard let digest = blob1.contentDigest() else { return false }
    return digest == blob2.contentDigest()
  }

  /// Hashes the digest, for which content that is not stored yet is read once.
  public func hash(into hasher: inout Hasher) { hasher.combine(contentDigest()) }
}

extension Blob: CustomStringConvertible {
  /// The type and the length: `Blob[image/jpeg; 12034 bytes]`.
  public var description: String {
    "Blob[\(contentType ?? "unknown type"); \(knownLength.map { "\($0) bytes" } ?? "a stream")]"
  }
}
