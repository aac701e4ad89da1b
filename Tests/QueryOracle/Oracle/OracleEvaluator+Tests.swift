import QueryModel

/// Comparisons and the other operators whose result is true, false, null or MISSING.
extension OracleEvaluator {
  func test(_ expression: QueryExpression, _ scope: OracleScope) throws -> OracleValue {
    func value(_ operand: QueryExpression) throws -> OracleValue { try self.value(of: operand, in: scope) }
    switch expression {
    case .concatenation(let left, let right): return try OracleFunctions.joined([value(left), value(right)])
    case .comparison(let symbol, let left, let right): return try compare(symbol, left, right, scope)
    case .is(let left, .null):
      let value = try value(left)
      if case .null = value { return .boolean(true) }
      return value.isMissing ? .missing : .boolean(false)
    case .is(let left, .missing): return .boolean(try value(left).isMissing)
    case .is(let left, let right): return try compare(.equal, left, right, scope)
    case .isValued(let operand): return .boolean(try value(operand).isValued)
    case .in(let left, let list): return try isElement(left, of: list, scope)
    case .between(let operand, let low, let high):
      let halves = [
        try compare(.lessOrEqual, low, operand, scope, collatedBy: [operand, low]),
        try compare(.lessOrEqual, operand, high, scope, collatedBy: [operand, high]),
      ]
      // One false half decides, even if the other is unknown.
      for case .boolean(false) in halves { return .boolean(false) }
      if halves.contains(where: { $0.isMissing }) { return .missing }
      return halves.contains { !$0.isValued } ? .null : .boolean(true)
    case .like(let left, let pattern):
      let (text, pattern, collation) = (try value(left), try value(pattern), collation(of: [left, pattern], scope))
      if text.isMissing || pattern.isMissing { return .missing }
      guard case .string(let text) = text, case .string(let pattern) = pattern else { return .null }
      return .boolean(OracleLike.matches(text, pattern, collation))
    case .ilike(let left, let pattern):
      let (text, pattern) = (try value(left), try value(pattern))
      if text.isMissing || pattern.isMissing { return .missing }
      guard case .string(let text) = text, case .string(let pattern) = pattern else { return .null }
      return .boolean(OracleLike.matchesCaseless(text, pattern))
    case .exists(let operand):
      if case .array(let elements) = try value(operand) { return .boolean(!elements.isEmpty) }
      return .boolean(false)
    case .not(let operand): return OracleLogic.not(try value(operand))
    case .and(let operands): return try fold(operands, scope, OracleLogic.and)
    case .or(let operands): return try fold(operands, scope, OracleLogic.or)
    default: throw OracleError.invalid("an expression of another kind")
    }
  }

  private func fold(
    _ operands: [QueryExpression], _ scope: OracleScope, _ combine: (OracleValue, OracleValue) -> OracleValue
  ) throws -> OracleValue {
    let values = try operands.map { try value(of: $0, in: scope) }
    guard let first = values.first, values.count > 1 else { throw OracleError.invalid("AND and OR take two operands") }
    return values.dropFirst().reduce(first, combine)
  }

  private func compare(
    _ symbol: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression, _ scope: OracleScope,
    collatedBy operands: [QueryExpression]? = nil
  ) throws -> OracleValue {
    let (one, two) = (try value(of: left, in: scope), try value(of: right, in: scope))
    if one.isMissing || two.isMissing { return .missing }
    guard one.isValued, two.isValued else { return .null }
    let order = one.order(two, collation(of: operands ?? [left, right], scope))
    switch symbol {
    case .equal: return .boolean(order == 0)
    case .notEqual: return .boolean(order != 0)
    case .less: return .boolean(order < 0)
    case .lessOrEqual: return .boolean(order <= 0)
    case .greater: return .boolean(order > 0)
    case .greaterOrEqual: return .boolean(order >= 0)
    }
  }

  private func isElement(
    _ left: QueryExpression, of list: QueryExpression, _ scope: OracleScope
  ) throws -> OracleValue {
    let (wanted, array) = (try value(of: left, in: scope), try value(of: list, in: scope))
    if wanted.isMissing || array.isMissing { return .missing }
    guard let elements = try array.elements(), wanted.isValued else { return .null }
    let collation = collation(of: [left], scope)
    if elements.contains(where: { $0.isValued && $0.order(wanted, collation) == 0 }) { return .boolean(true) }
    return elements.contains { !$0.isValued } ? .null : .boolean(false)
  }

  /// Returns the collation of a comparison: the first one that an operand specifies, the left operand first, as in SQL;
  /// otherwise the enclosing one.
  private func collation(of operands: [QueryExpression], _ scope: OracleScope) -> QueryCollation {
    for operand in operands {
      if case .collated(_, let collation) = operand { return collation }
    }
    return scope.collation
  }
}
