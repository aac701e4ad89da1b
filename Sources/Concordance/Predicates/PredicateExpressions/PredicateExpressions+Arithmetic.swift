import Foundation
import QueryModel

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    let symbol: ArithmeticOperator =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw PredicateContext.unsupported(self)
      }
    return .arithmetic(symbol, try context.value(lhs), try context.value(rhs))
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression { .negated(try context.value(wrapped)) }
}

// The type of the expression selects the division, because the operands cannot: JSON has one type of number, and `3.0`
// may be stored as `3`.
extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    .function(.divide, [try context.value(lhs), try context.value(rhs)])
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    .function(.integerDivide, [try context.value(lhs), try context.value(rhs)])
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    .arithmetic(.remainder, try context.value(lhs), try context.value(rhs))
  }
}
