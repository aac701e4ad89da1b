/// Parsing of operators by precedence climbing: the right operand of an operator is everything that binds more tightly.
///
/// See V. R. Pratt, "Top down operator precedence", 1973.
extension SQLGrammar {
  mutating func expression() throws(QuerySyntaxError) -> QueryExpression {
    try operand(.collation).expression
  }

  /// Parses an expression of operators that bind at least as tightly as `minimum`.
  mutating func operand(_ minimum: SQLPrecedence) throws(QuerySyntaxError) -> SQLOperand {
    try nested { grammar throws(QuerySyntaxError) in
      var left = try grammar.prefixed()
      // The right operand already includes everything that binds more tightly than the last operator. After `IS NULL`,
      // which has no right operand, such an operator is an error: `a IS NULL + 1`.
      var ceiling = SQLPrecedence.operand
      while true {
        if grammar.isAt(.collate) {
          let isTight = grammar.comparisonFollowsCollation()
          guard isTight || minimum == .collation else { return left }
          left = try grammar.collated(left)
          if !isTight { ceiling = .conjunction }
          continue
        }
        guard let infix = grammar.infix(), infix.precedence >= minimum, infix.precedence <= ceiling else {
          return left
        }
        left = try grammar.combined(left, infix)
        ceiling = infix.isChained ? infix.precedence : infix.precedence.looser
      }
    }
  }

  // MARK: Before an operand

  /// Parses an operand with its prefix operators. Split into two functions because the frame of the second is large and
  /// most levels of nesting do not need it.
  private mutating func prefixed() throws(QuerySyntaxError) -> SQLOperand {
    let isPrefixed = isAt(.not) || isAt(.minus) || isAt(.plus) || isExists
    return isPrefixed ? try prefixOperator() : try primary()
  }

  private mutating func prefixOperator() throws(QuerySyntaxError) -> SQLOperand {
    let token = current
    switch token.kind {
    case .keyword(.not):
      advance()
      let inner = try operand(.negation)
      return try node(.not(inner.expression), over: [inner], at: token)
    case .symbol(.minus):
      advance()
      if let number = negativeNumber() { return SQLOperand(number) }
      let inner = try nested { grammar throws(QuerySyntaxError) in try grammar.prefixed() }
      return try node(.negated(inner.expression), over: [inner], at: token)
    case .symbol(.plus):
      advance()
      return try nested { grammar throws(QuerySyntaxError) in try grammar.prefixed() }
    default:
      advance()
      let inner = try nested { grammar throws(QuerySyntaxError) in try grammar.prefixed() }
      return try node(.exists(inner.expression), over: [inner], at: token)
    }
  }

  /// Parses `-5` as a literal, because the minimum integer has no positive counterpart.
  private mutating func negativeNumber() -> QueryExpression? {
    switch current.kind {
    case .integer, .double: break
    default: return nil
    }
    let isPath = token(ahead: 1).kind == .symbol(.dot) || token(ahead: 1).kind == .symbol(.leftBracket)
    if isPath { return nil }
    let text = "-" + source.text(advance().span)
    if let value = Int64(text) { return .integer(value) }
    return Double(text).map { .double($0) }
  }

  /// `EXISTS` is a name unless an operand follows it.
  private var isExists: Bool {
    guard current.isWord("EXISTS") else { return false }
    switch token(ahead: 1).kind {
    case .name, .parameter, .string, .integer, .double: return true
    case .symbol(.leftParenthesis), .symbol(.leftBracket), .symbol(.leftBrace): return true
    case .keyword(.case), .keyword(.any), .keyword(.every), .keyword(.missing), .keyword(.null), .keyword(.true),
      .keyword(.false):
      return true
    default: return false
    }
  }

  // MARK: Between operands

  enum Infix {
    case or, and, isTest, membership, pattern, caselessPattern, range, isNot
    case comparison(ComparisonOperator)
    case arithmetic(ArithmeticOperator)
    case concatenation

    var precedence: SQLPrecedence {
      switch self {
      case .or: .disjunction
      case .and: .conjunction
      case .isTest, .isNot, .membership, .pattern, .caselessPattern, .range: .equality
      case .comparison(let comparison): comparison.precedence
      case .arithmetic(let arithmetic): arithmetic.precedence
      case .concatenation: .concatenation
      }
    }

    /// Whether another operator of the same precedence may follow.
    var isChained: Bool {
      switch self {
      case .membership, .pattern, .caselessPattern, .range: false
      default: true
      }
    }
  }

