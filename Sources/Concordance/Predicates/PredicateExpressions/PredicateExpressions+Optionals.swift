import Foundation
import JSONText
import QueryModel

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    let wrapped = try bind(in: context)
    let value = try context.value(transform)
    guard !value.isUnknown(without: wrapped), let isPresent = try context.nilCondition(self.wrapped, is: false) else {
      return value
    }
    return .conditional(subject: nil, branches: [ConditionalBranch(when: isPresent, then: value)], otherwise: nil)
  }

  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    let wrapped = try bind(in: context)
    let condition = try context.condition(transform, is: expected)
    guard !condition.isNeverTrue(without: wrapped), let isPresent = try context.nilCondition(self.wrapped, is: false)
    else { return condition }
    return isPresent.and(condition)
  }

  func nilCondition(_ isNil: Bool, in context: PredicateContext) throws -> QueryExpression? {
    let wrapped = try bind(in: context)
    let outer = try context.nilCondition(self.wrapped, is: isNil)
    if Result.self != Bool.self {
      let value = try context.value(transform)
      if value.isUnknown(without: wrapped) { return isNil ? .not(.isValued(value)) : .isValued(value) }
    }
    guard let inner = try context.nilCondition(transform, is: isNil) else { return outer }
    return outer.map { isNil ? $0.or(inner) : $0.and(inner) } ?? inner
  }

  /// Binds the variable to the wrapped value, and returns the value.
  private func bind(in context: PredicateContext) throws -> QueryExpression {
    let value = try context.value(wrapped)
    context.bindings[variable.key] = value
    return value
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func value(in context: PredicateContext) throws -> QueryExpression {
    .function(.ifMissingOrNull, [try context.value(lhs), try context.value(rhs)])
  }

  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    let left = try context.condition(lhs, is: expected)
    guard let isNil = try context.nilCondition(lhs, is: true) else { return left }
    let right = try context.condition(rhs, is: expected)
    switch right {
    case .boolean(false): return left
    case .boolean(true): return left.or(isNil)
    default: return left.or(isNil.and(right))
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  var isConstant: Bool { (inner as? any TranslatableExpression)?.isConstant ?? false }

  func value(in context: PredicateContext) throws -> QueryExpression { try context.value(inner) }

  func condition(_ expected: Bool, in context: PredicateContext) throws -> QueryExpression {
    try context.condition(inner, is: expected)
  }
}

extension QueryExpression {
  /// Whether this expression is null or missing if another expression is null or missing. False if that cannot be
  /// determined.
  func isUnknown(without other: QueryExpression) -> Bool {
    if self == other { return true }
    switch (self, other) {
    case (.property(let path, let source), .property(let start, let otherSource)):
      return source == otherSource && path.components.starts(with: start.components)
    case (.variable(let name, let path), .variable(let otherName, let start)):
      return name == otherName && path.components.starts(with: start.components)
    default: break
    }
    switch self {
    case .member(let base, _), .negated(let base): return base.isUnknown(without: other)
    case .arithmetic(_, let x, let y), .comparison(_, let x, let y), .like(let x, let y),
      .ilike(let x, let y):
      return x.isUnknown(without: other) || y.isUnknown(without: other)
    case .in(let x, _), .between(let x, _, _): return x.isUnknown(without: other)
    case .function(let function, let arguments, _):
      return function.isUnknownWithoutArguments && arguments.contains { $0.isUnknown(without: other) }
    default: return false
    }
  }

  /// Whether this condition cannot be true if another expression is null or missing. False if that cannot be
  /// determined.
  func isNeverTrue(without other: QueryExpression) -> Bool {
    switch self {
    case .boolean(let boolean): !boolean
    case .and(let operands): operands.contains { $0.isNeverTrue(without: other) }
    case .or(let operands): operands.allSatisfy { $0.isNeverTrue(without: other) }
    case .not(let inner), .isValued(let inner): inner.isUnknown(without: other)
    case .quantified(.any, _, let array, _): array.isUnknown(without: other)
    default: isUnknown(without: other)
    }
  }
}

extension QueryFunction {
  /// Whether the function, one of those that predicates use, returns null or MISSING if an argument is null or missing.
  fileprivate var isUnknownWithoutArguments: Bool {
    switch self {
    case .length, .arrayLength, .arrayMinimum, .arrayMaximum, .contains, .arrayContains, .regexContains, .position,
      .divide, .integerDivide:
      true
    default: false
    }
  }
}
