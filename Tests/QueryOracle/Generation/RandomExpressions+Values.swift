import JSONText
import QueryModel

/// Values of each type.
extension RandomExpressions {
  mutating func expression(_ kind: RandomSubject.Kind, _ depth: Int) -> QueryExpression {
    guard depth > 0, !choices.chance(4) else { return leaf(kind) }
    return compound(kind, depth)
  }

  /// Returns an expression that is not a leaf.
  mutating func compound(_ kind: RandomSubject.Kind, _ depth: Int) -> QueryExpression {
    // Values of a wrong type have defined results as well.
    if choices.chance(12) { return any(depth - 1) }
    switch kind {
    case .number: return number(depth - 1)
    case .text: return text(depth - 1)
    case .list: return list(depth - 1)
    case .any: return any(depth - 1)
    }
  }

  private mutating func number(_ depth: Int) -> QueryExpression {
    switch choices.number(0..<13) {
    case 12: return .function(.arrayPosition, [expression(.list, depth), expression(.any, depth)])
    case 0..<5:
      return .arithmetic(
        choices.one(of: ArithmeticOperator.allCases), expression(.number, depth), expression(.number, depth))
    case 5 where !isPlain: return .negated(expression(.number, depth))
    case 6, 7:
      let function = choices.one(of: [QueryFunction.abs, .floor, .ceil, .round, .sign, .truncate])
      return .function(function, [expression(.number, depth)])
    case 8:
      let function = choices.one(of: [QueryFunction.divide, .integerDivide])
      return .function(function, [expression(.number, depth), expression(.number, depth)])
    case 9:
      let function = choices.one(of: [QueryFunction.length, .toNumber])
      return .function(function, [expression(.text, depth)])
    case 10:
      let function = choices.one(of: [QueryFunction.arrayLength, .arrayCount, .arraySum, .arrayMaximum, .arrayMinimum])
      return .function(function, [expression(.list, depth)])
    default: return choice(.number, depth)
    }
  }

  private mutating func text(_ depth: Int) -> QueryExpression {
    switch choices.number(0..<9) {
    case 0, 1:
      let parts = [expression(.text, depth), expression(choices.chance(3) ? .any : .text, depth)]
      return isPlain ? .function(.concatenate, parts) : .concatenation(parts[0], parts[1])
    case 2: return .function(.concatenate, several(1...3) { $0.expression(.text, depth) })
    case 3, 4:
      let function = choices.one(of: [QueryFunction.upper, .lower])
      return .function(function, [expression(.text, depth)])
    case 5:
      let function = choices.one(of: [QueryFunction.trim, .trimLeft, .trimRight])
      return .function(function, [expression(.text, depth)])
    case 6: return .function(choices.one(of: [.type, .toString]), [expression(.any, depth)])
    default: return choice(.text, depth)
    }
  }

  private mutating func list(_ depth: Int) -> QueryExpression {
    switch choices.number(0..<4) {
    case 0, 1: .array(several(0...3) { $0.expression(.any, depth) })
    case 2: .function(.arrayOf, several(1...2) { $0.expression(.any, depth) })
    default: choice(.list, depth)
    }
  }

  private mutating func any(_ depth: Int) -> QueryExpression {
    switch choices.number(0..<12) {
    case 0, 1: return expression(.number, depth + 1)
    case 2, 3: return expression(.text, depth + 1)
    case 4: return expression(.list, depth + 1)
    case 5, 6: return condition(depth + 1)
    case 7:
      let values = several(0...2) { $0.expression(.any, depth) }
      return .dictionary(zip(["k", "q"], values).map { DictionaryEntry($0, $1) })
    case 8 where !isPlain:
      return QueryExpression.dictionary([DictionaryEntry("a", expression(.any, depth))]).member(at: [.key("a")])
    case 9: return .function(.arrayFirstValued, [expression(.list, depth)])
    default: return choice(.any, depth)
    }
  }

  /// Returns one of several values of a type.
  private mutating func choice(_ kind: RandomSubject.Kind, _ depth: Int) -> QueryExpression {
    switch choices.number(0..<8) {
    case 0:
      let functions = [QueryFunction.ifMissing, .ifNull, .ifMissingOrNull, .greatest, .least]
      return .function(choices.one(of: functions), several(2...3) { $0.expression(kind, depth) })
    case 1: return .function(choices.one(of: [.nullIf, .missingIf]), several(2...2) { $0.expression(kind, depth) })
    case 2,
      3 where !isPlain:
      return conditional(kind, depth)
    case 4: return .function(choices.one(of: [.greatest, .least]), several(2...3) { $0.expression(kind, depth) })
    default: return reference(kind)
    }
  }

  /// Returns a `CASE` with or without a subject.
  mutating func conditional(_ kind: RandomSubject.Kind, _ depth: Int) -> QueryExpression {
    let subjectKind = choices.one(of: [RandomSubject.Kind.number, .text, .any])
    let subject = choices.chance(2) ? collated(expression(subjectKind, depth)) : nil
    let branches = several(1...2) { expressions in
      let when = subject == nil ? expressions.condition(depth) : expressions.expression(subjectKind, depth)
      return ConditionalBranch(when: when, then: expressions.expression(kind, depth))
    }
    return .conditional(
      subject: subject, branches: branches, otherwise: choices.chance(3) ? nil : expression(kind, depth))
  }
}
