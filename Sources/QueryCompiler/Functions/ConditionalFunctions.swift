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
    ScalarFunction(.missingIf, takesCollation: true) { try without($0, equal: .missing) },
    ScalarFunction(.nullIf, takesCollation: true) { try without($0, equal: .null) },
    // These two have any number of arguments, so another one cannot be a collation: they compare by bytes.
    ScalarFunction(.greatest, .choice(otherwise: .null) { best($0, sign: 1) }),
    ScalarFunction(.least, .choice(otherwise: .null) { best($0, sign: -1) }),
  ]

  /// Returns the first argument, or `equal` if it equals the second one.
  private static func without(_ arguments: [QueryValue], equal: QueryValue) throws -> QueryValue {
    let collator = try Collations.collator(arguments, at: 2)
    let result = arguments[0].equals(arguments[1], collator)
    switch result {
    case .boolean(let isEqual): return isEqual ? equal : arguments[0]
    default: return result
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
