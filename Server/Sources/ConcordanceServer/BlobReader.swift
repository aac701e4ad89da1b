import Concordance
import Foundation
import HTTPTypes
import Synchronization

/// Reads the content of a blob in chunks.
final class BlobReader: Sendable {
  static let partSize = 256 << 10
  /// The number of bytes that are skipped between two checks for cancellation.
  static let skippedSize = 16 << 20

  private let stream: Mutex<InputStream>

  init?(_ blob: Blob) {
    guard let stream = blob.contentStream else { return nil }
    stream.open()
    self.stream = Mutex(stream)
  }

  deinit { stream.withLock { $0.close() } }

  func skip(_ count: Int) throws {
    var remaining = count
    while remaining > 0 { remaining -= try read(min(remaining, BlobReader.partSize)).count }
  }

  /// Reads up to `count` bytes.
  ///
  /// - Throws: ``Problem`` if the content ends early because it was deleted or the database was closed.
  func read(_ count: Int) throws -> [UInt8] {
    try stream.withLock { stream in
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = buffer.baseAddress.map { max(0, stream.read($0, maxLength: count)) } ?? 0
      }
      guard !bytes.isEmpty else {
        throw Problem(.internalServerError, "internal_error", "the content of the blob ends prematurely")
      }
      return bytes
    }
  }
}
