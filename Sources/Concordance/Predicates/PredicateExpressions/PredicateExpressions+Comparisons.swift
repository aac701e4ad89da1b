import Foundation
import QueryModel

extension PredicateExpressions.Equal: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    try context.equality(lhs, rhs, is: expected)
  }
}

extension PredicateExpressions.NotEqual: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    try context.equality(lhs, rhs, is: !expected)
  }
}

extension PredicateExpressions.Comparison: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    let symbol: ComparisonOperator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw PredicateContext.unsupported(self)
      }
    let condition: QueryExpression
    if let counted = try context.counted(lhs, symbol, rhs) {
      condition = counted
    } else {
      condition = .comparison(symbol, try context.value(lhs), try context.value(rhs))
    }
    return expected ? condition : .not(condition)
  }
}

extension PredicateContext {
  /// Returns the condition that two values are equal or, if `expected` is false, that they are not. As in Swift, nil is
  /// equal only to nil.
  fileprivate func equality<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R, is expected: Bool
  ) throws -> QueryExpression {
    if let counted = try counted(lhs, expected ? .equal : .notEqual, rhs) { return counted }
    if let boolean = try constant(rhs)?.unwrapped as? Bool { return try truth(of: lhs, is: boolean, expected) }
    if let boolean = try constant(lhs)?.unwrapped as? Bool { return try truth(of: rhs, is: boolean, expected) }
    // If one side is always nil, only the other side needs a test.
    if try nilCondition(rhs, is: true) == .boolean(true) {
      return try nilCondition(lhs, is: expected) ?? .boolean(!expected)
    }
    if try nilCondition(lhs, is: true) == .boolean(true) {
      return try nilCondition(rhs, is: expected) ?? .boolean(!expected)
    }
    let comparison = QueryExpression.comparison(expected ? .equal : .notEqual, try value(lhs), try value(rhs))
    switch (try nilCondition(lhs, is: true), try nilCondition(rhs, is: true)) {
    case (nil, nil): return comparison
    case (let left?, nil): return expected ? comparison : comparison.or(left)
    case (nil, let right?): return expected ? comparison : comparison.or(right)
    case (let left?, let right?):
      if expected { return comparison.or(left.and(right)) }
      let (leftIsPresent, rightIsPresent) = (try nilCondition(lhs, is: false), try nilCondition(rhs, is: false))
      return comparison.or(left.and(rightIsPresent ?? .boolean(true))).or((leftIsPresent ?? .boolean(true)).and(right))
    }
  }

  /// Returns the condition that a part of the predicate equals a Boolean or, if `expected` is false, that it has the
  /// opposite value or is nil.
  private func truth<P: PredicateExpression>(
    of part: P, is boolean: Bool, _ expected: Bool
  ) throws -> QueryExpression {
    if expected { return try condition(part, is: boolean) }
    let opposite = try condition(part, is: !boolean)
    return try nilCondition(part, is: true).map { opposite.or($0) } ?? opposite
  }

  /// Returns the comparison of a count of filtered elements with a constant; nil if neither side is such a count.
  fileprivate func counted<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ symbol: ComparisonOperator, _ rhs: R
  ) throws -> QueryExpression? {
    if let any = try anyCounted(lhs) { return try counted(any, symbol, constant(rhs)) }
    if let any = try anyCounted(rhs) { return try counted(any, symbol.flipped, constant(lhs)) }
    return nil
  }

  /// Returns the comparison of a count with a constant.
  ///
  /// - Parameter any: the condition that the count is greater than 0.
  private func counted(
    _ any: QueryExpression, _ symbol: ComparisonOperator, _ constant: Constant?
  ) throws -> QueryExpression {
    guard let number = constant?.unwrapped as? Int, let condition = any.counted(symbol, Int64(number)) else {
      throw PredicateContext.unsupported(any, "the count of filtered elements can only be compared with 0")
    }
    return condition
  }
}
