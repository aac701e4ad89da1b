/// The author of versions: a database file.
public struct SourceID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The 16 bytes as two big-endian numbers: vectors are compared and stored for every replicated document, so an id
  /// must not require a separate allocation.
  private let high: UInt64
  private let low: UInt64

  /// The number of bytes.
  public static let size = 16

  /// The length of the text.
  static let textLength = 22

  /// The author of versions that were converted from the revision ids of Couchbase Lite 3 and earlier.
  public static let revisionTree = SourceID(text: "Revision+Tree+Encoding") ?? SourceID()

  /// Creates an id from 16 bytes; nil for any other number of bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == SourceID.size else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private init() { (high, low) = (0, 0) }

  /// Parses 22 characters of Base64 without padding; nil for any other text.
  public init?(text: some StringProtocol) { self.init(utf8: Array(text.utf8)[...]) }

  init?(utf8 text: ArraySlice<UInt8>) {
    guard text.count == SourceID.textLength else { return nil }
    var (high, low) = (UInt64(0), UInt64(0))
    var last: UInt8 = 0
    for (position, character) in text.enumerated() {
      last = Base64.values[Int(character)]
      guard last < 64 else { return nil }
      // The last character contains two bits of the id and four bits that are 0.
      let width: UInt64 = position == SourceID.textLength - 1 ? 2 : 6
      high = high << width | low >> (64 - width)
      low = low << width | UInt64(last) >> (6 - width)
    }
    guard last & 0xF == 0 else { return nil }
    self.high = high
    self.low = low
  }

  /// The public UUID of a database, or a reserved value.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(SourceID.size)
    append(to: &bytes)
    return bytes
  }

  func append(to bytes: inout [UInt8]) {
    for word in [high, low] {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
  }

  /// The id as 22 characters of Base64.
  public var description: String {
    var text: [UInt8] = []
    appendText(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  func appendText(to text: inout [UInt8]) {
    var (high, low) = (high, low)
    for _ in 1..<SourceID.textLength {
      text.append(Base64.digits[Int(high >> 58)])
      high = high << 6 | low >> 58
      low <<= 6
    }
    text.append(Base64.digits[Int(high >> 58)])
  }

  /// Compares the bytes of two ids.
  public static func < (one: SourceID, other: SourceID) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}

/// The characters of Base64.
private enum Base64 {
  static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The value of each byte; 255 for a byte that is not a digit.
  static let values: [UInt8] = (0...255).map { byte in
    digits.firstIndex(of: UInt8(byte)).map { UInt8($0) } ?? 255
  }
}
