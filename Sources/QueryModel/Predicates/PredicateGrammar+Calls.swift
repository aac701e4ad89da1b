import JSONText

/// Parsing of function calls, and of `SUBQUERY`, `TERNARY`, `META`, `MATCH` and `RANK`, which have the same syntax.
extension PredicateGrammar {
  /// Whether a name followed by parentheses, or a selector such as `modulus:by:`, begins at the current token.
  var isCall: Bool {
    guard case .name(_, isEscaped: false) = current.kind else { return false }
    switch (token(ahead: 1).kind, token(ahead: 2).kind) {
    case (.symbol(.leftParenthesis), _), (.symbol(.colon), .name), (.symbol(.colon), .symbol(.leftParenthesis)):
      return true
    default: return false
    }
  }

  mutating func call() throws(QuerySyntaxError) -> PredicateOperand {
    let token = current
    let name = try functionName()
    let opening = current
    try expect(.leftParenthesis)
    switch name.uppercased() {
    case "SUBQUERY": return try subquery(token, opening)
    case "META":
      try close(.rightParenthesis, of: opening)
      return PredicateOperand(.metadata(nil, source: nil))
    case "MATCH":
      let index = try indexName()
      try expect(.comma)
      let query = try operand(.disjunction)
      try close(.rightParenthesis, of: opening, or: [.element("an operator")])
      return try node(.match(index, query: query.expression), over: [query], at: token)
    case "RANK":
      let index = try indexName()
      try close(.rightParenthesis, of: opening)
      return PredicateOperand(.rank(index))
    default: return try function(named: name, token, opening)
    }
  }

  /// Parses the name up to its parenthesis: `lower`, `lowercase:`, `modulus:by:`. A single colon is dropped.
  private mutating func functionName() throws(QuerySyntaxError) -> String {
    var parts = [source.text(advance().span)]
    while accept(.colon) {
      guard case .name(let part, isEscaped: false) = current.kind else { break }
      parts.append(part)
      advance()
    }
    return parts.joined(separator: ":")
  }

  /// Parses the name of a full-text index or of its property, which may be written as a string.
  private mutating func indexName() throws(QuerySyntaxError) -> FullTextIndexName {
    if case .string(let name) = current.kind {
      advance()
      return FullTextIndexName(name)
    }
    var keys: [PropertyPath.Component] = []
    repeat {
      guard case .name(let key, _) = current.kind else { throw unexpected([.element("the name of a full-text index")]) }
      keys.append(.key(key))
      advance()
    } while accept(.dot)
    if keys.count == 1, case .key(let name) = keys[0] { return FullTextIndexName(name) }
    return FullTextIndexName(PropertyPath(keys).description)
  }

  /// `SUBQUERY(array, $name, condition)`
  private mutating func subquery(
    _ token: PredicateToken, _ opening: PredicateToken
  ) throws(QuerySyntaxError) -> PredicateOperand {
    let array = try operand(.addition)
    try expect(.comma)
    guard case .variable(let name) = current.kind else {
      throw unexpected([.element("a variable, as in $item")])
    }
    advance()
    try expect(.comma)
    variables.append(name)
    let condition = try operand(.disjunction)
    variables.removeLast()
    try close(.rightParenthesis, of: opening, or: [.element("an operator")])
    var result = try node(
      .quantified(.any, variable: name, in: array.expression, satisfies: condition.expression),
      over: [array, condition], at: token)
    result.subquery = PredicateOperand.Subquery(span: token.span)
    return result
  }

  // MARK: Functions

  private mutating func function(
    named name: String, _ token: PredicateToken, _ opening: PredicateToken
  ) throws(QuerySyntaxError) -> PredicateOperand {
    guard let callable = PredicateFunction(named: name, aggregation) else {
      let closest = QueryFunction.closestName(to: name)
      throw source.error(.unknownFunction, at: token.span, hint: closest.map { .didYouMean($0) })
    }
    let isDistinct = try distinct(callable)
    var arguments: [PredicateOperand] = []
    if isAt(.star), self.token(ahead: 1).kind == .symbol(.rightParenthesis), callable == .function(.count) {
      advance()
    } else if !isAt(.rightParenthesis), current.kind != .end {
      arguments = try list()
    }
    try close(.rightParenthesis, of: opening, or: [.element("an operator"), .symbol(",")])
    if let counted = arguments.first, arguments.count == 1, counted.subquery?.isCounted == false, callable.isCount {
      return try count(counted, at: token)
    }
    let expressions = arguments.map(\.expression)
    if let error = callable.error(forArgumentCount: arguments.count) { throw source.error(error, at: token.span) }
    return try node(callable.expression(expressions, isDistinct: isDistinct), over: arguments, at: token, levels: 2)
  }

  /// Parses `DISTINCT` before the argument of an aggregate.
  private mutating func distinct(_ callable: PredicateFunction) throws(QuerySyntaxError) -> Bool {
    guard current.isWord("DISTINCT") else { return false }
    switch token(ahead: 1).kind {
    case .name, .variable: break
    default: return false
    }
    guard case .function(let function) = callable, function.isAggregate else {
      throw source.error(.notAggregate, at: current.span)
    }
    advance()
    return true
  }
}