  /// Returns the operator at a token, or nil. The token is not consumed.
  func infix(ahead count: Int = 0) -> Infix? {
    switch token(ahead: count).kind {
    case .keyword(.or): .or
    case .keyword(.and): .and
    case .keyword(.is): .isTest
    case .keyword(.in): .membership
    case .keyword(.like): .pattern
    case .keyword(.ilike): .caselessPattern
    case .keyword(.between): .range
    case .keyword(.not):
      switch token(ahead: count + 1).kind {
      case .keyword(.in): .membership
      case .keyword(.like): .pattern
      case .keyword(.ilike): .caselessPattern
      case .keyword(.between): .range
      case .keyword(.null), .keyword(.missing), .keyword(.valued): .isNot
      default: nil
      }
    case .symbol(.concatenation): .concatenation
    case .symbol(.doubleEqual): .comparison(.equal)
    case .symbol(.lessGreater): .comparison(.notEqual)
    case .symbol(let symbol):
      if let comparison = ComparisonOperator(rawValue: symbol.rawValue) {
        .comparison(comparison)
      } else if let arithmetic = ArithmeticOperator(rawValue: symbol.rawValue) {
        .arithmetic(arithmetic)
      } else {
        nil
      }
    default: nil
    }
  }

  /// Parses an operator and its right operand.
  private mutating func combined(_ left: SQLOperand, _ infix: Infix) throws(QuerySyntaxError) -> SQLOperand {
    let token = current
    let isNegated = accept(.not)
    if case .isNot = infix {} else { advance() }
    let result: SQLOperand
    switch infix {
    case .or: return try chain(left, .or, .disjunction, at: token) { .or($0) }
    case .and: return try chain(left, .and, .conjunction, at: token) { .and($0) }
    case .comparison(let comparison):
      let right = try operand(infix.precedence.tighter)
      let expression = QueryExpression.comparison(comparison, left.expression, right.expression)
      return try node(expression, over: [left, right], at: token)
    case .arithmetic(let arithmetic):
      let right = try operand(infix.precedence.tighter)
      let expression = QueryExpression.arithmetic(arithmetic, left.expression, right.expression)
      return try node(expression, over: [left, right], at: token)
    case .concatenation:
      let right = try operand(infix.precedence.tighter)
      return try node(.concatenation(left.expression, right.expression), over: [left, right], at: token)
    case .isTest: return try identity(left, isNegated: accept(.not), at: token)
    case .isNot: return try identity(left, isNegated: true, at: token)
    case .membership:
      let right = try arrayOperand()
      result = try node(.in(left.expression, right.expression), over: [left, right], at: token)
    case .pattern:
      let right = try operand(.relation)
      result = try node(.like(left.expression, pattern: right.expression), over: [left, right], at: token)
    case .caselessPattern:
      let right = try operand(.relation)
      result = try node(.ilike(left.expression, pattern: right.expression), over: [left, right], at: token)
    case .range:
      let low = try operand(.relation)
      try expect(.and)
      let high = try operand(.relation)
      let expression = QueryExpression.between(left.expression, low: low.expression, high: high.expression)
      result = try node(expression, over: [left, low, high], at: token)
    }
    return isNegated ? try node(.not(result.expression), over: [result], at: token) : result
  }

  /// Parses all operands between operators of one kind, so that a long condition is a wide tree and not a deep one.
  private mutating func chain(
    _ first: SQLOperand, _ keyword: SQLKeyword, _ precedence: SQLPrecedence, at token: SQLToken,
    _ make: ([QueryExpression]) -> QueryExpression
  ) throws(QuerySyntaxError) -> SQLOperand {
    var operands = [first]
    repeat {
      operands.append(try operand(precedence.tighter))
    } while accept(keyword)
    return try node(make(operands.map(\.expression)), over: operands, at: token)
  }

  /// Parses the right side of `IS` or `IS NOT`.
  private mutating func identity(
    _ left: SQLOperand, isNegated: Bool, at token: SQLToken
  ) throws(QuerySyntaxError) -> SQLOperand {
    let result: SQLOperand
    if accept(.valued) {
      result = try node(.isValued(left.expression), over: [left], at: token)
    } else {
      let right = try operand(.relation)
      result = try node(.is(left.expression, right.expression), over: [left, right], at: token)
    }
    return isNegated ? try node(.not(result.expression), over: [result], at: token) : result
  }

  /// Parses the right operand of `IN`. ``SQLParser`` describes the meaning of parentheses.
  private mutating func arrayOperand() throws(QuerySyntaxError) -> SQLOperand {
    guard isAt(.leftParenthesis) else { return try operand(.relation) }
    let start = index
    let opening = advance()
    var elements: [SQLOperand] = []
    if !isAt(.rightParenthesis) {
      elements = try list { grammar throws(QuerySyntaxError) in try grammar.operand(.collation) }
    }
    let isDouble = elements.count == 1 && lastParentheses == start + 1..<index
    try close(.rightParenthesis, of: opening, or: [.element("an operator"), .symbol(",")])
    if isDouble, let array = elements.first { return array }
    return try node(.array(elements.map(\.expression)), over: elements, at: opening)
  }
}
