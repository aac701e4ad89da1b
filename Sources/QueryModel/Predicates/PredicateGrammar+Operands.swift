import JSONText

/// Parsing of operands: literals, lists, names, and parenthesized expressions.
extension PredicateGrammar {
  /// Parses an operand with the path after it.
  mutating func primary() throws(QuerySyntaxError) -> PredicateOperand {
    let token = current
    switch token.kind {
    case .name where isCall: return try path(after: call(), at: token)
    case .name(let name, let isEscaped):
      advance()
      return try path(from: [Step(.key(name), isEscaped: isEscaped, token: token)], of: document, at: token)
    case .keyword(.`self`):
      advance()
      return try path(after: document, at: token)
    case .symbol(.at): return try collectedRows()
    default: return try path(after: primaryWithoutPath(), at: token)
    }
  }

  private mutating func primaryWithoutPath() throws(QuerySyntaxError) -> PredicateOperand {
    switch current.kind {
    case .string(let text): return literal(.string(text))
    case .integer(let number): return literal(.integer(number))
    case .double(let number): return literal(.double(number))
    case .variable(let name) where variables.contains(name): return literal(.variable(name, PropertyPath([])))
    case .variable(let name): return literal(.parameter(name))
    case .keyword(.null), .keyword(.nil): return literal(.null)
    case .keyword(.true), .keyword(.yes), .keyword(.truePredicate): return literal(.boolean(true))
    case .keyword(.false), .keyword(.no), .keyword(.falsePredicate): return literal(.boolean(false))
    case .symbol(.leftParenthesis): return try parenthesized()
    case .symbol(.leftBrace): return try braced()
    default: throw unexpected([.element("an expression")])
    }
  }

  private var document: PredicateOperand { PredicateOperand(.everything(source: nil)) }

  private mutating func literal(_ expression: QueryExpression) -> PredicateOperand {
    advance()
    return PredicateOperand(expression)
  }

  private mutating func parenthesized() throws(QuerySyntaxError) -> PredicateOperand {
    let opening = advance()
    let inner = try operand(.disjunction)
    if isAt(.comma) { throw unexpected([.element("an operator"), .symbol(")")], hint: .listInBraces) }
    try close(.rightParenthesis, of: opening, or: [.element("an operator")])
    return inner
  }

  /// `{a, b}`
  private mutating func braced() throws(QuerySyntaxError) -> PredicateOperand {
    let opening = advance()
    let elements = isAt(.rightBrace) || current.kind == .end ? [] : try list()
    try close(.rightBrace, of: opening, or: [.element("an operator"), .symbol(",")])
    return try node(.array(elements.map(\.expression)), over: elements, at: opening)
  }
}
