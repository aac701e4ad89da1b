/// Three-valued logic: true, false and MISSING, which is nil here. Null counts as false.
enum OracleLogic {
  /// Returns the truth value of a condition; nil for MISSING.
  static func truth(of value: OracleValue) -> Bool? {
    switch value {
    case .missing: nil
    case .null, .array, .object: false
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    case .double(let number): number != 0
    case .string(let text): OracleValue.leadingNumber(of: text) != 0
    }
  }

  /// The truth table of AND.
  static func and(_ one: OracleValue, _ two: OracleValue) -> OracleValue {
    switch (truth(of: one), truth(of: two)) {
    case (true, true): .boolean(true)
    case (false, _), (_, false): .boolean(false)
    default: .missing
    }
  }

  /// The truth table of OR.
  static func or(_ one: OracleValue, _ two: OracleValue) -> OracleValue {
    switch (truth(of: one), truth(of: two)) {
    case (true, _), (_, true): .boolean(true)
    case (false, false): .boolean(false)
    default: .missing
    }
  }

  /// The truth table of NOT: unknown values never become true.
  static func not(_ value: OracleValue) -> OracleValue {
    if case .null = value { return .boolean(false) }
    return truth(of: value).map { .boolean(!$0) } ?? .missing
  }
}
