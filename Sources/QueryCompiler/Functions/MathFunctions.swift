import Foundation
import QueryModel

extension QueryFunctions {
  /// Math functions. MISSING gives MISSING, any other value that is not a number gives null, and a result that is not a
  /// number, such as ACOS(3), is null.
  static let mathFunctions: [ScalarFunction] =
    [
      real(.acos, acos), real(.asin, asin), real(.atan, atan), real(.cos, cos), real(.sin, sin),
      real(.tan, tan), real(.exp, exp), real(.naturalLogarithm, log), real(.decimalLogarithm, log10),
      real(.squareRoot, sqrt),
      real(.degrees) { $0 * 180 / .pi }, real(.radians) { $0 * .pi / 180 },
      ScalarFunction(.e) { _ in .double(M_E) },
      ScalarFunction(.pi) { _ in .double(.pi) },
      // y comes first, as in C and in SQL++.
      real2(.atan2, atan2), real2(.power, pow),
      ScalarFunction(.divide) { arguments in
        guard let one = arguments[0].number, let other = arguments[1].number else {
          return QueryValue.wrongType(arguments[0], arguments[1])
        }
        return other == 0 ? .missing : QueryValue.finite(one / other)
      },
      ScalarFunction(.integerDivide) { arguments in
        guard arguments[0].number != nil, arguments[1].number != nil else {
          return QueryValue.wrongType(arguments[0], arguments[1])
        }
        guard let one = arguments[0].integer, let other = arguments[1].integer else { return .null }
        return Arithmetic.divide(.integer(one), .integer(other))
      },
      ScalarFunction(.abs) { arguments in
        switch arguments[0] {
        case .integer(.min): .double(0x1p63)
        case .integer(let number): .integer(abs(number))
        case .double(let number): .double(abs(number))
        case let other: QueryValue.wrongType(other)
        }
      },
      ScalarFunction(.sign) { arguments in
        switch arguments[0] {
        case .integer(let number): .integer(number.signum())
        case .double(let number): .integer(number > 0 ? 1 : number < 0 ? -1 : 0)
        case let other: QueryValue.wrongType(other)
        }
      },
      ScalarFunction(.ceil) { whole($0[0], .up) },
      ScalarFunction(.floor) { whole($0[0], .down) },
      // Rounds half away from zero.
      rounding(.round, .toNearestOrAwayFromZero),
      // Rounds half to even.
      rounding(.roundEven, .toNearestOrEven),
      rounding(.truncate, .towardZero),
    ]

  private static func real(_ function: QueryFunction, _ compute: @escaping @Sendable (Double) -> Double)
    -> ScalarFunction
  {
    ScalarFunction(function) { arguments in
      guard let number = arguments[0].number else { return QueryValue.wrongType(arguments[0]) }
      return QueryValue.finite(compute(number))
    }
  }

  private static func real2(
    _ function: QueryFunction, _ compute: @escaping @Sendable (Double, Double) -> Double
  ) -> ScalarFunction {
    ScalarFunction(function) { arguments in
      guard let one = arguments[0].number, let other = arguments[1].number else {
        return QueryValue.wrongType(arguments[0], arguments[1])
      }
      return QueryValue.finite(compute(one, other))
    }
  }

  /// Rounds a double to a whole double; returns an integer unchanged.
  private static func whole(_ value: QueryValue, _ rule: FloatingPointRoundingRule) -> QueryValue {
    switch value {
    case .integer: value
    case .double(let number): .double(number.rounded(rule))
    default: QueryValue.wrongType(value)
    }
  }

  /// Returns a function that rounds to a number of decimal places, by default 0; a negative number rounds to tens,
  /// hundreds and so on.
  private static func rounding(_ function: QueryFunction, _ rule: FloatingPointRoundingRule) -> ScalarFunction {
    ScalarFunction(function) { arguments in
      guard arguments.count == 2 else { return whole(arguments[0], rule) }
      guard let number = arguments[0].number, let digits = arguments[1].integer else {
        return QueryValue.wrongType(arguments[0], arguments[1])
      }
      if case .integer(let integer) = arguments[0] {
        return digits >= 0 ? arguments[0] : round(integer, zeros: digits.magnitude, rule)
      }
      return QueryValue.finite(round(number, digits: digits, rule))
    }
  }

  /// Rounds an integer to a multiple of a power of ten. A double would lose digits above 2^53.
  private static func round(_ number: Int64, zeros: UInt64, _ rule: FloatingPointRoundingRule) -> QueryValue {
    // Half of 10^20 is greater than any integer.
    guard zeros < 20 else { return .integer(0) }
    var unit: Int128 = 1
    for _ in 0..<zeros { unit *= 10 }
    let (quotient, remainder) = Int128(number).quotientAndRemainder(dividingBy: unit)
    let twice = remainder.magnitude * 2
    let isAway =
      switch rule {
      case .towardZero: false
      case .toNearestOrEven: twice > unit.magnitude || twice == unit.magnitude && quotient % 2 != 0
      default: twice >= unit.magnitude
      }
    let rounded = (quotient + (isAway ? Int128(number.signum()) : 0)) * unit
    return Int64(exactly: rounded).map { .integer($0) } ?? .double(Double(rounded))
  }

  private static func round(_ number: Double, digits: Int64, _ rule: FloatingPointRoundingRule) -> Double {
    // The smallest positive double is about 5e-324, and the largest has 309 digits.
    guard digits < 324 else { return number }
    guard digits > -309 else { return 0 }
    let factor = pow(10, Double(abs(digits)))
    if digits < 0 { return (number / factor).rounded(rule) * factor }
    let scaled = number * factor
    guard scaled.isFinite, abs(scaled) < 0x1p53 else { return number }
    // 1.005 · 100 is 100.49999999999999, so round the nearest decimal number of 15 digits instead.
    let decimal = Double(String(format: "%.15g", scaled)) ?? scaled
    let rounded = decimal.rounded(rule) / factor
    guard rule == .towardZero, abs(rounded) > abs(number) else { return rounded }
    // The nearest decimal number of 15 digits is greater, as for 2.9999999999999996, so truncate the number itself.
    let truncated = scaled.rounded(.towardZero)
    let isGreater = abs(truncated / factor) > abs(number)
    return (isGreater ? truncated - (truncated < 0 ? -1 : 1) : truncated) / factor
  }
}
