/// Buffers output so that not every line requires a system call.
struct OutputBuffer {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private static let capacity = 64 << 10

  init(to descriptor: Int32) { self.descriptor = descriptor }

  /// Whether ``drain()`` should be called.
  var isFull: Bool { bytes.count >= OutputBuffer.capacity }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Writes the whole buffer to the file.
  ///
  /// - Returns: the errno value of a failure; nil for success.
  mutating func drain() -> Int32? {
    guard !bytes.isEmpty else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    return writeAll(bytes, to: descriptor)
  }
}
