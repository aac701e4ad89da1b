/// The grammar of the match language.
///
/// ```
/// query       = conjunction { "OR" conjunction }
/// conjunction = difference { "AND" difference }
/// difference  = sequence { "NOT" sequence }
/// sequence    = term { term }
/// term        = [ fields ":" ] ( "(" query ")" | group )
/// ```
/// `fields` is in MatchGrammar+Fields.swift, `group` in MatchGrammar+Phrases.swift.
///
/// Parentheses are kept on an explicit stack, so that a deeply nested query from an untrusted user cannot exhaust the
/// stack of the thread, which may be small.
struct MatchGrammar: TokenReader {
  let source: QueryText
  let tokens: [MatchToken]
  var index = 0
  /// The open parentheses, outermost first.
  private var outer: [MatchLevel] = []
  private var level = MatchLevel(opening: nil, filter: nil)

  init(source: QueryText, tokens: [MatchToken]) {
    self.source = source
    self.tokens = tokens
  }

  mutating func parse() throws(QuerySyntaxError) -> MatchQuery {
    if current.kind == .end {
      throw source.error(.emptyQuery, at: current.span, expected: Self.operandExpectation)
    }
    while true {
      if current.startsOperand {
        try takeTerm()
        continue
      }
      guard !level.terms.isEmpty else { throw missingOperand(after: level.previous) }
      switch current.kind {
      case .not: level.endSequence()
      case .and: level.endDifference()
      case .or: level.endConjunction()
      case .rightParenthesis: try closeParenthesis()
      case .end: return try finish()
      default: throw unexpected(expected: Self.operatorExpectation + (outer.isEmpty ? [] : [.symbol(")")]))
      }
      try checkDepth(of: level.depth)
      let token = advance()
      if token.kind != .rightParenthesis { level.previous = token }
    }
  }

  // MARK: Terms and parentheses

  private mutating func takeTerm() throws(QuerySyntaxError) {
    let filter = try fieldFilter()
    if current.kind == .leftParenthesis {
      guard outer.count < MatchParser.maximumDepth else { throw tooDeep() }
      outer.append(level)
      level = MatchLevel(opening: advance(), filter: filter)
    } else {
      try append(MatchTerm(try group()), in: filter)
    }
  }

  /// Ends the level that the current token, a closing parenthesis, closes. The caller consumes the token.
  private mutating func closeParenthesis() throws(QuerySyntaxError) {
    guard var parent = outer.popLast() else { throw source.error(.unopenedBracket, at: current.span) }
    let operand = level.finish()
    let filter = level.filter
    swap(&level, &parent)
    level.terms.append(MatchTerm(operand).filtered(by: filter))
    try checkDepth(of: level.depth)
    try rejectInfixNear(ahead: 1)
  }

  private mutating func append(_ term: MatchTerm, in filter: FieldFilter?) throws(QuerySyntaxError) {
    let term = term.filtered(by: filter)
    level.terms.append(term)
    if term.phrase == nil { try rejectInfixNear(ahead: 0) }
  }

  private mutating func finish() throws(QuerySyntaxError) -> MatchQuery {
    if let opening = level.opening {
      throw source.error(.unclosedBracket, at: opening.span, expected: [.symbol(")")])
    }
    let operand = level.finish()
    try checkDepth(of: operand.depth)
    return operand.query
  }

  private func checkDepth(of depth: Int) throws(QuerySyntaxError) {
    if depth > MatchParser.maximumDepth { throw tooDeep() }
  }

  private func tooDeep() -> QuerySyntaxError {
    source.error(.tooDeep(limit: MatchParser.maximumDepth), at: current.span)
  }

  // MARK: Tokens

  var next: MatchToken { token(ahead: 1) }

  var isInParentheses: Bool { !outer.isEmpty }

  mutating func accept(_ kind: MatchToken.Kind) -> MatchToken? {
    current.kind == kind ? advance() : nil
  }
}
