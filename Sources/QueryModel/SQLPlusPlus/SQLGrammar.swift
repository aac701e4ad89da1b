import JSONText

/// The state of parsing SQL++: the current position and the names in scope.
///
/// The clauses are in SQLGrammar+Select.swift and SQLGrammar+Sources.swift, operators in SQLGrammar+Operators.swift,
/// operands in SQLGrammar+Operands.swift, calls in SQLGrammar+Calls.swift. ``SQLParser`` documents the grammar.
struct SQLGrammar: QueryGrammar {
  typealias Symbol = SQLToken.Symbol

  let source: QueryText
  let tokens: [SQLToken]
  var index = 0
  var nesting = 0
  let stack = StackSpace()
  /// The names of the query's sources, with which paths may begin.
  var sourceNames = SourceNames(of: [])
  /// Whether the sources are unknown, because their names are still being collected or `FROM` contains an error that
  /// has not been reported yet. If true, unknown source names are not reported.
  var sourcesAreUnknown = false
  /// The span of each source.
  var sourceSpans: [SourceSpan] = []
  /// The variables of the enclosing `ANY` and `EVERY`, outermost first.
  var variables: [String] = []
  /// The tokens of the last parenthesized expression: from its opening parenthesis to the token after the closing one.
  var lastParentheses: Range<Int>?

  init(source: QueryText, tokens: [SQLToken]) {
    self.source = source
    self.tokens = tokens
  }

  // MARK: Tokens

  func isAt(_ keyword: SQLKeyword) -> Bool { current.kind == .keyword(keyword) }

  func isAt(_ symbol: SQLToken.Symbol) -> Bool { current.kind == .symbol(symbol) }

  mutating func accept(_ keyword: SQLKeyword) -> Bool {
    guard isAt(keyword) else { return false }
    advance()
    return true
  }

  mutating func accept(_ symbol: SQLToken.Symbol) -> Bool {
    guard isAt(symbol) else { return false }
    advance()
    return true
  }

  mutating func acceptWord(_ word: String) -> Bool {
    guard current.isWord(word) else { return false }
    advance()
    return true
  }

  /// Returns the index of the first token that is this keyword, except where it is a key in a path.
  func firstIndex(of keyword: SQLKeyword) -> Int? {
    tokens.indices.first { index in
      tokens[index].kind == .keyword(keyword) && (index == 0 || tokens[index - 1].kind != .symbol(.dot))
    }
  }

  mutating func move(to index: Int) { self.index = index }

  // MARK: Expected tokens

  mutating func expect(_ keyword: SQLKeyword) throws(QuerySyntaxError) {
    guard accept(keyword) else { throw unexpected([.symbol(keyword.rawValue)]) }
  }

  mutating func expect(_ symbol: SQLToken.Symbol) throws(QuerySyntaxError) {
    guard accept(symbol) else { throw unexpected([.symbol(symbol.rawValue)]) }
  }

  mutating func expectName(_ what: String) throws(QuerySyntaxError) -> String {
    guard let name = current.name else { throw unexpected([.element(what)]) }
    advance()
    return name
  }

  /// Returns the name of the source that consists of exactly these keys; otherwise throws an error that
  /// points at the first key.
  func source(named keys: [String], at token: SQLToken) throws(QuerySyntaxError) -> String {
    if let match = sourceNames.match(keys.map { .key($0) }), match.length == keys.count { return match.name }
    if sourcesAreUnknown { return "" }
    throw source.error(.unknownSource, at: token.span)
  }

  // MARK: Depth

  /// Creates an expression from operands that are already parsed.
  func node(
    _ expression: QueryExpression, over operands: [SQLOperand], at token: SQLToken
  ) throws(QuerySyntaxError) -> SQLOperand {
    let height = (operands.map(\.height).max() ?? 0) + 1
    if height > SQLParser.maximumDepth { throw tooDeep(at: token) }
    return SQLOperand(expression, height: height)
  }
}

/// An expression and the height of its tree. The height of a chain of operators is proportional to its length.
struct SQLOperand {
  let expression: QueryExpression
  let height: Int

  init(_ expression: QueryExpression, height: Int = 1) {
    self.expression = expression
    self.height = height
  }
}
