import DocumentStore
import Foundation

/// The metadata of a blob, and the sources of its content.
struct BlobState {
  /// The source that the blob was created from. Data and files are kept after the blob is stored, because maintenance
  /// may delete a stored blob that no document refers to while the program still uses it.
  var origin: BlobOrigin
  /// The digest; nil until the content is read.
  var digest: String?
  /// The length in bytes, if it is known.
  var length: UInt64?
  /// The database that the content is stored in.
  var owningDatabase: Database?

  /// Whether a database contains the content. A blob that was read from a document is assumed to be stored.
  var isStored: Bool {
    if case .none = origin { return true }
    return owningDatabase != nil
  }

  /// Whether the digest is known and need not be computed again.
  var isPrepared: Bool {
    // A file that is not stored may have changed.
    if case .file = origin, owningDatabase == nil { return false }
    return digest != nil
  }

  /// Computes the digest of data or a file if it is unknown. The digest of a stream is computed when the stream is
  /// read.
  ///
  /// - Parameter recheckingFile: whether to read a file again if it has changed since its digest was computed. Only
  ///   saves do this, before they write the document, because the digest in the document must match the content.
  mutating func identify(recheckingFile: Bool = false) throws {
    guard owningDatabase == nil else { return }
    switch origin {
    case .none, .spool, .stream, .reading: return
    case .data(let data):
      guard digest == nil else { return }
      digest = try BlobSource.bytes(data).digest().digest
      length = UInt64(data.count)
    case .file(var file):
      let stamp = FileStamp(file.path)
      guard digest == nil || (recheckingFile && stamp != file.stamp) else { return }
      file.stamp = stamp
      let found = try BlobSource.file(path: file.path).digest()
      digest = found.digest
      length = UInt64(found.length)
      origin = .file(file)
    case .failed(let error): throw error
    }
  }
}

/// The source that a blob was created from.
enum BlobOrigin {
  /// No source: the blob was read from a document, or its temporary file was deleted after it was stored.
  case none
  case data(Data)
  case file(BlobFile)
  /// A stream that has not been read yet.
  case stream(InputStream)
  /// A stream that a thread is reading.
  case reading(thread: UInt)
  /// The temporary file that a stream was copied to.
  case spool(SpoolFile)
  /// A stream that failed before its end.
  case failed(any Error)

  /// Whether it is a stream that has not been read to its end.
  var isUnread: Bool {
    switch self {
    case .stream, .reading: true
    case .none, .data, .file, .spool, .failed: false
    }
  }

  var length: UInt64? {
    switch self {
    case .data(let data): UInt64(data.count)
    case .file(let file): FileStamp(file.path).map { UInt64(clamping: $0.size) }
    case .spool(let spool): UInt64(clamping: spool.length)
    case .none, .stream, .reading, .failed: nil
    }
  }

  /// The source, if it can be read any number of times.
  var source: BlobSource? {
    switch self {
    case .data(let data): .bytes(data)
    case .file(let file): .file(path: file.path)
    case .spool(let spool): .spool(spool)
    case .none, .stream, .reading, .failed: nil
    }
  }
}

/// A file that a blob was created from.
struct BlobFile {
  let path: String
  /// The stamp of the file when its digest was computed.
  var stamp: FileStamp?

  init(_ url: URL) throws {
    guard url.isFileURL else {
      throw CBLError(
        CBLError.invalidParameter, "\(url): not a file URL; download the content and pass data, a file or a stream")
    }
    path = url.path
    var status = stat()
    guard stat(path, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      throw CBLError(errno == ENOENT ? CBLError.notFound : CBLError.cantOpenFile, "\(path): \(reason)")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CBLError(CBLError.invalidParameter, "\(path): not a regular file; pass its content as a stream")
    }
    guard access(path, R_OK) == 0 else {
      throw CBLError(CBLError.cantOpenFile, "\(path): \(String(cString: strerror(errno)))")
    }
  }
}

/// The attributes of a file that are compared to detect a change.
struct FileStamp: Equatable {
  let size: Int64
  private let device: UInt64
  private let number: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// Reads the stamp of a file. Returns nil if the file does not exist.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    size = Int64(status.st_size)
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
