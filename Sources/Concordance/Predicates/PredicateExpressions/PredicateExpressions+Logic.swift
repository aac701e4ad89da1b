import Foundation
import QueryModel

extension PredicateExpressions.Conjunction: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    let (left, right) = (try context.condition(lhs, is: expected), try context.condition(rhs, is: expected))
    return expected ? left.and(right) : left.or(right)
  }
}

extension PredicateExpressions.Disjunction: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    let (left, right) = (try context.condition(lhs, is: expected), try context.condition(rhs, is: expected))
    return expected ? left.or(right) : left.and(right)
  }
}

extension PredicateExpressions.Negation: TranslatableCondition {
  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    try context.condition(wrapped, is: !expected)
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    try choice(in: context) { try context.value($0) }
  }

  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    try choice(in: context) { try context.condition($0, is: expected) }
  }

  /// Returns a `CASE` whose branches are translated by a closure.
  private func choice(
    in context: PredicateContext, _ translate: (any PredicateExpression) throws -> QueryExpression
  ) throws -> QueryExpression {
    let branch = ConditionalBranch(when: try context.condition(test, is: true), then: try translate(trueBranch))
    return .conditional(subject: nil, branches: [branch], otherwise: try translate(falseBranch))
  }
}
