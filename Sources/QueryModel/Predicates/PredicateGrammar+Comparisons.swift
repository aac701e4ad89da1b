/// Parses comparisons, whose operands are two values, the elements of an array, or a subquery.
extension PredicateGrammar {
  /// The right operand of a comparison, with its option letters and the position of its first token.
  struct RightSide {
    let options: PredicateOptions
    let operand: PredicateOperand
    let start: PredicateToken
  }

  mutating func rightSide(of comparison: PredicateComparison) throws(QuerySyntaxError) -> RightSide {
    let options = try options(of: comparison)
    let start = current
    let right = RightSide(options: options, operand: try operand(.addition), start: start)
    try check(comparison, right)
    return right
  }

  /// Returns the comparison of two values.
  func compare(
    _ left: PredicateOperand, _ comparison: PredicateComparison, _ right: RightSide, at token: PredicateToken
  ) throws(QuerySyntaxError) -> PredicateOperand {
    if left.subquery?.isCounted == true || right.operand.subquery?.isCounted == true {
      return try compareCount(left, comparison, right.operand, at: token)
    }
    let operands = try sides(left, comparison, right, at: token)
    let condition = comparison.condition(operands[0].expression, operands[1].expression, right.options)
    return try node(condition, over: operands, at: token, levels: comparison.levels, copies: comparison.copies)
  }

  /// Returns the operands of a comparison. If the comparison has a collation, comparisons inside the operands still
  /// compare bytes.
  private func sides(
    _ left: PredicateOperand, _ comparison: PredicateComparison, _ right: RightSide, at token: PredicateToken
  ) throws(QuerySyntaxError) -> [PredicateOperand] {
    var operands = [left, right.operand]
    guard comparison.collation(right.options) != nil else { return operands }
    for (position, operand) in operands.enumerated() {
      let expression = operand.expression.comparingBytes
      if expression != operand.expression {
        operands[position] = try node(expression, over: [operand], at: token)
      }
    }
    return operands
  }

  /// Parses comparison options such as `[cd]`, if present.
  private mutating func options(of comparison: PredicateComparison) throws(QuerySyntaxError) -> PredicateOptions {
    guard isAt(.leftBracket) else { return PredicateOptions() }
    let opening = advance()
    // Regular expressions cannot ignore accents.
    let letters = comparison == .matches ? "cn" : "cdln"
    guard case .name(let text, isEscaped: false) = current.kind, let options = PredicateOptions(text),
      text.lowercased().allSatisfy(letters.contains)
    else {
      let flags = comparison == .matches ? ["c"] : ["c", "d", "cd", "l"]
      throw unexpected(flags.map { .symbol($0) }, hint: comparison == .in ? .listInBraces : nil)
    }
    advance()
    try close(.rightBracket, of: opening)
    return options
  }

  /// Reports errors that can be detected without evaluating the comparison.
  private func check(_ comparison: PredicateComparison, _ right: RightSide) throws(QuerySyntaxError) {
    let value = right.operand.expression
    guard value.isLiteral else { return }
    let expected: String
    switch comparison {
    case .compare, .contains: return
    case .beginsWith, .endsWith, .like, .matches:
      if value.isString { return }
      expected = "a string"
    case .between:
      if case .array(let ends) = value, ends.count == 2 { return }
      expected = "two values, as in {1, 5}"
    case .in:
      if case .array = value { return }
      if value.isString { return }
      expected = "a list, as in {1, 5}"
    }
    throw source.error(.unexpected, at: right.start.span, expected: [.element(expected)])
  }

  // MARK: Subqueries

  /// Parses `SUBQUERY(…).@count > 0`. The comparison must be one whose result depends only on whether the count is 0.
  private func compareCount(
    _ left: PredicateOperand, _ comparison: PredicateComparison, _ right: PredicateOperand, at token: PredicateToken
  ) throws(QuerySyntaxError) -> PredicateOperand {
    let isFlipped = left.subquery?.isCounted != true
    var (counted, bound) = isFlipped ? (right, left) : (left, right)
    try value(bound)
    guard case .compare(let symbol) = comparison, case .integer(let number) = bound.expression,
      let condition = counted.expression.counted(isFlipped ? symbol.flipped : symbol, number)
    else {
      throw source.error(.unsupported, at: counted.subquery?.span ?? token.span, hint: .countSubquery)
    }
    counted.subquery = nil
    return try node(condition, over: [counted], at: token)
  }

  // MARK: Elements

  /// Parses `ANY x op y`, `SOME x op y`, `ALL x op y` and `NONE x op y`.
  mutating func quantified() throws(QuerySyntaxError) -> PredicateOperand {
    let quantifier = advance()
    let left = try value(operand(.addition))
    let token = current
    guard let comparison = PredicateComparison(token.kind) else {
      throw unexpected([.element("a comparison")])
    }
    advance()
    let right = try rightSide(of: comparison)
    let operands = try sides(left, comparison, right, at: token)
    let elements = PredicateElements(operands[0].expression)
    // The size is checked before the condition is built, because the copies of a long path are much larger than the
    // path.
    var result = try node(
      .boolean(true), over: operands, at: token, levels: comparison.levels + 2,
      copies: comparison.copies * elements.count)
    let name = PredicateElements.variable(for: operands.map(\.expression))
    let isEvery = quantifier.kind == .keyword(.all)
    result.expression = elements.quantified(isEvery ? .every : .any, variable: name) { element in
      comparison.condition(element, operands[1].expression, right.options)
    }
    guard quantifier.kind == .keyword(.none) else { return result }
    return try node(.not(result.expression), over: [result], at: quantifier)
  }
}

extension QueryExpression {
  /// The expression with a binary collation for every comparison that has no explicit one, so that an enclosing
  /// collation does not apply.
  fileprivate var comparingBytes: QueryExpression {
    switch self {
    case .comparison, .in, .between, .like, .function(.contains, _, _), .function(.arrayContains, _, _):
      .collated(mapChildren(\.comparingBytes), .binary)
    case .collated: self
    default: mapChildren(\.comparingBytes)
    }
  }
}
