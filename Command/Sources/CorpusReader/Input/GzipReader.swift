import CZlib
import Foundation

/// Decompresses gzip data (RFC 1952) with zlib, which verifies the checksum and the length at the end of each member.
/// libarchive ignores them, so it would accept a damaged file.
///
/// A file may contain several members and, as on tapes, zeros after the last one.
final class GzipReader {
  private let descriptor: Int32
  /// Heap-allocated because zlib rejects a stream whose address has changed.
  private let stream: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutableBufferPointer<UInt8>
  private var isInputAtEnd = false
  private var isBetweenMembers = false
  private var isAtEnd = false

  private static let blockSize = 64 << 10

  /// Returns whether a file begins with gzip data; false for a file that cannot be read at an offset, such as a pipe.
  static func canRead(_ descriptor: Int32) -> Bool {
    var magic: [UInt8] = [0, 0]
    return pread(descriptor, &magic, 2, lseek(descriptor, 0, SEEK_CUR)) == 2 && magic == [0x1F, 0x8B]
  }

  /// Starts to read an open file, which must remain open.
  ///
  /// - Throws: ``SystemError`` if memory cannot be allocated.
  init(_ descriptor: Int32) throws(SystemError) {
    self.descriptor = descriptor
    input = .allocate(capacity: GzipReader.blockSize)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    stream.pointee.next_in = input.baseAddress
    guard concord_inflate_init_gzip(stream) == Z_OK else { throw SystemError(code: ENOMEM) }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// Decompresses the next bytes.
  ///
  /// - Returns: the number of bytes, 0 at the end.
  /// - Throws: ``GzipFault`` for damaged data, ``SystemError`` if the file cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
    stream.pointee.next_out = base.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let wanted = stream.pointee.avail_out
    while stream.pointee.avail_out == wanted, !isAtEnd {
      if isBetweenMembers {
        try beginMember()
        continue
      }
      if stream.pointee.avail_in == 0 { try fill() }
      switch inflate(stream, Z_NO_FLUSH) {
      case Z_OK: continue
      case Z_STREAM_END: isBetweenMembers = true
      case Z_MEM_ERROR: throw SystemError(code: ENOMEM)
      case Z_BUF_ERROR:
        // The next iteration reads more input unless the file ends within a member.
        guard isInputAtEnd else { continue }
        throw GzipFault(reason: "the gzip data ends too early")
      default: throw GzipFault(reason: stream.pointee.msg.map { String(cString: $0) } ?? "invalid gzip data")
      }
    }
    return Int(wanted - stream.pointee.avail_out)
  }

  /// Begins the next member, or detects the end.
  private func beginMember() throws {
    while stream.pointee.avail_in < 2, !isInputAtEnd { try fill() }
    let rest = UnsafeBufferPointer(start: stream.pointee.next_in, count: Int(stream.pointee.avail_in))
    if rest.starts(with: [0x1F, 0x8B]) {
      isBetweenMembers = false
      inflateReset(stream)
    } else if !rest.allSatisfy({ $0 == 0 }) {
      throw GzipFault(reason: "the data after the last member is not gzip data")
    } else if isInputAtEnd {
      isAtEnd = true
    } else {
      stream.pointee.avail_in = 0
    }
  }

  /// Reads more of the file after the bytes that are not yet decompressed.
  private func fill() throws(SystemError) {
    let count = Int(stream.pointee.avail_in)
    guard let base = input.baseAddress, let next = stream.pointee.next_in, count < input.count else { return }
    memmove(base, next, count)
    let buffer = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(input)[count...])
    let result = try readBytes(descriptor, into: buffer)
    isInputAtEnd = result == 0
    stream.pointee.next_in = base
    stream.pointee.avail_in = UInt32(count + result)
  }
}

/// An error for damaged gzip data.
struct GzipFault: Error {
  let reason: String
}
