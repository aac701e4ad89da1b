/// Reads a payload of a segment from its beginning. Every read is bounds-checked.
///
/// Numbers are stored with seven bits per byte, lowest bits first; the high bit of a byte is set if another byte
/// follows.
struct PayloadReader {
  private let payload: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// - Parameter payload: the payload, which must outlive the reader.
  init(_ payload: UnsafeBufferPointer<UInt8>) { self.payload = payload }

  var isAtEnd: Bool { position >= payload.count }
  /// The number of remaining bytes.
  var count: Int { payload.count - position }

  /// Reads a byte.
  @inline(__always)
  mutating func byte() throws(SegmentDamage) -> UInt8 {
    guard position < payload.count else { throw .truncated }
    defer { position += 1 }
    return payload[position]
  }

  /// Reads a number.
  @inline(__always)
  mutating func number() throws(SegmentDamage) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift < 64 else { throw .badNumber }
    }
  }

  /// Reads a number that must not exceed a limit.
  @inline(__always)
  mutating func number(upTo limit: Int) throws(SegmentDamage) -> Int {
    let value = try number()
    guard value <= UInt64(limit) else { throw .badNumber }
    return Int(value)
  }

  /// Reads a row or another number of 32 bits.
  @inline(__always)
  mutating func number32() throws(SegmentDamage) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(upTo: Int(UInt32.max)))
  }

  /// Reads a floating-point number of 64 bits.
  mutating func double() throws(SegmentDamage) -> Double {
    let bytes = try bytes(8)
    return Double(bitPattern: UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self)))
  }

  /// Reads bytes.
  mutating func bytes(_ count: Int) throws(SegmentDamage) -> UnsafeBufferPointer<UInt8> {
    guard count >= 0, count <= self.count else { throw .truncated }
    defer { position += count }
    return UnsafeBufferPointer(rebasing: payload[position..<position + count])
  }

  /// Throws unless the whole payload was read.
  func finish() throws(SegmentDamage) {
    guard isAtEnd else { throw .badNumber }
  }
}

extension [UInt8] {
  /// Calls `body` with a reader of the bytes.
  func reading<T>(_ body: (inout PayloadReader) throws -> T) rethrows -> T {
    try withUnsafeBufferPointer { bytes in
      var reader = PayloadReader(bytes)
      return try body(&reader)
    }
  }

  /// Appends a number as ``PayloadReader`` reads it.
  @inline(__always)
  mutating func appendNumber(_ number: some BinaryInteger) {
    var rest = UInt64(truncatingIfNeeded: number)
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a floating-point number of 64 bits.
  mutating func appendDouble(_ number: Double) {
    Swift.withUnsafeBytes(of: number.bitPattern.littleEndian) { append(contentsOf: $0) }
  }
}
