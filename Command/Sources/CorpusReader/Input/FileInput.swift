import Foundation

/// The input of a file: the file itself, or the decompressor of a compressed file.
enum FileInput {
  case plain(Int32)
  case compressed(Decompressor)

  /// Reads the next bytes.
  ///
  /// - Returns: the number of bytes read, 0 at the end.
  /// - Throws: ``SystemError``, or ``UndecodableText`` for compressed data that is damaged or exceeds the limit.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    switch self {
    case .plain(let descriptor): try readBytes(descriptor, into: buffer)
    case .compressed(let decompressor): try decompressor.read(into: buffer)
    }
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
