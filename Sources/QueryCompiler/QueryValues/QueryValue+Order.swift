import Foundation
import JSONText
public import TextAnalysis

extension QueryValue {
  /// Returns a negative number if this value sorts before the other, 0 if both are equal, and a positive number
  /// otherwise.
  ///
  /// The order is: MISSING and null, Booleans (as 0 and 1) and numbers by value, strings by collation, arrays, objects.
  /// Arrays and objects are compared by the bytes of their canonical text, so objects with the same members are equal,
  /// [1,10] sorts before [1,2], and TRUE inside an array does not equal 1. SQLite sorts sort keys
  /// (``SQLEncoding/sortKey``) in the same order, so indexes use it too.
  public func compare(_ other: QueryValue, _ collator: Collator? = nil) -> Int {
    let (one, two) = (rank, other.rank)
    guard one == two else { return one - two }
    switch (self, other) {
    case (.string(let first), .string(let second)):
      if let collator { return collator.compare(first, second) }
      return QueryValue.compareBytes(first.utf8, second.utf8)
    case (.array, .array), (.object, .object):
      return QueryValue.compareBytes(
        CanonicalJSON.bytes(of: json ?? .null), CanonicalJSON.bytes(of: other.json ?? .null))
    default: return QueryValue.compareNumbers(scalar, other.scalar)
    }
  }

  /// Returns whether both values are equal: MISSING if one is missing, otherwise null if one is null.
  public func equals(_ other: QueryValue, _ collator: Collator? = nil) -> QueryValue {
    if isMissing || other.isMissing { return .missing }
    guard isValued, other.isValued else { return .null }
    return .boolean(compare(other, collator) == 0)
  }

  private var rank: Int {
    switch self {
    case .missing, .null: 0
    case .boolean, .integer, .double: 1
    case .string: 2
    case .array: 3
    case .object: 4
    }
  }

  /// A Boolean as a number; other values unchanged.
  private var scalar: QueryValue {
    if case .boolean(let boolean) = self { .integer(boolean ? 1 : 0) } else { self }
  }

  private static func compareNumbers(_ one: QueryValue, _ other: QueryValue) -> Int {
    switch (one, other) {
    case (.integer(let first), .integer(let second)): first < second ? -1 : first > second ? 1 : 0
    case (.integer(let first), .double(let second)): compare(first, second)
    case (.double(let first), .integer(let second)): -compare(second, first)
    case (.double(let first), .double(let second)): first < second ? -1 : first > second ? 1 : 0
    default: 0
    }
  }

  /// Compares exactly; a conversion to double could lose digits.
  private static func compare(_ integer: Int64, _ double: Double) -> Int {
    if double >= 0x1p63 { return -1 }
    if double < -0x1p63 || double.isNaN { return 1 }
    let whole = Int64(double)
    if integer != whole { return integer < whole ? -1 : 1 }
    let fraction = double - double.rounded(.towardZero)
    return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
  }

  static func compareBytes(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Int {
    if one.lexicographicallyPrecedes(other) { return -1 }
    return one.elementsEqual(other) ? 0 : 1
  }
}
