public import JSONText
import TextAnalysis

/// Encodes JSON values as sort keys: byte strings whose bytewise order is that of CouchDB's view collation.
///
/// ```swift
/// let encoder = try SortKeyEncoder()
/// encoder.key(of: .string("a")).lexicographicallyPrecedes(encoder.key(of: .string("B")))   // true
/// ```
///
/// The order is null, false, true, numbers, strings, arrays, objects. Each value begins with a byte for its type:
///
/// | type | bytes after the type |
/// |---|---|
/// | number | the nearest double in 8 bytes, then its difference from the number in 2 bytes, which is 0 for a double |
/// | string | the sort key of ICU's root collation, which has no zero byte, then 0 |
/// | array | the elements, then 0 |
/// | object | a string and a value for each member, in the order of the members, then 0 |
///
/// A zero byte is lower than every type byte, so an array sorts before longer arrays that start with it. No key is a
/// prefix of another key. Strings that differ only in characters that the collation ignores, such as U+200B, have equal
/// keys.
///
/// An instance must be used on one thread at a time.
public final class SortKeyEncoder {
  private let collator: Collator

  /// Creates an encoder.
  ///
  /// - Throws: `AnalyzerError` if ICU has no collation data.
  public init() throws { collator = try Collator(CollationOptions(isUnicode: true)) }

  /// The version of the encoding. Keys of different versions cannot be compared.
  public static var version: String { "1;icu=\(Collator.version)" }

  /// Returns the sort key of a value.
  public func key(of value: JSONValue) -> [UInt8] {
    var key: [UInt8] = []
    append(value, to: &key)
    return key
  }

  private func append(_ value: JSONValue, to key: inout [UInt8]) {
    switch value {
    case .null: key.append(SortKeyType.null)
    case .boolean(let boolean): key.append(boolean ? SortKeyType.true : SortKeyType.false)
    case .int64(let number): append(Double(number), of: Int128(number), to: &key)
    case .uint64(let number): append(Double(number), of: Int128(number), to: &key)
    case .double(let number): append(number, of: nil, to: &key)
    case .string(let string): append(string, to: &key)
    case .array(let elements):
      key.append(SortKeyType.array)
      for element in elements { append(element, to: &key) }
      key.append(SortKeyType.end)
    case .object(let members):
      key.append(SortKeyType.object)
      for member in members {
        append(member.key, to: &key)
        append(member.value, to: &key)
      }
      key.append(SortKeyType.end)
    }
  }

  private func append(_ string: String, to key: inout [UInt8]) {
    key.append(SortKeyType.string)
    key += collator.sortKey(string)
    key.append(SortKeyType.end)
  }

  /// Appends a number. Rounding to a double preserves the order; the remainder orders integers with equal doubles.
  private func append(_ rounded: Double, of integer: Int128?, to key: inout [UInt8]) {
    key.append(SortKeyType.number)
    // Negative zero equals zero. JSON has no NaN.
    let bits = (rounded == 0 ? 0 : rounded).bitPattern
    let ordered = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    for shift in stride(from: 56, through: 0, by: -8) {
      key.append(UInt8(truncatingIfNeeded: ordered >> UInt64(shift)))
    }
    // A 64-bit integer differs from its nearest double by at most 1,024.
    let remainder = integer.map { Int($0 - Int128(rounded)) } ?? 0
    let biased = UInt16(clamping: remainder + 0x8000)
    key.append(UInt8(biased >> 8))
    key.append(UInt8(biased & 0xFF))
  }
}

/// The type bytes, with which each value in a sort key starts.
enum SortKeyType {
  /// Ends a string, an array or an object.
  static let end: UInt8 = 0
  static let null: UInt8 = 2
  static let `false`: UInt8 = 3
  static let `true`: UInt8 = 4
  static let number: UInt8 = 5
  static let string: UInt8 = 6
  static let array: UInt8 = 7
  static let object: UInt8 = 8
  /// The length of an encoded number in bytes, including its type byte.
  static let numberLength = 11
}
