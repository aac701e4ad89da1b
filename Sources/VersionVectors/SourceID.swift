/// The author of versions: a database file.
public struct SourceID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 16 bytes: the public UUID of a database, or a reserved value.
  public let bytes: [UInt8]

  /// The number of bytes.
  public static let size = 16

  /// The author of versions that were converted from the revision ids of Couchbase Lite 3 and earlier.
  public static let revisionTree = SourceID(text: "Revision+Tree+Encoding") ?? SourceID()

  /// Creates an id from 16 bytes; nil for any other number of bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == SourceID.size else { return nil }
    self.bytes = Array(bytes)
  }

  private init() { bytes = [UInt8](repeating: 0, count: SourceID.size) }

  /// Parses 22 characters of Base64 without padding; nil for any other text.
  public init?(text: some StringProtocol) {
    guard text.utf8.count == 22, let bytes = Base64.decode(text.utf8) else { return nil }
    self.init(bytes)
  }

  /// The id as 22 characters of Base64.
  public var description: String { Base64.encode(bytes) }

  /// Compares the bytes of two ids.
  public static func < (one: SourceID, other: SourceID) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }
}

/// Base64 without padding.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8?] = (0...255).map { byte in
    digits.firstIndex(of: UInt8(byte)).map { UInt8($0) }
  }

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(digits[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { text.append(digits[Int(bits << UInt32(6 - count) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes text. Returns nil if it contains other characters, or nonzero bits after the last whole byte.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for character in text {
      guard let value = values[Int(character)] else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    guard count < 6, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
    return bytes
  }
}
