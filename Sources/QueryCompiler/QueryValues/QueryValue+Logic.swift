import Foundation

extension QueryValue {
  /// Whether the value is true as a condition; nil for MISSING.
  ///
  /// As in Couchbase Lite, null, 0, arrays and objects are false, and a string has the truth value of the number that
  /// it begins with: `'1abc'` is true and `'abc'` is false. TOBOOLEAN follows the server's rules instead.
  public var isTrue: Bool? {
    switch self {
    case .missing: nil
    case .null, .array, .object: false
    case .boolean(let boolean): boolean
    case .integer(let number): number != 0
    case .double(let number): number != 0
    case .string(let string): QueryValue.leadingNumber(string) != 0
    }
  }

  /// AND: false if an operand is false, even if the other is MISSING. Null counts as false.
  static func and(_ one: QueryValue, _ other: QueryValue) -> QueryValue {
    let (first, second) = (one.isTrue, other.isTrue)
    if first == false || second == false { return .boolean(false) }
    return first == nil || second == nil ? .missing : .boolean(true)
  }

  /// OR: true if an operand is true, even if the other is MISSING. Null counts as false.
  static func or(_ one: QueryValue, _ other: QueryValue) -> QueryValue {
    let (first, second) = (one.isTrue, other.isTrue)
    if first == true || second == true { return .boolean(true) }
    return first == nil || second == nil ? .missing : .boolean(false)
  }

  /// NOT: NOT null is false, so that NOT of an unknown value is never true.
  static func not(_ value: QueryValue) -> QueryValue {
    if case .null = value { return .boolean(false) }
    return value.isTrue.map { .boolean(!$0) } ?? .missing
  }

  /// Returns the result of SQLite's CAST of a string to NUMERIC: the longest number that it begins with, otherwise 0.
  private static func leadingNumber(_ string: String) -> Double {
    let bytes = Array(string.utf8.drop { $0 == 0x20 || (0x09...0x0D).contains($0) })
    var end = 0
    if end < bytes.count, bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: "+") { end += 1 }
    func skipDigits() -> Int {
      let start = end
      while end < bytes.count, bytes[end] &- 0x30 < 10 { end += 1 }
      return end - start
    }
    var digits = skipDigits()
    if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      end += 1
      digits += skipDigits()
    }
    guard digits > 0 else { return 0 }
    let mantissa = end
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      end += 1
      if end < bytes.count, bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: "+") { end += 1 }
      if skipDigits() == 0 { end = mantissa }
    }
    return Double(String(decoding: bytes[..<end], as: UTF8.self)) ?? strtod(string, nil)
  }
}
