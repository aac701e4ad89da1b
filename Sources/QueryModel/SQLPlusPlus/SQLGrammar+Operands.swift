import JSONText

/// Parsing of operands: literals, names with their paths, and constructs in brackets or between keywords.
extension SQLGrammar {
  private static let expectation: [Diagnostic.Expectation] = [.element("an expression")]

  /// Parses an operand with the path after it.
  mutating func primary() throws(QuerySyntaxError) -> SQLOperand {
    if case .name = current.kind, !isCall, !isSome { return SQLOperand(try reference()) }
    let token = current
    let base = try primaryWithoutPath()
    let steps = try path()
    guard !steps.isEmpty else { return base }
    try checkField(steps, of: base.expression)
    return try node(base.expression.member(at: steps.map(\.component)), over: [base], at: token)
  }

  private mutating func primaryWithoutPath() throws(QuerySyntaxError) -> SQLOperand {
    switch current.kind {
    case .string(let text): return literal(.string(text))
    case .integer(let number): return literal(.integer(number))
    case .double(let number): return literal(.double(number))
    case .parameter(let name): return literal(.parameter(name))
    case .name where isSome: return try quantified()
    case .name: return try call()
    case .keyword(let keyword): return try primary(keyword)
    case .symbol(.leftParenthesis): return try parenthesized()
    case .symbol(.leftBracket): return try array()
    case .symbol(.leftBrace): return try dictionary()
    default: throw unexpected(Self.expectation)
    }
  }

  private mutating func primary(_ keyword: SQLKeyword) throws(QuerySyntaxError) -> SQLOperand {
    switch keyword {
    case .missing: return literal(.missing)
    case .null: return literal(.null)
    case .true: return literal(.boolean(true))
    case .false: return literal(.boolean(false))
    case .case: return try conditional()
    case .any, .every: return try quantified()
    default: throw unexpected(Self.expectation)
    }
  }

  private mutating func literal(_ expression: QueryExpression) -> SQLOperand {
    advance()
    return SQLOperand(expression)
  }

  private var isCall: Bool {
    guard case .name(_, isQuoted: false) = current.kind else { return false }
    return token(ahead: 1).kind == .symbol(.leftParenthesis)
  }

  /// `SOME` is a name unless a variable and `IN` follow it or `SOME AND EVERY`.
  private var isSome: Bool {
    guard current.isWord("SOME") else { return false }
    let isEvery = token(ahead: 1).kind == .keyword(.and) && token(ahead: 2).kind == .keyword(.every)
    let variable = isEvery ? 3 : 1
    return token(ahead: variable).name != nil && token(ahead: variable + 1).kind == .keyword(.in)
  }

  // MARK: Names and paths

  /// A path component with its span.
  struct Step {
    let component: PropertyPath.Component
    let token: SQLToken
  }

  /// Parses a property, a variable or a source, depending on what the first name refers to.
  private mutating func reference() throws(QuerySyntaxError) -> QueryExpression {
    let first = current
    let name = try expectName("a name")
    let steps = try path()
    let components = [.key(name)] + steps.map(\.component)
    if isAt(.dot) {
      // `path()` leaves a dot only if a star follows it.
      let keys = steps.map { step in
        if case .key(let key) = step.component { key } else { "" }
      }
      guard !variables.contains(name) else { throw unexpected([.element("a name")]) }
      let source = try source(named: [name] + keys, at: first)
      advance()
      advance()
      return .everything(source: source)
    }
    let source = sourceNames.match(components)
    if variables.contains(name) { return .variable(name, PropertyPath(Array(components.dropFirst()))) }
    guard let source else { return .property(PropertyPath(components), source: nil) }
    return .everything(source: source.name).member(at: Array(components.dropFirst(source.length)))
  }

  /// Parses any number of `.name`, `[0]` and `[-1]`. After a dot, a reserved word is a name.
  private mutating func path() throws(QuerySyntaxError) -> [Step] {
    var steps: [Step] = []
    while true {
      if isAt(.dot), token(ahead: 1).kind != .symbol(.star) {
        advance()
        let token = current
        switch token.kind {
        case .name(let name, _): steps.append(Step(component: .key(name), token: token))
        case .keyword: steps.append(Step(component: .key(source.text(token.span)), token: token))
        default: throw unexpected([.element("a name")])
        }
        advance()
      } else if isAt(.leftBracket) {
        let opening = advance()
        let isNegative = accept(.minus)
        guard case .integer(let number) = current.kind, let position = Int(exactly: number) else {
          throw unexpected([.element("a whole number")])
        }
        steps.append(Step(component: .position(isNegative ? -position : position), token: advance()))
        try close(.rightBracket, of: opening)
      } else {
        return steps
      }
    }
  }

