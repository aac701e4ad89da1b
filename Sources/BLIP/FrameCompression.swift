import CRawDeflate

/// Compresses the frames of one direction as one deflate stream. Each frame ends at a byte boundary; the four trailing
/// bytes `00 00 FF FF` are not sent. Both peers keep the compression window between frames; uncompressed frames do not
/// change it.
final class FrameDeflater {
  private let stream: UnsafeMutablePointer<z_stream>

  /// The maximum number of bytes that stored blocks and the flush add to a compressed frame.
  static let maximumExpansion = 64

  /// The level of compression. Each message ends with a flush, which makes high levels slow: 1 kB documents take 16
  /// µs instead of 57 µs with zlib's default level 6, and become 23% larger.
  private static let level: Int32 = 2

  init() throws(BLIPError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard concordance_rawDeflateInit(stream, FrameDeflater.level) == Z_OK else {
      stream.deallocate()
      throw .outOfMemory
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Appends the compressed content to a frame.
  func append(_ content: ArraySlice<UInt8>, to frame: inout [UInt8]) throws(BLIPError) {
    let capacity = content.count + content.count / 16 + FrameDeflater.maximumExpansion
    var output = [UInt8](repeating: 0, count: capacity)
    var input = Array(content)
    let isDone = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        return deflate(stream, Z_SYNC_FLUSH) == Z_OK && stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0
      }
    }
    let count = capacity - Int(stream.pointee.avail_out)
    guard isDone, count >= 4 else { throw .outOfMemory }
    frame += output[..<(count - 4)]
  }
}

/// Decompresses frames that a ``FrameDeflater`` compressed.
final class FrameInflater {
  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(BLIPError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard concordance_rawInflateInit(stream) == Z_OK else {
      stream.deallocate()
      throw .outOfMemory
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Returns the content of a compressed frame.
  ///
  /// - Parameter limit: the maximum size of the content in bytes. Decompression stops soon after it is exceeded.
  /// - Returns: the content; nil if it is larger than the limit.
  /// - Throws: ``BLIPError/malformedCompression``.
  func inflate(_ frame: ArraySlice<UInt8>, limit: Int) throws(BLIPError) -> [UInt8]? {
    var input = Array(frame) + [0, 0, 0xFF, 0xFF]
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 32 << 10)
    var isMalformed = false
    input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      repeat {
        let (code, count) = buffer.withUnsafeMutableBufferPointer { buffer in
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(buffer.count)
          let code = CRawDeflate.inflate(stream, Z_SYNC_FLUSH)
          return (code, buffer.count - Int(stream.pointee.avail_out))
        }
        content += buffer[..<count]
        // At the end of the input, zlib reports that no progress is possible, which is not an error.
        if code != Z_OK, code != Z_BUF_ERROR || count > 0 { isMalformed = true }
        if code == Z_BUF_ERROR { break }
      } while !isMalformed && content.count <= limit && (stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0)
      if content.count <= limit, stream.pointee.avail_in > 0 { isMalformed = true }
    }
    stream.pointee.next_in = nil
    stream.pointee.next_out = nil
    if isMalformed { throw .malformedCompression }
    return content.count <= limit ? content : nil
  }
}

/// The checksum of one direction: zlib's CRC-32 of the uncompressed payloads of all frames so far.
struct RunningChecksum {
  private(set) var value: UInt32 = 0

  mutating func update(_ bytes: some Collection<UInt8>) {
    let updated = bytes.withContiguousStorageIfAvailable { crc32(UInt(value), $0.baseAddress, UInt32($0.count)) }
    // Empty input does not change the CRC. It may have no storage, and crc32 would return 0 for a null pointer.
    if let updated, !bytes.isEmpty { value = UInt32(truncatingIfNeeded: updated) }
  }

  /// Appends the bytes at the end of a frame.
  func append(to frame: inout [UInt8]) {
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      frame.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Whether the bytes at the end of a frame are the checksum.
  func matches(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } == value }
}
