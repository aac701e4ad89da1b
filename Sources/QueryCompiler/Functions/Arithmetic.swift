import Foundation

/// The operators `+ - * / %` and negation. If an operand is MISSING, the result is MISSING; if an operand is not a
/// number, the result is null.
///
/// An operation on integers returns an integer, or a double if the result does not fit in 64 bits, as in SQLite.
/// Integer division truncates (DIV does not), and division by zero returns MISSING, as in Couchbase Lite (QueryTest).
enum Arithmetic {
  static func add(_ one: QueryValue, _ other: QueryValue) -> QueryValue {
    combine(one, other, { $0.addingReportingOverflow($1) }, +)
  }

  static func subtract(_ one: QueryValue, _ other: QueryValue) -> QueryValue {
    combine(one, other, { $0.subtractingReportingOverflow($1) }, -)
  }

  static func multiply(_ one: QueryValue, _ other: QueryValue) -> QueryValue {
    combine(one, other, { $0.multipliedReportingOverflow(by: $1) }, *)
  }

  static func divide(_ one: QueryValue, _ other: QueryValue) -> QueryValue {
    if let divisor = other.number, divisor == 0, one.number != nil { return .missing }
    return combine(one, other, { $0.dividedReportingOverflow(by: $1) }, /)
  }

  /// Returns the remainder with the sign of the dividend. Operands are truncated to integers first.
  static func remainder(_ one: QueryValue, _ other: QueryValue) -> QueryValue {
    guard one.number != nil, other.number != nil else { return QueryValue.wrongType(one, other) }
    guard let dividend = one.integer, let divisor = other.integer else { return .null }
    if divisor == 0 { return .missing }
    // -2^63 % -1 is 0, but Swift traps because the quotient overflows.
    let result = divisor == -1 ? 0 : dividend % divisor
    if case .integer = one, case .integer = other { return .integer(result) }
    return .double(Double(result))
  }

  static func negate(_ value: QueryValue) -> QueryValue {
    switch value {
    case .integer(.min): .double(0x1p63)
    case .integer(let number): .integer(-number)
    case .double(let number): .double(-number)
    default: QueryValue.wrongType(value)
    }
  }

  private static func combine(
    _ one: QueryValue, _ other: QueryValue, _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ doubles: (Double, Double) -> Double
  ) -> QueryValue {
    if case .integer(let first) = one, case .integer(let second) = other {
      let (result, overflow) = integers(first, second)
      return overflow ? QueryValue.finite(doubles(Double(first), Double(second))) : .integer(result)
    }
    guard let first = one.number, let second = other.number else { return QueryValue.wrongType(one, other) }
    return QueryValue.finite(doubles(first, second))
  }
}
