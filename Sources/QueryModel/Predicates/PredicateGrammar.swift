import JSONText

/// The state of parsing a predicate: the current position and the variables in scope.
///
/// Operators are in PredicateGrammar+Operators.swift, comparisons in PredicateGrammar+Comparisons.swift, operands in
/// PredicateGrammar+Operands.swift, paths in PredicateGrammar+Paths.swift, calls in PredicateGrammar+Calls.swift.
/// ``PredicateParser`` documents the grammar.
struct PredicateGrammar: QueryGrammar {
  typealias Symbol = PredicateToken.Symbol

  let source: QueryText
  let aggregation: PredicateParser.Aggregation
  let tokens: [PredicateToken]
  var index = 0
  var nesting = 0
  let stack = StackSpace()
  /// The variables of the enclosing subqueries, outermost first.
  var variables: [String] = []

  init(_ text: String, _ aggregation: PredicateParser.Aggregation) throws(QuerySyntaxError) {
    source = QueryText(text)
    tokens = try PredicateLexer.tokens(of: source)
    self.aggregation = aggregation
  }

  /// Parses an expression that extends to the end of the text.
  mutating func whole(_ what: String) throws(QuerySyntaxError) -> QueryExpression {
    if current.kind == .end {
      throw source.error(.emptyQuery, at: current.span, expected: [.element(what)])
    }
    let operand = try value(operand(.disjunction))
    guard current.kind == .end else { throw unexpectedAfterExpression() }
    return operand.expression
  }

  // MARK: Tokens

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

  /// Parses one or more operands separated by commas.
  mutating func list() throws(QuerySyntaxError) -> [PredicateOperand] {
    var operands: [PredicateOperand] = []
    repeat {
      operands.append(try operand(.disjunction))
    } while accept(.comma)
    return operands
  }

  // MARK: Errors

  /// Returns the error for a current token that is not allowed at this position.
  func unexpected(_ expected: [Diagnostic.Expectation], hint: DiagnosticHint? = nil) -> QuerySyntaxError {
    source.error(.unexpected, at: current.span, expected: expected, hint: hint ?? reservedWordHint(expected))
  }

  /// Returns the error for a token that cannot follow a complete expression.
  func unexpectedAfterExpression() -> QuerySyntaxError {
    if isAt(.rightParenthesis) || isAt(.rightBracket) || isAt(.rightBrace) {
      return source.error(.unopenedBracket, at: current.span)
    }
    return unexpected([.element("an operator")])
  }

  /// Returns advice if a reserved word was probably meant as a key.
  private func reservedWordHint(_ expected: [Diagnostic.Expectation]) -> DiagnosticHint? {
    guard case .keyword = current.kind, expected == [.element("an expression")] else { return nil }
    return .reservedKey(source.text(current.span))
  }

  // MARK: Depth and size

  /// Creates an expression over operands that are already parsed.
  ///
  /// - Parameters:
  ///   - levels: the maximum number of levels that it adds above the operands.
  ///   - copies: the maximum number of times each operand occurs in it.
  func node(
    _ expression: QueryExpression, over operands: [PredicateOperand], at token: PredicateToken, levels: Int = 1,
    copies: Int = 1
  ) throws(QuerySyntaxError) -> PredicateOperand {
    for operand in operands { try value(operand) }
    let height = (operands.map(\.height).max() ?? 0) + levels
    if height > SQLParser.maximumDepth { throw tooDeep(at: token) }
    let size = operands.reduce(levels) { $0 + $1.size * copies }
    // Without copies, a tree is not larger than its text.
    if copies > 1, size > PredicateParser.maximumSize {
      throw source.error(.tooLarge(limit: PredicateParser.maximumSize), at: token.span)
    }
    return PredicateOperand(expression, height: height, size: size)
  }
}

/// An expression with bounds on the height and the size of its tree.
struct PredicateOperand {
  var expression: QueryExpression
  let height: Int
  /// An upper bound on the number of expressions in the tree.
  let size: Int
  /// The content of a `SUBQUERY(…)`, which is not a value until its count is compared.
  var subquery: Subquery?

  /// A subquery with its span. The expression of the operand is true if any element satisfies the subquery.
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
  /// Returns the operand if it is a value; throws if it is a subquery.
  @discardableResult
  func value(_ operand: PredicateOperand) throws(QuerySyntaxError) -> PredicateOperand {
    guard let subquery = operand.subquery else { return operand }
    throw source.error(.unsupported, at: subquery.span, hint: .countSubquery)
  }
}
