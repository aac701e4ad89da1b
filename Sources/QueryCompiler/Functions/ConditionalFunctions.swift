import QueryModel
extension QueryFunctions {
  /// Functions that return one of their arguments unchanged. They follow the "Conditional functions" pages of Couchbase
  /// Server.
  static let conditionalFunctions: [ScalarFunction] = [
    ScalarFunction(
      .ifMissing,
      .choice(otherwise: .null) { $0.firstIndex { !$0.isMissing } }),
    // MISSING is not null: IFNULL(MISSING, 1) is MISSING.
    ScalarFunction(
      .ifNull,
      .choice(otherwise: .null) { $0.firstIndex { $0.isMissing || $0.isValued } }),
    ScalarFunction(
      .ifMissingOrNull,
      .choice(otherwise: .null) { $0.firstIndex { $0.isValued } }),
    ScalarFunction(.missingIf) { without($0[0], $0[1], equal: .missing) },
    ScalarFunction(.nullIf) { without($0[0], $0[1], equal: .null) },
    ScalarFunction(.greatest, .choice(otherwise: .null) { best($0, sign: 1) }),
    ScalarFunction(.least, .choice(otherwise: .null) { best($0, sign: -1) }),
  ]

  private static func without(_ value: QueryValue, _ other: QueryValue, equal: QueryValue) -> QueryValue {
    switch value.equals(other) {
    case .boolean(let isEqual): isEqual ? equal : value
    case let unknown: unknown
    }
  }

  /// Returns the position of the first largest (or smallest) value, ignoring null and MISSING.
  private static func best(_ values: [QueryValue], sign: Int) -> Int? {
    var best: Int?
    for index in values.indices where values[index].isValued {
      guard let current = best else {
        best = index
        continue
      }
      if values[index].compare(values[current]) * sign > 0 { best = index }
    }
    return best
  }
}
