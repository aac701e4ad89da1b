import Foundation

/// Where the bytes of a file come from: the file itself, or the decompressor of a compressed one.
enum FileInput {
  case plain(Int32)
  case compressed(Decompressor)

  /// Reads the next bytes.
  ///
  /// - Returns: how many were read, 0 at the end.
  /// - Throws: ``SystemError``, or ``UndecodableText`` for damaged or unlimited compressed data.
  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    switch self {
    case .plain(let descriptor): try readBytes(descriptor, into: room)
    case .compressed(let decompressor): try decompressor.read(into: room)
    }
  }
}

extension ByteBuffer {
  /// Appends the next bytes of an input.
  ///
  /// - Returns: how many bytes were read, 0 at the end.
  func append(from input: FileInput, atMost size: Int) throws -> Int {
    let before = count
    try fill(atMost: size) { room in try input.read(into: room) }
    return count - before
  }
}

/// read(2), repeated when a signal interrupts it.
func readBytes(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
  while true {
    let result = Foundation.read(descriptor, room.baseAddress, room.count)
    if result >= 0 { return result }
    if errno != EINTR { throw .last }
  }
}
