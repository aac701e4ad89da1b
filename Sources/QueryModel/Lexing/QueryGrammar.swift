/// A parser of a language whose expressions can be nested.
protocol QueryGrammar: TokenReader where Token: LexicalToken {
  /// A punctuation mark or operator.
  associatedtype Symbol: RawRepresentable<String>

  var source: QueryText { get }
  /// The current nesting depth. Each level uses space on the thread's stack.
  var nesting: Int { get set }
  var stack: StackSpace { get }

  /// Moves past a symbol if it is the current token.
  ///
  /// - Returns: whether it is.
  mutating func accept(_ symbol: Symbol) -> Bool
  /// Returns the error for a current token that is not allowed at this position.
  func unexpected(_ expected: [Diagnostic.Expectation], hint: DiagnosticHint?) -> QuerySyntaxError
}

extension QueryGrammar {
  /// Consumes the bracket that closes `opening`. At the end of the text, the error points at the opening bracket.
  mutating func close(
    _ symbol: Symbol, of opening: Token, or alternatives: [Diagnostic.Expectation] = []
  ) throws(QuerySyntaxError) {
    if current.isEnd {
      throw source.error(.unclosedBracket, at: opening.span, expected: [.symbol(symbol.rawValue)])
    }
    guard accept(symbol) else { throw unexpected(alternatives + [.symbol(symbol.rawValue)], hint: nil) }
  }

  /// Runs `body` with the nesting depth increased by one.
  mutating func nested<T>(_ body: (inout Self) throws(QuerySyntaxError) -> T) throws(QuerySyntaxError) -> T {
    guard nesting < SQLParser.maximumDepth else { throw tooDeep(at: current) }
    guard stack.hasRoom(at: nesting) else { throw source.error(.stackTooSmall(levels: nesting), at: current.span) }
    nesting += 1
    defer { nesting -= 1 }
    return try body(&self)
  }

  /// Returns the error for an expression that is nested too deeply.
  func tooDeep(at token: Token) -> QuerySyntaxError {
    source.error(.tooDeep(limit: SQLParser.maximumDepth), at: token.span)
  }
}
