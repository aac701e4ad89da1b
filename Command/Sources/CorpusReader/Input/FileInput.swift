import Foundation

/// The input of a file: the file itself, the decompressor of a compressed file, or bytes in memory.
enum FileInput {
  case plain(Int32)
  case compressed(Decompressor)
  case memory(MemoryInput)

  /// Reads the next bytes.
  ///
  /// - Returns: the number of bytes read, 0 at the end.
  /// - Throws: ``SystemError``, or ``UndecodableText`` for compressed data that is damaged or exceeds the limit.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    switch self {
    case .plain(let descriptor): try readBytes(descriptor, into: buffer)
    case .compressed(let decompressor): try decompressor.read(into: buffer)
    case .memory(let memory): memory.read(into: buffer)
    }
  }
}

/// A file in memory: an attachment, or a member of an archive.
final class MemoryInput {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<(position + count)])
    position += count
    return count
  }
}

extension ByteBuffer {
  /// Appends the next bytes of an input.
  ///
  /// - Returns: the number of bytes read, 0 at the end.
  func append(from input: FileInput, atMost size: Int) throws -> Int {
    let before = count
    try fill(atMost: size) { buffer in try input.read(into: buffer) }
    return count - before
  }
}

/// Calls read(2), and repeats it if a signal interrupts it.
func readBytes(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
  while true {
    let result = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
    if result >= 0 { return result }
    if errno != EINTR { throw .last }
  }
}
