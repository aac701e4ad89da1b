/// Bytes on their way to a file: a line is not worth a system call.
struct OutputBuffer {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private static let capacity = 64 << 10

  init(to descriptor: Int32) { self.descriptor = descriptor }

  /// Whether it is time to ``drain()``.
  var isFull: Bool { bytes.count >= OutputBuffer.capacity }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Hands everything to the system.
  ///
  /// - Returns: the system's number of what failed.
  mutating func drain() -> Int32? {
    guard !bytes.isEmpty else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    return writeAll(bytes, to: descriptor)
  }
}
