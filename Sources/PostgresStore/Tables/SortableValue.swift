/// Values of SQLite as bytes whose order is that of the values: NULL, numbers, texts, blobs.
///
/// Equal values have equal bytes, also 1 and 1.0; ``type(of:)`` keeps the difference.
enum SortableValue {
  private enum Tag {
    static let null: UInt8 = 0x10
    static let number: UInt8 = 0x20
    static let text: UInt8 = 0x30
    static let blob: UInt8 = 0x40
  }

  private enum NumberType {
    static let integer: UInt8 = 0
    static let double: UInt8 = 1
    static let negativeZero: UInt8 = 2
  }

  static let null = [Tag.null]

  static func encode(_ value: RemoteValue) -> [UInt8] {
    switch value {
    case .null: null
    case .integer(let number): encode(number)
    case .double(let number): encode(number, difference: 0)
    case .text(let bytes): [Tag.text] + bytes
    case .blob(let bytes): [Tag.blob] + bytes
    }
  }

  /// Returns the byte that ``decode(_:)`` needs after the bytes of a value.
  static func type(of value: RemoteValue) -> UInt8 {
    switch value {
    case .double(let number) where number == 0 && number.sign == .minus: NumberType.negativeZero
    case .double: NumberType.double
    default: NumberType.integer
    }
  }

  /// Returns the value of encoded bytes that are followed by the byte of its type.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> RemoteValue {
    guard let tag = bytes.first, let type = bytes.last, bytes.count > 1 else { return .null }
    let value = UnsafeRawBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
    switch tag {
    case Tag.number where value.count == 10:
      let ordered = UInt64(bigEndian: value.loadUnaligned(as: UInt64.self))
      let double = Double(bitPattern: ordered >> 63 == 1 ? ordered ^ 1 << 63 : ~ordered)
      if type == NumberType.negativeZero { return .double(-0.0) }
      if type == NumberType.double { return .double(double) }
      let biased = UInt16(bigEndian: value.loadUnaligned(fromByteOffset: 8, as: UInt16.self))
      // Within the range of integers, the double is exact, and at most 2^63.
      guard let base = Int128(exactly: double) else { return .double(double) }
      return Int64(exactly: base + Int128(biased) - 0x8000).map { .integer($0) } ?? .double(double)
    case Tag.text: return .text(Array(value))
    case Tag.blob: return .blob(Array(value))
    default: return .null
    }
  }

  /// Integers near 2^63 share doubles, whose distance is 1024, so the difference follows the double.
  private static func encode(_ number: Int64) -> [UInt8] {
    let double = Double(number)
    guard let base = Int128(exactly: double) else { return encode(double, difference: 0) }
    return encode(double, difference: Int128(number) - base)
  }

  private static func encode(_ number: Double, difference: Int128) -> [UInt8] {
    let bits = (number == 0 ? 0 : number).bitPattern
    let ordered = bits >> 63 == 1 ? ~bits : bits | 1 << 63
    let biased = UInt16(truncatingIfNeeded: difference + 0x8000)
    return [Tag.number] + withUnsafeBytes(of: ordered.bigEndian) { Array($0) }
      + withUnsafeBytes(of: biased.bigEndian) { Array($0) }
  }
}
