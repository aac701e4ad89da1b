import QueryModel

/// The arithmetic operators.
enum OracleArithmetic {
  /// Returns MISSING if an operand is MISSING, otherwise null if one is not a number. The result of integers is an
  /// integer if it fits in 64 bits.
  static func apply(_ symbol: ArithmeticOperator, _ one: OracleValue, _ two: OracleValue) throws -> OracleValue {
    if one.isMissing || two.isMissing { return .missing }
    guard let left = number(one), let right = number(two) else { return .null }
    if symbol == .remainder { return try remainder(one, two) }
    if symbol == .divide, right == 0 { return .missing }
    if case .integer(let first) = one, case .integer(let second) = two {
      let exact =
        switch symbol {
        case .add: first.addingReportingOverflow(second)
        case .subtract: first.subtractingReportingOverflow(second)
        case .multiply: first.multipliedReportingOverflow(by: second)
        case .divide, .remainder: first.dividedReportingOverflow(by: second)
        }
      if !exact.overflow { return .integer(exact.partialValue) }
    }
    switch symbol {
    case .add: return finite(left + right)
    case .subtract: return finite(left - right)
    case .multiply: return finite(left * right)
    case .divide, .remainder: return finite(left / right)
    }
  }

  /// `-x`
  static func negate(_ value: OracleValue) -> OracleValue {
    switch value {
    case .missing: .missing
    case .integer(.min): .double(9_223_372_036_854_775_808)
    case .integer(let number): .integer(-number)
    case .double(let number): .double(-number)
    default: .null
    }
  }

  /// Returns the number as a double; nil for another type.
  static func number(_ value: OracleValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// Returns the number truncated to an integer; nil if it does not fit in 64 bits or has another type.
  static func whole(_ value: OracleValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number.rounded(.towardZero))
    default: nil
    }
  }

  /// Returns null for numbers that JSON cannot represent.
  static func finite(_ number: Double) -> OracleValue { number.isFinite ? .double(number) : .null }

  private static func remainder(_ one: OracleValue, _ two: OracleValue) throws -> OracleValue {
    guard let left = whole(one), let right = whole(two) else {
      throw OracleError.undefined("the remainder of a number above 2^63")
    }
    if right == 0 { return .missing }
    let result = right == -1 ? 0 : left % right
    if case .integer = one, case .integer = two { return .integer(result) }
    return .double(Double(result))
  }
}
