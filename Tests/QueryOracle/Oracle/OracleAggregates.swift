import QueryModel

/// The aggregate functions.
enum OracleAggregates {
  /// Returns the aggregate of the values of a group's rows.
  static func call(_ function: QueryFunction, _ values: [OracleValue], isDistinct: Bool) throws -> OracleValue {
    var seen: Set<[UInt8]> = []
    let values = isDistinct ? values.filter { seen.insert($0.identity(.binary)).inserted } : values
    let numbers = values.filter { OracleArithmetic.number($0) != nil }
    switch function {
    case .count: return .integer(Int64(values.filter { $0.isValued }.count))
    case .maximum: return OracleFunctions.best(values, sign: 1)
    case .minimum: return OracleFunctions.best(values, sign: -1)
    case .sum: return sum(numbers)
    case .average:
      guard let total = OracleArithmetic.number(sum(numbers)) else { return .null }
      return OracleArithmetic.finite(total / Double(numbers.count))
    default: throw OracleError.undefined(function.rawValue)
    }
  }

  /// Returns the sum of numbers; null if there are none. The sum of integers is an integer if it fits in 64 bits.
  ///
  /// Whole parts and fractions are added separately, so that small summands are not lost next to large ones.
  static func sum(_ numbers: [OracleValue]) -> OracleValue {
    guard !numbers.isEmpty else { return .null }
    var whole: Int128? = 0
    var fraction = 0.0
    var rounded = 0.0
    var areIntegers = true
    func add(_ number: Int128?) {
      guard let sum = whole, let number else { return whole = nil }
      let (result, overflow) = sum.addingReportingOverflow(number)
      whole = overflow ? nil : result
    }
    for number in numbers {
      rounded += OracleArithmetic.number(number) ?? 0
      switch number {
      case .integer(let number): add(Int128(number))
      case .double(let number):
        areIntegers = false
        add(Int128(exactly: number.rounded(.towardZero)))
        fraction += number - number.rounded(.towardZero)
      default: break
      }
    }
    if areIntegers, let integer = whole.flatMap({ Int64(exactly: $0) }) { return .integer(integer) }
    return OracleArithmetic.finite(whole.map { Double($0) + fraction } ?? rounded)
  }
}
