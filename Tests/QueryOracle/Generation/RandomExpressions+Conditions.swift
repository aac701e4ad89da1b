import JSONText
import QueryModel

/// Conditions.
extension RandomExpressions {
  mutating func condition(_ depth: Int) -> QueryExpression {
    guard depth > 0 else { return simpleCondition(0) }
    let next = depth - 1
    switch choices.number(0..<20) {
    case 0, 1: return joined(next, QueryExpression.and) { .and($0) }
    case 2, 3: return joined(next, QueryExpression.or) { .or($0) }
    case 4, 5: return .not(condition(next))
    case 6, 7: return quantified(next)
    case 8:
      let inner = condition(next)
      return inner.isTest ? .collated(inner, collation()) : inner
    case 9: return choices.chance(2) && !isPlain ? conditional(.any, next) : expression(.any, next)
    default: return simpleCondition(next)
    }
  }

  /// Returns AND or OR. The builder flattens chains, so the first operand is not of the same kind.
  private mutating func joined(
    _ depth: Int, _ chain: (QueryExpression) -> (QueryExpression) -> QueryExpression,
    _ make: ([QueryExpression]) -> QueryExpression
  ) -> QueryExpression {
    let operands = several(2...3) { $0.condition(depth) }
    return isPlain ? operands.dropFirst().reduce(operands[0]) { chain($0)($1) } : make(operands)
  }

  /// Returns a comparison or a test.
  mutating func simpleCondition(_ depth: Int) -> QueryExpression {
    let kind = choices.one(of: [RandomSubject.Kind.number, .number, .text, .text, .any])
    switch choices.number(0..<16) {
    case 0..<5:
      // A literal as the right operand matches most often.
      let right = choices.chance(2) ? literal(kind) : expression(kind, depth)
      let symbol = choices.one(of: ComparisonOperator.allCases)
      return .comparison(symbol, collated(expression(kind, depth)), right)
    case 5: return .between(collated(expression(kind, depth)), low: literal(kind), high: expression(kind, depth))
    case 6: return .in(collated(expression(kind, depth)), .array(several(0...4) { $0.expression(kind, depth) }))
    case 7: return .in(expression(kind, depth), expression(.list, depth))
    case 8:
      let pattern =
        choices.chance(6) ? expression(.text, depth) : literal(.string(choices.one(of: RandomChoices.patterns)))
      let text = collated(expression(.text, depth))
      return choices.chance(3) ? .ilike(text, pattern: pattern) : .like(text, pattern: pattern)
    case 9: return .is(expression(.any, depth), choices.chance(2) || isPlain ? .null : .missing)
    case 10:
      return choices.chance(3) && !isPlain
        ? .is(expression(kind, depth), literal(kind)) : .isValued(expression(.any, depth))
    case 11 where !isPlain: return .exists(expression(.list, depth))
    case 12: return .function(.contains, [expression(.text, depth), literal(.text)])
    case 13: return .function(.arrayContains, [expression(.list, depth), expression(.any, depth)])
    case 14:
      let functions: [QueryFunction] = [
        .isString, .isNumber, .isArray, .isObject, .isBoolean, .isAtom, .toBoolean,
      ]
      return .function(choices.one(of: functions), [expression(.any, depth)])
    default: return reference(.any)
    }
  }

  /// `ANY v IN … SATISFIES … END`
  mutating func quantified(_ depth: Int) -> QueryExpression {
    let variables = ["v", "w", "each one"]
    guard quantifierDepth < variables.count else { return simpleCondition(depth) }
    let isOfItems = choices.chance(3)
    let array = isOfItems ? items() : expression(.list, depth)
    let variable = variables[quantifierDepth]
    subjects.append(.variable(variable, isOfItems ? .item : .scalar))
    quantifierDepth += 1
    let satisfies = condition(depth)
    quantifierDepth -= 1
    subjects.removeLast()
    return .quantified(choices.one(of: Quantifier.allCases), variable: variable, in: array, satisfies: satisfies)
  }

  /// Returns an array of objects.
  private mutating func items() -> QueryExpression {
    for subject in choices.shuffled(subjects) {
      if case .document = subject { return subject.expression([.key("items")]) }
    }
    return reference(.list)
  }
}

extension QueryExpression {
  /// Whether the value is a truth value, and therefore never a string, to which an enclosing collation would apply.
  fileprivate var isTest: Bool {
    switch self {
    case .comparison, .is, .isValued, .in, .between, .like, .ilike, .exists, .not, .and, .or, .quantified: true
    case .function(let function, _, _): function == .contains || function == .arrayContains
    default: false
    }
  }
}
