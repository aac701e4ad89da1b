import QueryModel

/// What a right value may differ in from that of the oracle.
///
/// Which of the values that are equal stands for a group is not said: 1 or 1.0, and, under a collation, `a` or `A`. MIN and
/// MAX take true for 1 as well. And sums of fractions depend on the order of the rows.
struct OracleTolerance: Sendable {
  var collation = QueryCollation.binary
  /// Whether 1 is as good as 1.0.
  var ignoresNumberType = false
  /// Whether 1 is as good as true.
  var ignoresBooleanType = false
  /// Whether numbers may differ a little.
  var isApproximate = false

  /// Whether two sums may be one: a part in 10^12, or as much of 1 where large numbers cancel out.
  static func areClose(_ one: Double, _ two: Double) -> Bool {
    abs(one - two) <= 1e-12 * max(abs(one), abs(two), 1)
  }

  /// Whether a value is right where another one was expected.
  func accepts(_ actual: OracleValue, for expected: OracleValue) -> Bool {
    switch (expected, actual) {
    case (.missing, .missing), (.null, .null): return true
    case (.boolean(let one), .boolean(let two)): return one == two
    case (.integer(let one), .integer(let two)): return one == two
    case (.double(let one), .double(let two)): return one == two || isApproximate && OracleTolerance.areClose(one, two)
    case (.integer(let one), .double(let two)), (.double(let two), .integer(let one)):
      guard ignoresNumberType else { return false }
      return expected.order(actual, .binary) == 0 || isApproximate && OracleTolerance.areClose(Double(one), two)
    case (.boolean, .integer), (.boolean, .double), (.integer, .boolean), (.double, .boolean):
      return ignoresBooleanType && expected.order(actual, .binary) == 0
    case (.string, .string), (.array, .array), (.object, .object): return expected.order(actual, collation) == 0
    default: return false
    }
  }
}

extension QueryExpression {
  /// What aggregates leave open.
  var tolerance: OracleTolerance {
    if case .function(let function, _, let isDistinct) = self, function.isAggregate {
      switch function {
      case .minimum, .maximum: return OracleTolerance(ignoresNumberType: true, ignoresBooleanType: true)
      // Of DISTINCT values that are equal an integer or a double may be added.
      case .sum, .average: return OracleTolerance(ignoresNumberType: isDistinct, isApproximate: true)
      default: return OracleTolerance()
      }
    }
    // Integers above 2^53 beside fractions: what is added first is not said either.
    if case .function(let function, _, _) = self, function == .arraySum || function == .arrayAverage {
      return OracleTolerance(isApproximate: true)
    }
    return children.reduce(into: OracleTolerance()) { sum, child in
      let part = child.tolerance
      if part.ignoresNumberType { sum.ignoresNumberType = true }
      if part.ignoresBooleanType { sum.ignoresBooleanType = true }
      if part.isApproximate { sum.isApproximate = true }
    }
  }

  /// Whether one of these keys is part of the expression outside of aggregates.
  fileprivate func contains(keyOf grouping: [QueryExpression]) -> Bool {
    if case .function(let function, _, _) = self, function.isAggregate { return false }
    return OracleScope(row: OracleRow(), grouping: grouping).isGroupKey(self)
      || children.contains { $0.contains(keyOf: grouping) }
  }
}

extension SelectQuery {
  /// The columns with their names and what is left open of their values.
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
