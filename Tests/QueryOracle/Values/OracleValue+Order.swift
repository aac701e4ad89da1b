import QueryModel

extension OracleValue {
  /// Returns a negative number if this value sorts before the other, 0 if they are equal, and a positive number
  /// otherwise.
  ///
  /// MISSING and null come first, then booleans as 0 and 1 together with numbers, then strings, then arrays, then
  /// objects.
  func order(_ other: OracleValue, _ collation: QueryCollation) -> Int {
    if rank != other.rank { return rank < other.rank ? -1 : 1 }
    switch (self, other) {
    case (.string(let one), .string(let two)):
      return OracleValue.order(OracleValue.key(of: one, collation), OracleValue.key(of: two, collation))
    case (.array, _), (.object, _):
      return OracleValue.order(Array(canonicalText.utf8), Array(other.canonicalText.utf8))
    default:
      return OracleValue.orderNumbers(self, other)
    }
  }

  /// Returns a key that is equal for values that GROUP BY and DISTINCT treat as equal.
  ///
  /// MISSING, null, true and 1 differ, 1 and 1.0 do not.
  func identity(_ collation: QueryCollation) -> [UInt8] {
    switch self {
    case .missing: [0]
    case .null: [1]
    case .boolean(let flag): [2, flag ? 1 : 0]
    case .integer, .double: [3] + Array(canonicalText.utf8)
    case .string(let text): [4] + OracleValue.key(of: text, collation)
    case .array, .object: [5] + Array(canonicalText.utf8)
    }
  }

  /// Returns the comparison key of a string. Unicode collations are not implemented.
  static func key(of text: String, _ collation: QueryCollation) -> [UInt8] {
    guard collation == .asciiIgnoringCase else { return Array(text.utf8) }
    return text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
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

  private static func order(_ one: [UInt8], _ two: [UInt8]) -> Int {
    if one == two { return 0 }
    return one.lexicographicallyPrecedes(two) ? -1 : 1
  }

  private static func orderNumbers(_ one: OracleValue, _ two: OracleValue) -> Int {
    switch (one, two) {
    case (.boolean(let flag), _): return orderNumbers(.integer(flag ? 1 : 0), two)
    case (_, .boolean(let flag)): return orderNumbers(one, .integer(flag ? 1 : 0))
    case (.integer(let first), .integer(let second)): return (first > second ? 1 : 0) - (first < second ? 1 : 0)
    case (.double(let first), .double(let second)): return (first > second ? 1 : 0) - (first < second ? 1 : 0)
    case (.double, .integer): return -orderNumbers(two, one)
    case (.integer(let first), .double(let second)):
      if let exact = Double(exactly: first) { return (exact > second ? 1 : 0) - (exact < second ? 1 : 0) }
      // An integer that no double represents is so large that doubles near it are whole.
      if let whole = Int64(exactly: second) { return first > whole ? 1 : -1 }
      if abs(second) >= 0x1p63 { return second > 0 ? -1 : 1 }
      return Double(first) < second ? -1 : 1
    default: return 0
    }
  }
}
