import QueryModel

/// The permitted differences between a correct value and the value of the oracle.
///
/// It is not specified which of several equal values represents a group: 1 or 1.0, and, with a collation, `a` or `A`.
/// MIN and MAX treat true as equal to 1. Sums of fractions depend on the order of the rows.
struct OracleTolerance: Sendable {
  var collation = QueryCollation.binary
  /// Whether 1 and 1.0 are both correct.
  var ignoresNumberType = false
  /// Whether 1 and true are both correct.
  var ignoresBooleanType = false
  /// Whether numbers may have rounding errors.
  var isFuzzy = false

  /// Returns whether two sums are equal up to rounding: one part in 10^12, or the same fraction of 1 if large numbers
  /// cancel out.
  static func areClose(_ one: Double, _ two: Double) -> Bool {
    abs(one - two) <= 1e-12 * max(abs(one), abs(two), 1)
  }

  /// Returns whether a value is correct if another one is expected.
  func accepts(_ actual: OracleValue, for expected: OracleValue) -> Bool {
    switch (expected, actual) {
    case (.missing, .missing), (.null, .null): return true
    case (.boolean(let one), .boolean(let two)): return one == two
    case (.integer(let one), .integer(let two)): return one == two
    case (.double(let one), .double(let two)): return one == two || isFuzzy && OracleTolerance.areClose(one, two)
    case (.integer(let one), .double(let two)), (.double(let two), .integer(let one)):
      guard ignoresNumberType else { return false }
      return expected.order(actual, .binary) == 0 || isFuzzy && OracleTolerance.areClose(Double(one), two)
    case (.boolean, .integer), (.boolean, .double), (.integer, .boolean), (.double, .boolean):
      return ignoresBooleanType && expected.order(actual, .binary) == 0
    case (.string, .string), (.array, .array), (.object, .object): return expected.order(actual, collation) == 0
    default: return false
    }
  }
}

extension QueryExpression {
  /// The differences that aggregates permit.
  var tolerance: OracleTolerance {
    if case .function(let function, _, let isDistinct) = self, function.isAggregate {
      switch function {
      case .minimum, .maximum: return OracleTolerance(ignoresNumberType: true, ignoresBooleanType: true)
      // Of equal DISTINCT values, the integer or the double may be added.
      case .sum, .average: return OracleTolerance(ignoresNumberType: isDistinct, isFuzzy: true)
      default: return OracleTolerance()
      }
    }
    // Integers above 2^53 next to fractions: the order of additions is not specified either.
    if case .function(let function, _, _) = self, function == .arraySum || function == .arrayAverage {
      return OracleTolerance(isFuzzy: true)
    }
    return children.reduce(into: OracleTolerance()) { sum, child in
      let part = child.tolerance
      if part.ignoresNumberType { sum.ignoresNumberType = true }
      if part.ignoresBooleanType { sum.ignoresBooleanType = true }
      if part.isFuzzy { sum.isFuzzy = true }
    }
  }

  /// Returns whether the expression contains one of these keys outside aggregates.
  fileprivate func contains(keyOf grouping: [QueryExpression]) -> Bool {
    if case .function(let function, _, _) = self, function.isAggregate { return false }
    return OracleScope(row: OracleRow(), grouping: grouping).isGroupKey(self)
      || children.contains { $0.contains(keyOf: grouping) }
  }
}

extension SelectQuery {
  /// The columns with their names and permitted differences.
  var resultColumns: [OracleColumn] {
    zip(columnNames, columns).map { name, column in
      let expression = column.expression
      var tolerance = expression.tolerance
      if isDistinct || expression.contains(keyOf: grouping) { tolerance.ignoresNumberType = true }
      if isDistinct { tolerance.collation = expression.collation }
      for case .collated(let inner, let collation) in grouping
      where inner == expression || .collated(inner, collation) == expression {
        tolerance.collation = collation
      }
      return OracleColumn(name: name, tolerance: tolerance)
    }
  }
}
