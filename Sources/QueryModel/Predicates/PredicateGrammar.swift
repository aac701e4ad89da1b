import JSONText

/// The state of parsing a predicate: where in the text, and which variables are open.
///
/// Operators are in PredicateGrammar+Operators.swift, comparisons in PredicateGrammar+Comparisons.swift, operands in
/// PredicateGrammar+Operands.swift, paths in PredicateGrammar+Paths.swift, calls in PredicateGrammar+Calls.swift. The
/// grammar as a whole is in the comment of ``PredicateParser``.
struct PredicateGrammar {
  let source: SourceText
  let aggregation: PredicateParser.Aggregation
  private let tokens: [PredicateToken]
  private var index = 0
  /// How many expressions are open. Each is a level of the thread's stack.
  private var nesting = 0
  /// The variables of the open subqueries, outermost first.
  var variables: [String] = []

  init(_ text: String, _ aggregation: PredicateParser.Aggregation) throws(QuerySyntaxError) {
    source = SourceText(text)
    tokens = try PredicateLexer.tokens(of: source)
    self.aggregation = aggregation
  }

  /// An expression that is the rest of the text.
  mutating func whole(_ what: String) throws(QuerySyntaxError) -> QueryExpression {
    if current.kind == .end {
      throw source.error(.emptyQuery, at: current.span, expected: [.element(what)])
    }
    let operand = try value(operand(.disjunction))
    guard current.kind == .end else { throw unexpectedAfterExpression() }
    return operand.expression
  }

  // MARK: Tokens

  var current: PredicateToken { tokens[index] }

  func token(ahead count: Int) -> PredicateToken {
    tokens[min(index + count, tokens.count - 1)]
  }

  /// Takes the current token; the end is never passed.
  @discardableResult
  mutating func advance() -> PredicateToken {
    let token = current
    if index < tokens.count - 1 { index += 1 }
    return token
  }

  func isAt(_ symbol: PredicateToken.Symbol) -> Bool { current.kind == .symbol(symbol) }

  mutating func accept(_ keyword: PredicateKeyword) -> Bool {
    guard current.kind == .keyword(keyword) else { return false }
    advance()
    return true
  }

  mutating func accept(_ symbol: PredicateToken.Symbol) -> Bool {
    guard isAt(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: PredicateToken.Symbol) throws(QuerySyntaxError) {
    guard accept(symbol) else { throw unexpected([.symbol(symbol.rawValue)]) }
  }

  /// Takes the bracket that closes `opening`; at the end of the text the opening one is blamed.
  mutating func close(
    _ symbol: PredicateToken.Symbol, of opening: PredicateToken, or alternatives: [Diagnostic.Expectation] = []
  ) throws(QuerySyntaxError) {
    if current.kind == .end {
      throw source.error(.unclosedBracket, at: opening.span, expected: [.symbol(symbol.rawValue)])
    }
    guard accept(symbol) else { throw unexpected(alternatives + [.symbol(symbol.rawValue)]) }
  }

  /// One operand or more with commas between them.
  mutating func list() throws(QuerySyntaxError) -> [PredicateOperand] {
    var operands: [PredicateOperand] = []
    repeat {
      operands.append(try operand(.disjunction))
    } while accept(.comma)
    return operands
  }

  // MARK: Faults

  /// The current token cannot stand there.
  func unexpected(_ expected: [Diagnostic.Expectation], hint: DiagnosticHint? = nil) -> QuerySyntaxError {
    source.error(.unexpected, at: current.span, expected: expected, hint: hint ?? reservedWordHint(expected))
  }

  /// The current token cannot follow a complete expression.
  func unexpectedAfterExpression() -> QuerySyntaxError {
    if isAt(.rightParenthesis) || isAt(.rightBracket) || isAt(.rightBrace) {
      return source.error(.unopenedBracket, at: current.span)
    }
    return unexpected([.element("an operator")])
  }

  /// Advice for a word that was meant as a key.
  private func reservedWordHint(_ expected: [Diagnostic.Expectation]) -> DiagnosticHint? {
    guard case .keyword = current.kind, expected == [.element("an expression")] else { return nil }
    return .reservedKey(source.text(current.span))
  }

  // MARK: Depth and size

  /// Runs `body` one level deeper.
  mutating func nested<T>(
    _ body: (inout PredicateGrammar) throws(QuerySyntaxError) -> T
  ) throws(QuerySyntaxError) -> T {
    guard nesting < SQLParser.maximumDepth else { throw tooDeep(at: current) }
    nesting += 1
    defer { nesting -= 1 }
    return try body(&self)
  }

  /// An expression over operands that are parsed already.
  ///
  /// - Parameters:
  ///   - levels: how many levels it puts above them, at most.
  ///   - copies: how often each of them stands in it, at most.
  func node(
    _ expression: QueryExpression, over operands: [PredicateOperand], at token: PredicateToken, levels: Int = 1,
    copies: Int = 1
  ) throws(QuerySyntaxError) -> PredicateOperand {
    for operand in operands { try value(operand) }
    let height = (operands.map(\.height).max() ?? 0) + levels
    if height > SQLParser.maximumDepth { throw tooDeep(at: token) }
    let size = operands.reduce(levels) { $0 + $1.size * copies }
    // Without copies a tree is no larger than its text.
    if copies > 1, size > PredicateParser.maximumSize {
      throw source.error(.tooLarge(limit: PredicateParser.maximumSize), at: token.span)
    }
    return PredicateOperand(expression, height: height, size: size)
  }

  private func tooDeep(at token: PredicateToken) -> QuerySyntaxError {
    source.error(.tooDeep(limit: SQLParser.maximumDepth), at: token.span)
  }
}

/// An expression with what bounds it: the height and the size of its tree.
struct PredicateOperand {
  var expression: QueryExpression
  let height: Int
  /// How many expressions there are in it, at most.
  let size: Int
  /// What `SUBQUERY(…)` is: no value, until it is counted and its count compared.
  var subquery: Subquery?

  /// A subquery with its place. The expression of the operand says whether there is any such element.
  struct Subquery {
    let span: SourceSpan
    var isCounted = false
  }

  init(_ expression: QueryExpression, height: Int = 1, size: Int = 1) {
    self.expression = expression
    self.height = height
    self.size = size
  }
}

extension PredicateGrammar {
  /// The operand, which must be a value and no subquery.
  @discardableResult
  func value(_ operand: PredicateOperand) throws(QuerySyntaxError) -> PredicateOperand {
    guard let subquery = operand.subquery else { return operand }
    throw source.error(.unsupported, at: subquery.span, hint: .countSubquery)
  }
}
