import QueryModel

/// The functions of all rows of a group.
enum OracleAggregates {
  /// The aggregate of the values that the rows of a group have.
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

  /// The sum of numbers; null where there are none. Of integers it is an integer, while 64 bits hold it.
  ///
  /// Whole parts and fractions are added apart, so that what is large does not swallow what is small.
  static func sum(_ numbers: [OracleValue]) -> OracleValue {
    guard !numbers.isEmpty else { return .null }
    var whole: Int64? = 0
    var fraction = 0.0
    var rounded = 0.0
    var areIntegers = true
    func add(_ number: Int64?) {
      guard let sum = whole, let number else { return whole = nil }
      let (result, overflow) = sum.addingReportingOverflow(number)
      whole = overflow ? nil : result
    }
    for number in numbers {
      rounded += OracleArithmetic.number(number) ?? 0
      switch number {
      case .integer(let number): add(number)
      case .double(let number):
        areIntegers = false
        add(Int64(exactly: number.rounded(.towardZero)))
        fraction += number - number.rounded(.towardZero)
      default: break
      }
    }
    if areIntegers, let whole { return .integer(whole) }
    return OracleArithmetic.finite(whole.map { Double($0) + fraction } ?? rounded)
  }
}
