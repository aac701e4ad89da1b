/// Reads numbers of fixed width, the least significant byte first, from bytes that may be anything.
struct LittleEndianReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = UnsafeRawBufferPointer(bytes) }

  /// How many bytes are left.
  var count: Int { bytes.count - position }

  /// The next number; nil where there are not enough bytes.
  mutating func next<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
    guard count >= MemoryLayout<Number>.size else { return nil }
    defer { position += MemoryLayout<Number>.size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: type))
  }

  /// All bytes that are left.
  mutating func rest() -> [UInt8] {
    defer { position = bytes.count }
    return Array(bytes[position...])
  }
}

extension [UInt8] {
  /// Appends a number for a ``LittleEndianReader``.
  mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
