/// How tightly the operators of predicates bind, the loosest first.
enum PredicatePrecedence: Int, Comparable {
  case disjunction, conjunction, negation, comparison, addition, multiplication, prefix, power, operand

  /// The next tighter precedence.
  var tighter: PredicatePrecedence { PredicatePrecedence(rawValue: rawValue + 1) ?? .operand }

  static func < (first: PredicatePrecedence, second: PredicatePrecedence) -> Bool { first.rawValue < second.rawValue }
}

/// Parsing of operators by precedence climbing, as in ``SQLGrammar``.
extension PredicateGrammar {
  /// Parses an expression of operators that bind at least as tightly as `minimum`.
  mutating func operand(_ minimum: PredicatePrecedence) throws(QuerySyntaxError) -> PredicateOperand {
    try nested { grammar throws(QuerySyntaxError) in
      // Comparisons do not chain.
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

  /// Parses `-x`. `-5` is a literal, because the minimum integer has no positive counterpart.
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

  /// The operator at the current token, or nil. The token is not consumed.
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

  /// Parses an operator and its right operand.
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
      // Right-associative, and the exponent may have a sign.
      let right = try operand(.power)
      return try node(.function(.power, [left.expression, right.expression]), over: [left, right], at: token)
    }
  }

  /// Parses all operands between operators of one kind, so that a long condition is a wide tree and not a deep one.
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
  /// Whether the token begins a construct that includes the comparison after it.
  fileprivate var beginsCondition: Bool {
    isQuantifier || kind == .keyword(.not) || kind == .symbol(.not)
  }

  /// Whether the token is a quantifier.
  var isQuantifier: Bool {
    switch kind {
    case .keyword(.any), .keyword(.some), .keyword(.all), .keyword(.none): true
    default: false
    }
  }
}
