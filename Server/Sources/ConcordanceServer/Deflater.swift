import CDeflate
import HTTPTypes
import NIOCore

/// Compresses a gzip stream with zlib.
final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let isReady: Bool

  /// A fast level: responses are compressed while they are being sent, and higher levels save little.
  private static let level: Int32 = 4
  private static let partSize = 16 << 10

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    isReady = concordance_deflateInit(stream, Deflater.level) == Z_OK
  }

  deinit {
    if isReady { deflateEnd(stream) }
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Compresses a part of the stream.
  ///
  /// - Parameter isLast: whether the stream ends with this part.
  /// - Throws: ``Problem`` if memory is exhausted.
  func compress(_ part: ByteBuffer, isLast: Bool) throws -> ByteBuffer {
    guard isReady else { throw Deflater.failure }
    var input = part
    var result = ByteBuffer()
    try input.withUnsafeMutableReadableBytes { bytes in
      stream.pointee.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_in = UInt32(clamping: bytes.count)
      var isFull = true
      while isFull {
        var status = Z_OK
        result.writeWithUnsafeMutableBytes(minimumWritableBytes: Deflater.partSize) { output in
          stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
          stream.pointee.avail_out = UInt32(clamping: output.count)
          status = deflate(stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
          isFull = stream.pointee.avail_out == 0
          return output.count - Int(stream.pointee.avail_out)
        }
        // `Z_BUF_ERROR` means that there was nothing to compress.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw Deflater.failure }
      }
    }
    return result
  }

  private static let failure = Problem(.internalServerError, "internal_error", "the response could not be compressed")
}
