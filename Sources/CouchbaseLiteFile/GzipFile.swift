import CGzip
import SQLiteAccess

/// A file compressed with gzip (RFC 1952), such as an attachment of Couchbase Lite 1.0 or 1.1.
///
/// zlib verifies the checksum and the length at the end of the file.
public final class GzipFile {
  private let file: gzFile
  private let path: String
  private let maximumLength: Int64
  private var length: Int64 = 0

  /// Opens a file.
  ///
  /// - Parameter maximumLength: the maximum length of the decompressed content in bytes.
  /// - Throws: ``CouchbaseLiteFileError`` if the file cannot be opened or is not a gzip file.
  public init(path: String, maximumLength: Int64) throws {
    guard let file = gzopen(path, "rb") else {
      throw CouchbaseLiteFileError(.unreadable, "\(path): cannot be opened")
    }
    self.file = file
    self.path = path
    self.maximumLength = maximumLength
    gzbuffer(file, 64 << 10)
    // zlib passes uncompressed files through unchanged.
    guard gzdirect(file) == 0 else { throw CouchbaseLiteFileError(.damaged, "\(path): not a gzip file") }
  }

  deinit { gzclose(file) }

  /// Decompresses the next bytes.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  /// - Throws: ``CouchbaseLiteFileError`` if the file is damaged or its content is longer than the maximum.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = Int(gzread(file, buffer.baseAddress, UInt32(clamping: buffer.count)))
    var code: Int32 = 0
    let message = gzerror(file, &code)
    // For a truncated file, zlib returns the bytes up to its end, then 0 with this code.
    guard count > 0 || count == 0 && code != Z_BUF_ERROR else {
      throw CouchbaseLiteFileError(.damaged, "\(path): \(message.map { String(cString: $0) } ?? "damaged gzip data")")
    }
    length += Int64(count)
    guard length <= maximumLength else {
      throw CouchbaseLiteFileError(.damaged, "\(path): longer than the \(maximumLength) bytes stated in its document")
    }
    return count
  }
}
