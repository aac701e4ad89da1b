import Foundation

/// A temporary file for the content of many blobs. With one file for each blob, a document with thousands of blobs
/// would need thousands of open files until it is stored.
///
/// ```
/// file of a blob ──► copied to the end of the shared file ──► range of the shared file
/// ```
///
/// The shared file is closed when none of its blobs is in use, and is not used for further blobs when it is large.
///
/// `@unchecked Sendable`: `lock` protects the variables.
public final class SharedSpool: @unchecked Sendable {
  /// The length in bytes above which a blob keeps its own file, which avoids the copy. 1,000 such blobs take 16 GB.
  static let maximumBlobLength: Int64 = 16 << 20
  /// The length in bytes at which another shared file is begun, so that the space of earlier blobs becomes free.
  static let maximumLength: Int64 = 256 << 20

  private let folder: String
  private let lock = NSLock()
  private weak var file: FileDescriptor?
  private var length: Int64 = 0

  /// Creates a spool without a file.
  ///
  /// - Parameter folder: the folder of the temporary file.
  public init(in folder: String) { self.folder = folder.isEmpty ? "." : folder }

  /// Moves the content of a spool file to the shared file. Returns the file itself if it is large.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/io`` or ``StoreErrorKind/diskFull``.
  /// - Complexity: O(n) in time, O(1) in memory.
  public func moving(_ spool: SpoolFile) throws -> SpoolFile {
    guard spool.length <= SharedSpool.maximumBlobLength else { return spool }
    let (file, start) = try reserve(spool.length)
    var offset = start
    try BlobSource.spool(spool).forEachChunk { chunk in
      try file.write(chunk, at: offset)
      offset += Int64(chunk.count)
    }
    return SpoolFile(file, offset: start, digest: spool.digest, length: spool.length)
  }

  /// Reserves a range of the shared file, and returns the file and the start of the range.
  private func reserve(_ count: Int64) throws -> (FileDescriptor, Int64) {
    lock.lock()
    defer { lock.unlock() }
    if let file, length < SharedSpool.maximumLength {
      defer { length += count }
      return (file, length)
    }
    let new = try FileDescriptor(temporaryIn: folder)
    file = new
    length = count
    return (new, 0)
  }
}
