/// How tightly the operators of predicates bind, the loosest first.
enum PredicatePrecedence: Int, Comparable {
  case disjunction, conjunction, negation, comparison, addition, multiplication, prefix, power, operand

  /// The next tighter one.
  var tighter: PredicatePrecedence { PredicatePrecedence(rawValue: rawValue + 1) ?? .operand }

  static func < (first: PredicatePrecedence, second: PredicatePrecedence) -> Bool { first.rawValue < second.rawValue }
}

/// Operators, by precedence climbing as in ``SQLGrammar``.
extension PredicateGrammar {
  /// An expression of operators that bind at least as tightly as `minimum`.
  mutating func operand(_ minimum: PredicatePrecedence) throws(QuerySyntaxError) -> PredicateOperand {
    try nested { grammar throws(QuerySyntaxError) in
      // Behind a comparison there can be no other.
      var ceiling = grammar.current.beginsCondition ? PredicatePrecedence.negation : .operand
      var left = try grammar.prefixed()
      while let infix = grammar.infix, infix.precedence >= minimum, infix.precedence <= ceiling {
        left = try grammar.combined(left, infix)
        ceiling = infix.precedence == .comparison ? .negation : infix.precedence
      }
      return left
    }
  }

  // MARK: Before an operand

  private mutating func prefixed() throws(QuerySyntaxError) -> PredicateOperand {
    let token = current
    switch token.kind {
    case .keyword(.not), .symbol(.not):
      advance()
      let inner = try operand(.negation)
      return try node(.not(inner.expression), over: [inner], at: token)
    case .symbol(.minus): return try negated()
    case _ where token.isQuantifier: return try quantified()
    default: return try primary()
    }
  }

  /// `-x`; `-5` is a literal, for the least integer has no positive counterpart.
  private mutating func negated() throws(QuerySyntaxError) -> PredicateOperand {
    let token = advance()
    if self.token(ahead: 1).kind != .symbol(.power), let number = negativeNumber() {
      advance()
      return PredicateOperand(number)
    }
    let inner = try operand(.prefix)
    return try node(.negated(inner.expression), over: [inner], at: token)
  }

  private func negativeNumber() -> QueryExpression? {
    switch current.kind {
    case .integer(let number): .integer(-number)
    case .double(let number): Int64("-" + source.text(current.span)).map { .integer($0) } ?? .double(-number)
    default: nil
    }
  }

  // MARK: Between operands

  enum Infix {
    case or, and
    case comparison(PredicateComparison)
    case arithmetic(ArithmeticOperator)
    case power

    var precedence: PredicatePrecedence {
      switch self {
      case .or: .disjunction
      case .and: .conjunction
      case .comparison: .comparison
      case .arithmetic(.add), .arithmetic(.subtract): .addition
      case .arithmetic: .multiplication
      case .power: .power
      }
    }
  }

  /// The operator at the current token, or nil. It is not taken.
  private var infix: Infix? {
    switch current.kind {
    case .keyword(.or), .symbol(.or): .or
    case .keyword(.and), .symbol(.and): .and
    case .symbol(.plus): .arithmetic(.add)
    case .symbol(.minus): .arithmetic(.subtract)
    case .symbol(.star): .arithmetic(.multiply)
    case .symbol(.slash): .arithmetic(.divide)
    case .symbol(.power): .power
    default: PredicateComparison(current.kind).map { .comparison($0) }
    }
  }

  /// Takes an operator and its right side.
  private mutating func combined(
    _ left: PredicateOperand, _ infix: Infix
  ) throws(QuerySyntaxError) -> PredicateOperand {
    let token = advance()
    switch infix {
    case .or: return try chain(left, infix, at: token) { .or($0) }
    case .and: return try chain(left, infix, at: token) { .and($0) }
    case .comparison(let comparison):
      return try compare(left, comparison, rightSide(of: comparison), at: token)
    case .arithmetic(let arithmetic):
      let right = try operand(infix.precedence.tighter)
      return try node(.arithmetic(arithmetic, left.expression, right.expression), over: [left, right], at: token)
    case .power:
      // From the right, and a sign may stand in front of the exponent.
      let right = try operand(.power)
      return try node(.function(.power, [left.expression, right.expression]), over: [left, right], at: token)
    }
  }

  /// All operands that stand between operators of one kind: a long condition is wide, not deep.
  private mutating func chain(
    _ first: PredicateOperand, _ infix: Infix, at token: PredicateToken,
    _ make: ([QueryExpression]) -> QueryExpression
  ) throws(QuerySyntaxError) -> PredicateOperand {
    var operands = [first]
    operands.append(try operand(infix.precedence.tighter))
    while self.infix?.precedence == infix.precedence {
      advance()
      operands.append(try operand(infix.precedence.tighter))
    }
    return try node(make(operands.map(\.expression)), over: operands, at: token)
  }
}

extension PredicateToken {
  /// Whether the token begins something that takes all the comparison behind it.
  fileprivate var beginsCondition: Bool {
    isQuantifier || kind == .keyword(.not) || kind == .symbol(.not)
  }

  /// Whether the token says how many elements must satisfy a comparison.
  var isQuantifier: Bool {
    switch kind {
    case .keyword(.any), .keyword(.some), .keyword(.all), .keyword(.none): true
    default: false
    }
  }
}
