import DocumentStore
public import Foundation
import Synchronization

/// Binary content of any size that documents refer to, such as a picture, a PDF or a recording.
///
/// ```swift
/// let blob = Blob(contentType: "image/jpeg", data: jpeg)
/// try hotels.save(document: MutableDocument(id: "hotel_1").setBlob(blob, forKey: "picture"))
/// blob.digest    // sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=
/// ```
///
/// A document contains the digest, the length and the content type of the blob. The content is stored in the same file
/// when the document is saved, only once, however many documents refer to it. The digest is the SHA-1 of the content,
/// as in Couchbase Lite. ``Database/performMaintenance(type:)`` with ``MaintenanceType/compact`` deletes content that
/// no document refers to.
///
/// Read a blob with a getter of the document:
///
/// ```swift
/// if let picture = try hotels.document(id: "hotel_1")?.blob(forKey: "picture") {
///   print(picture.contentType ?? "", picture.length)
/// }
/// ```
///
/// For large content, create blobs from files or streams and read them with ``contentStream``, so that the whole
/// content is never in memory at once. A blob is immutable and can be used from any thread.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of `condition`. The lock is held while data or a file
/// is read to compute its digest, but not while a stream of the program is read or content is copied into a database.
public final class Blob: @unchecked Sendable {
  /// The value of ``typeProperty`` in the JSON form of a blob: `blob`.
  public static let blobType = "blob"
  /// The name of the property that distinguishes blobs from other objects: `@type`.
  public static let typeProperty = "@type"
  /// The name of the property that contains the digest: `digest`.
  public static let blobDigestProperty = "digest"
  /// The name of the property that contains the length in bytes: `length`.
  public static let blobLengthProperty = "length"
  /// The name of the property that contains the content type: `content_type`.
  public static let blobContentType = "content_type"

  /// The content type, by convention a MIME type; nil if it is unknown.
  public let contentType: String?

  /// Signalled when a stream has been read.
  private let condition = NSCondition()
  private var state: BlobState {
    didSet { isStatePrepared.store(state.isPrepared, ordering: .releasing) }
  }
  /// A copy of `state.isPrepared`. It is set under the lock and read without it.
  private let isStatePrepared = Atomic(false)

  /// Creates a blob from content in memory.
  ///
  /// - Parameters:
  ///   - contentType: the content type, such as `image/jpeg`.
  ///   - data: the content.
  public init(contentType: String, data: Data) {
    self.contentType = contentType
    state = BlobState(origin: .data(data))
  }

  /// Creates a blob from a stream.
  ///
  /// The stream is read once, from its current position to its end, when the blob is saved or its content is read. If
  /// reading fails, saving the blob throws the error.
  ///
  /// ```swift
  /// guard let stream = InputStream(fileAtPath: "recording.wav") else { return }
  /// let recording = Blob(contentType: "audio/wav", contentStream: stream)
  /// ```
  ///
  /// - Parameters:
  ///   - contentType: the content type.
  ///   - contentStream: the stream, which must not be used for anything else afterwards.
  public init(contentType: String, contentStream: InputStream) {
    self.contentType = contentType
    state = BlobState(origin: .stream(contentStream))
  }

  /// Creates a blob from a file.
  ///
  /// The file is read when the blob is saved and must not change during the save. Afterwards, it is no longer needed.
  ///
  /// ```swift
  /// let picture = try Blob(contentType: "image/jpeg", fileURL: URL(fileURLWithPath: "hotel.jpg"))
  /// ```
  ///
  /// - Parameters:
  ///   - contentType: the content type.
  ///   - fileURL: the URL of the file.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the URL is not a file URL, or the file is not a regular file.
  ///   - ``CBLError/notFound`` if the file does not exist.
  ///   - ``CBLError/cantOpenFile`` if it cannot be read.
  public init(contentType: String, fileURL: URL) throws {
    self.contentType = contentType
    state = BlobState(origin: .file(try BlobFile(fileURL)))
  }

  /// Creates a blob that a document refers to.
  ///
  /// - Parameter database: the database that contains the content; nil if it is unknown.
  init(digest: String, length: UInt64?, contentType: String?, database: Database?) {
    self.contentType = contentType
    state = BlobState(origin: .none, digest: digest, length: length, owningDatabase: database)
    isStatePrepared.store(state.isPrepared, ordering: .releasing)
  }

  /// Whether ``prepare(for:)`` has nothing to read. Does not wait while another thread computes the digest, so it can
  /// be used in asynchronous functions; it is false then.
  var isPrepared: Bool { isStatePrepared.load(ordering: .acquiring) }

  /// Calls `body` with the state, under the lock.
  func withState<T>(_ body: (inout BlobState) throws -> T) rethrows -> T {
    try condition.withLock { try body(&state) }
  }

  /// Returns the stream, so that the caller reads it, and passes the result to ``finishReading(_:)``. Waits while
  /// another thread reads it.
  ///
  /// - Returns: the stream; nil if the blob has none or it has been read.
  /// - Throws: ``CBLError/ioError`` if this thread is reading it.
  func takeStream() throws -> InputStream? {
    let thread = UInt(pthread_self())
    return try condition.withLock {
      while case .reading(let reader) = state.origin {
        guard reader != thread else {
          throw CBLError(
            CBLError.ioError,
            "the stream of a blob uses the content of the same blob; return the bytes without using the blob")
        }
        condition.wait()
      }
      guard case .stream(let stream) = state.origin else { return nil }
      state.origin = .reading(thread: thread)
      return stream
    }
  }

  /// Stores the result of reading the stream.
  func finishReading(_ update: (inout BlobState) -> Void) {
    condition.withLock {
      update(&state)
      condition.broadcast()
    }
  }

  /// The digest of the content: `sha1-` followed by the SHA-1 in Base64; nil until the blob is stored in a database.
  public var digest: String? { withState { $0.isStored ? $0.digest : nil } }

  /// The length of the content in bytes; 0 for a stream that has not been read to its end yet.
  public var length: UInt64 { knownLength ?? 0 }

  var knownLength: UInt64? {
    let state = withState { $0 }
    if let length = state.length { return length }
    if let length = state.origin.length { return length }
    guard let owningDatabase = state.owningDatabase, let digest = state.digest else { return nil }
    // The length is unknown if the database is closed or damaged.
    return (try? owningDatabase.engine.store.blobLength(digest: digest)).map { UInt64(clamping: $0) }
  }
}

extension Blob: Equatable, Hashable {
  /// Returns whether two blobs have the same content. The content types are not compared. A blob whose content cannot
  /// be read equals only itself.
  ///
  /// - Complexity: O(1) for stored blobs; O(n) in the length for other blobs, which are read once.
  public static func == (blob1: Blob, blob2: Blob) -> Bool {
    if blob1 === blob2 { return true }
    guard let digest = blob1.contentDigest() else { return false }
    return digest == blob2.contentDigest()
  }

  /// Hashes the digest. Content that is not stored yet is read once to compute it.
  public func hash(into hasher: inout Hasher) { hasher.combine(contentDigest()) }
}

extension Blob: CustomStringConvertible {
  /// The content type and the length: `Blob[image/jpeg; 12034 bytes]`.
  public var description: String {
    "Blob[\(contentType ?? "unknown type"); \(knownLength.map { "\($0) bytes" } ?? "a stream")]"
  }
}
