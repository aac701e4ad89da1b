/// Parsing of function calls, and of `META`, `MATCH` and `RANK`, which have the same syntax.
extension SQLGrammar {
  mutating func call() throws(QuerySyntaxError) -> SQLOperand {
    let token = advance()
    let opening = advance()
    switch source.text(token.span).uppercased() {
    case "META": return try metadata(opening)
    case "MATCH": return try match(token, opening)
    case "RANK":
      let index = try indexName()
      try close(.rightParenthesis, of: opening)
      return SQLOperand(.rank(index))
    default: return try function(token, opening)
    }
  }

  private mutating func function(_ token: SQLToken, _ opening: SQLToken) throws(QuerySyntaxError) -> SQLOperand {
    let name = source.text(token.span)
    guard let function = QueryFunction(named: name) else {
      let closest = QueryFunction.closestName(to: name)
      throw source.error(.unknownFunction, at: token.span, hint: closest.map { .didYouMean($0) })
    }
    let isDistinct = isAt(.distinct)
    if isDistinct {
      guard function.isAggregate else { throw source.error(.notAggregate, at: current.span) }
      advance()
    }
    var arguments: [SQLOperand] = []
    // The sum or the largest of whole documents is never meant; other functions may take the document.
    let takesDocument = !function.isAggregate || function == .count || function == .arrayAggregate
    if takesDocument, isAt(.star), self.token(ahead: 1).kind == .symbol(.rightParenthesis) {
      advance()
      arguments = [SQLOperand(.everything(source: nil))]
    } else if !isAt(.rightParenthesis), current.kind != .end {
      arguments = try list { grammar throws(QuerySyntaxError) in try grammar.operand(.collation) }
    }
    try close(.rightParenthesis, of: opening, or: [.element("an operator"), .symbol(",")])
    // As in Couchbase Lite, COUNT() counts rows.
    if function == .count, arguments.isEmpty, !isDistinct { arguments = [SQLOperand(.everything(source: nil))] }
    guard function.takes(arguments.count) else {
      throw source.error(.argumentCount(function, given: arguments.count), at: token.span)
    }
    let expression = QueryExpression.function(function, arguments.map(\.expression), isDistinct: isDistinct)
    return try node(expression, over: arguments, at: token)
  }

  /// `META()`, `META(alias)`
  private mutating func metadata(_ opening: SQLToken) throws(QuerySyntaxError) -> SQLOperand {
    guard !isAt(.rightParenthesis), current.kind != .end else {
      try close(.rightParenthesis, of: opening)
      return SQLOperand(.metadata(nil, source: nil))
    }
    let first = current
    var keys = [try expectName("the name of a source")]
    while accept(.dot) { keys.append(try expectName("the name of a source")) }
    let name = try source(named: keys, at: first)
    try close(.rightParenthesis, of: opening)
    return SQLOperand(.metadata(nil, source: name))
  }

  /// `MATCH(index, query)`
  private mutating func match(_ token: SQLToken, _ opening: SQLToken) throws(QuerySyntaxError) -> SQLOperand {
    let index = try indexName()
    try expect(.comma)
    let query = try operand(.collation)
    try close(.rightParenthesis, of: opening, or: [.element("an operator")])
    return try node(.match(index, query: query.expression), over: [query], at: token)
  }

  /// Parses `index` or `source.index`, which may be written as a string.
  private mutating func indexName() throws(QuerySyntaxError) -> FullTextIndexName {
    let first = current
    if case .string(let text) = first.kind {
      advance()
      return FullTextIndexName(text, in: sourceNames)
    }
    var keys = [try expectName("the name of a full-text index")]
    while accept(.dot) { keys.append(try expectName("the name of a full-text index")) }
    let name = keys.removeLast()
    return FullTextIndexName(name, source: keys.isEmpty ? nil : try source(named: keys, at: first))
  }
}

extension FullTextIndexName {
  /// Creates the name from text such as `"source.index"`. The part before the dot is a source only if the query has a
  /// source with that name.
  public init(_ text: String, in sources: SourceNames) {
    for source in sources.all where text.utf8.starts(with: (source + ".").utf8) {
      self.init(String(decoding: text.utf8.dropFirst(source.utf8.count + 1), as: UTF8.self), source: source)
      return
    }
    self.init(text)
  }
}