  private func checkField(_ steps: [Step], of expression: QueryExpression) throws(QuerySyntaxError) {
    guard case .metadata(nil, _) = expression, let step = steps.first else { return }
    if case .key(let key) = step.component, MetadataField(rawValue: key) != nil { return }
    let fields = MetadataField.allCases.map(\.rawValue)
    throw source.error(.unknownField, at: step.token.span, expected: fields.map { .symbol($0) })
  }

  // MARK: Brackets

  private mutating func parenthesized() throws(QuerySyntaxError) -> SQLOperand {
    let start = index
    let opening = advance()
    let inner = try operand(.collation)
    try close(.rightParenthesis, of: opening, or: [.element("an operator")])
    lastParentheses = start..<index
    return inner
  }

  private mutating func array() throws(QuerySyntaxError) -> SQLOperand {
    let opening = advance()
    var elements: [SQLOperand] = []
    if !isAt(.rightBracket), current.kind != .end {
      elements = try list { grammar throws(QuerySyntaxError) in try grammar.operand(.collation) }
    }
    try close(.rightBracket, of: opening, or: [.element("an operator"), .symbol(",")])
    return try node(.array(elements.map(\.expression)), over: elements, at: opening)
  }

  private mutating func dictionary() throws(QuerySyntaxError) -> SQLOperand {
    let opening = advance()
    var keys: [String] = []
    var values: [SQLOperand] = []
    if !isAt(.rightBrace), current.kind != .end {
      repeat {
        keys.append(try key())
        try expect(.colon)
        values.append(try operand(.collation))
      } while accept(.comma)
    }
    try close(.rightBrace, of: opening, or: [.element("an operator"), .symbol(",")])
    let entries = zip(keys, values).map { DictionaryEntry($0, $1.expression) }
    return try node(.dictionary(entries), over: values, at: opening)
  }

  private mutating func key() throws(QuerySyntaxError) -> String {
    switch current.kind {
    case .string(let text), .name(let text, _):
      advance()
      return text
    default: throw unexpected([.element("a key, as in 'key': 1")])
    }
  }

  // MARK: Keywords

  /// `CASE [subject] WHEN x THEN y {WHEN x THEN y} [ELSE z] END`
  private mutating func conditional() throws(QuerySyntaxError) -> SQLOperand {
    let token = advance()
    var parts: [SQLOperand] = []
    let subject = isAt(.when) ? nil : try part(&parts)
    var branches: [ConditionalBranch] = []
    try expect(.when)
    repeat {
      let when = try part(&parts)
      try expect(.then)
      branches.append(ConditionalBranch(when: when, then: try part(&parts)))
    } while accept(.when)
    let otherwise = accept(.else) ? try part(&parts) : nil
    guard accept(.end) else {
      throw unexpected((otherwise == nil ? [.symbol("WHEN"), .symbol("ELSE")] : []) + [.symbol("END")])
    }
    let expression = QueryExpression.conditional(subject: subject, branches: branches, otherwise: otherwise)
    return try node(expression, over: parts, at: token)
  }

  private mutating func part(_ parts: inout [SQLOperand]) throws(QuerySyntaxError) -> QueryExpression {
    let operand = try operand(.collation)
    parts.append(operand)
    return operand.expression
  }

  /// `(ANY | SOME | EVERY | ANY AND EVERY | SOME AND EVERY) v IN array SATISFIES condition END`
  private mutating func quantified() throws(QuerySyntaxError) -> SQLOperand {
    let token = advance()
    var quantifier: Quantifier = token.kind == .keyword(.every) ? .every : .any
    if quantifier == .any, accept(.and) {
      try expect(.every)
      quantifier = .anyAndEvery
    }
    let variable = try expectName("the name of a variable")
    try expect(.in)
    let array = try operand(.collation)
    try expect(.satisfies)
    variables.append(variable)
    let condition = try operand(.collation)
    variables.removeLast()
    guard accept(.end) else { throw unexpected([.element("an operator"), .symbol("END")]) }
    let expression = QueryExpression.quantified(
      quantifier, variable: variable, in: array.expression, satisfies: condition.expression)
    return try node(expression, over: [array, condition], at: token)
  }
}
