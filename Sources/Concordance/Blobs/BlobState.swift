import DocumentStore
import Foundation

/// What is known of a blob, and where its content is.
struct BlobState {
  /// Where the content came from. Data and files stay after the blob is stored, as a blob that no document refers to may
  /// be deleted while somebody holds it.
  var origin: BlobOrigin
  /// The digest, once the content was read.
  var digest: String?
  /// The number of bytes, where it is known without looking.
  var length: UInt64?
  /// The database that the content is stored in.
  var owningDatabase: Database?

  /// Whether a database has the content, or is said to have it.
  var isStored: Bool {
    if case .none = origin { return true }
    return owningDatabase != nil
  }

  /// Sees to it that the digest is known, for which content that is not stored yet is read.
  ///
  /// - Parameters:
  ///   - folder: where a stream is copied to.
  ///   - recheckingFile: whether a file that was changed since is read again. Only a save asks for that, before it writes
  ///     the document: the digest in the document and that of the content must be the same.
  mutating func identify(spoolingIn folder: String, recheckingFile: Bool = false) throws {
    guard owningDatabase == nil else { return }
    switch origin {
    case .none, .spool: return
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
    case .stream(let stream):
      do {
        let spool = try stream.spool(in: folder)
        (digest, length) = (spool.digest, UInt64(spool.length))
        origin = .spool(spool)
      } catch {
        // The bytes that were read are lost; another attempt would store the rest as if it were the whole content.
        origin = .failed(CBLError.wrapping(error))
        throw error
      }
    case .failed(let error): throw error
    }
  }
}

/// Where the content of a blob came from.
enum BlobOrigin {
  /// From a database: only its name is known here.
  case none
  case data(Data)
  case file(BlobFile)
  /// Not read yet.
  case stream(InputStream)
  /// The copy of a stream.
  case spool(SpoolFile)
  /// A stream that could not be read to its end.
  case failed(any Error)

  var length: UInt64? {
    switch self {
    case .data(let data): UInt64(data.count)
    case .file(let file): FileStamp(file.path).map { UInt64(clamping: $0.size) }
    case .spool(let spool): UInt64(clamping: spool.length)
    case .none, .stream, .failed: nil
    }
  }

  /// What can be read any number of times.
  var source: BlobSource? {
    switch self {
    case .data(let data): .bytes(data)
    case .file(let file): .file(path: file.path)
    case .spool(let spool): .spool(spool)
    case .none, .stream, .failed: nil
    }
  }
}

/// The file of a blob.
struct BlobFile {
  let path: String
  /// How the file was when its digest was computed.
  var stamp: FileStamp?

  init(_ url: URL) throws {
    guard url.isFileURL else {
      throw CBLError(
        CBLError.invalidParameter, "\(url): not the URL of a file; download it and give the data, a file or a stream")
    }
    path = url.path
    var status = stat()
    guard stat(path, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      throw CBLError(errno == ENOENT ? CBLError.notFound : CBLError.cantOpenFile, "\(path): \(reason)")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CBLError(CBLError.invalidParameter, "\(path): not a regular file; give its content as a stream")
    }
    guard access(path, R_OK) == 0 else {
      throw CBLError(CBLError.cantOpenFile, "\(path): \(String(cString: strerror(errno)))")
    }
  }
}

/// The attributes of a file that change when it is written.
struct FileStamp: Equatable {
  let size: Int64
  private let device: UInt64
  private let number: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// The stamp of a file; nil if it does not exist.
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
