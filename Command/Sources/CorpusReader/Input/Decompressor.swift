import CArchive
import Foundation

/// Decompresses a file of gzip, xz, Zstandard or bzip2 data as it is read, with libarchive.
///
/// Memory use does not depend on the size of the content. A file that is not compressed in spite of its name is passed through.
final class Decompressor {
  private let archive: OpaquePointer
  private let limit: Int64
  private var count: Int64 = 0
  /// Whether there is nothing in the file: libarchive has no data to read then.
  private var isEmpty = false

  /// Starts to decompress an open file, which must stay open.
  ///
  /// - Parameter limit: the decompressed bytes that may be read; content above it is an error, whatever the file claims.
  /// - Throws: ``UndecodableText`` for data that cannot be decompressed, ``SystemError`` when memory is short.
  init(_ descriptor: Int32, limit: Int64) throws {
    guard let archive = archive_read_new() else { throw SystemError(code: ENOMEM) }
    self.archive = archive
    self.limit = limit
    archive_read_support_filter_gzip(archive)
    archive_read_support_filter_xz(archive)
    archive_read_support_filter_zstd(archive)
    archive_read_support_filter_bzip2(archive)
    archive_read_support_format_raw(archive)
    archive_read_support_format_empty(archive)
    var entry: OpaquePointer?
    guard archive_read_open_fd(archive, descriptor, Decompressor.blockSize) == ARCHIVE_OK else {
      throw Decompressor.fault(archive)
    }
    let status = archive_read_next_header(archive, &entry)
    isEmpty = status == ARCHIVE_EOF
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN || isEmpty else { throw Decompressor.fault(archive) }
  }

  deinit { archive_read_free(archive) }

  private static let blockSize = 64 << 10

  /// Decompresses the next bytes.
  ///
  /// - Returns: how many there were, 0 at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(UndecodableText) -> Int {
    if isEmpty { return 0 }
    let result = archive_read_data(archive, room.baseAddress, room.count)
    guard result >= 0 else { throw Decompressor.fault(archive) }
    count += Int64(result)
    guard count <= limit else {
      throw UndecodableText(kind: .tooLarge, reason: "the file has more than \(limit) bytes when it is decompressed")
    }
    return result
  }

  private static func fault(_ archive: OpaquePointer) -> UndecodableText {
    let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"
    return UndecodableText(kind: .damaged, reason: "the compressed data is damaged: \(reason)")
  }
}
