import CArchive
import Foundation

/// Decompresses a gzip, xz, Zstandard or bzip2 file while reading it: gzip with zlib, the others with libarchive.
/// Checksums are verified for each format that has them.
///
/// Memory use does not depend on the size of the content. A file that is not compressed despite its name is read
/// unchanged.
final class Decompressor {
  private enum Engine {
    case gzip(GzipReader)
    case archive(OpaquePointer)
  }

  private let engine: Engine
  private let limit: Int64
  private var count: Int64 = 0
  /// Whether the file is empty; libarchive then has no data to read.
  private var isEmpty = false

  /// Starts to decompress an open file, which must remain open.
  ///
  /// - Parameter limit: the maximum number of decompressed bytes, regardless of the size that the file declares.
  /// - Throws: ``UndecodableText`` for data that cannot be decompressed, ``SystemError`` if memory cannot be allocated.
  init(_ descriptor: Int32, limit: Int64) throws {
    self.limit = limit
    if GzipReader.canRead(descriptor) {
      engine = .gzip(try GzipReader(descriptor))
      return
    }
    guard let archive = archive_read_new() else { throw SystemError(code: ENOMEM) }
    engine = .archive(archive)
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

  deinit {
    if case .archive(let archive) = engine { archive_read_free(archive) }
  }

  private static let blockSize = 64 << 10

  /// Decompresses the next bytes.
  ///
  /// - Returns: the number of bytes, 0 at the end.
  /// - Throws: ``UndecodableText`` for damaged data or if the limit is exceeded, ``SystemError`` if the file cannot be
  ///   read.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    if isEmpty { return 0 }
    let result = try decompress(into: buffer)
    count += Int64(result)
    guard count <= limit else {
      throw UndecodableText(kind: .tooLarge, reason: "the file has more than \(limit) bytes when it is decompressed")
    }
    return result
  }

  private func decompress(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    switch engine {
    case .gzip(let reader):
      do {
        return try reader.read(into: buffer)
      } catch let fault as GzipFault {
        throw Decompressor.fault(fault.reason)
      }
    case .archive(let archive):
      let result = archive_read_data(archive, buffer.baseAddress, buffer.count)
      guard result >= 0 else { throw Decompressor.fault(archive) }
      return result
    }
  }

  private static func fault(_ archive: OpaquePointer) -> UndecodableText {
    fault(archive_error_string(archive).map { String(cString: $0) } ?? "unknown error")
  }

  private static func fault(_ reason: String) -> UndecodableText {
    UndecodableText(kind: .damaged, reason: "the compressed data is damaged: \(reason)")
  }
}
