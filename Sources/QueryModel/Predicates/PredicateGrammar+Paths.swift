import JSONText

/// Parses key paths, which may end with a key-value coding collection operator.
extension PredicateGrammar {
  /// A path component with its span.
  struct Step {
    let component: PropertyPath.Component
    /// Whether the component is a key even if it is a reserved word.
    let isEscaped: Bool
    let token: PredicateToken

    init(_ component: PropertyPath.Component, isEscaped: Bool = false, token: PredicateToken) {
      self.component = component
      self.isEscaped = isEscaped
      self.token = token
    }
  }

  /// Parses any number of path components (`.name`, `[0]`, `.@count`) after an operand.
  mutating func path(
    after operand: PredicateOperand, at token: PredicateToken
  ) throws(QuerySyntaxError) -> PredicateOperand {
    try path(from: [], of: operand, at: token)
  }

  /// Parses the rest of a path after its first components.
  mutating func path(
    from first: [Step], of base: PredicateOperand, at token: PredicateToken
  ) throws(QuerySyntaxError) -> PredicateOperand {
    var base = base
    var steps = first
    while true {
      if accept(.dot) {
        if isAt(.at) {
          base = try collected(member(of: base, at: steps, token), at: token)
          steps = []
        } else {
          steps.append(try key())
        }
      } else if isAt(.leftBracket) {
        let opening = advance()
        if current.isWord("SIZE") {
          advance()
          base = try count(member(of: base, at: steps, token), at: token)
          steps = []
        } else {
          steps.append(try position())
        }
        try close(.rightBracket, of: opening)
      } else {
        return try member(of: base, at: steps, token)
      }
    }
  }

  /// Parses a key after a dot. After a dot, no word is reserved.
  private mutating func key() throws(QuerySyntaxError) -> Step {
    let token = current
    switch token.kind {
    case .name(let name, let isEscaped):
      advance()
      return Step(.key(name), isEscaped: isEscaped, token: token)
    case .keyword:
      advance()
      return Step(.key(source.text(token.span)), token: token)
    default: throw unexpected([.element("a key")])
    }
  }

  /// Parses the position between brackets after a path.
  private mutating func position() throws(QuerySyntaxError) -> Step {
    let token = current
    if token.isWord("FIRST") {
      advance()
      return Step(.position(0), token: token)
    }
    if token.isWord("LAST") {
      advance()
      return Step(.position(-1), token: token)
    }
    if case .string(let key) = token.kind {
      advance()
      return Step(.key(key), isEscaped: true, token: token)
    }
    let isNegative = accept(.minus)
    guard case .integer(let number) = current.kind, let position = Int(exactly: number) else {
      let words: [Diagnostic.Expectation] = ["FIRST", "LAST", "SIZE"].map { .symbol($0) }
      throw unexpected([.element("a whole number")] + (isNegative ? [] : words))
    }
    return Step(.position(isNegative ? -position : position), token: advance())
  }

  /// Returns the value at a path. `_id` and the other metadata fields are not properties of the document.
  private func member(
    of base: PredicateOperand, at steps: [Step], _ token: PredicateToken
  ) throws(QuerySyntaxError) -> PredicateOperand {
    guard let first = steps.first else { return base }
    try value(base)
    var components = steps.map(\.component)
    var expression = base.expression
    if case .everything(nil) = expression, !first.isEscaped, case .key(let key) = first.component,
      let field = MetadataField(propertyName: key)
    {
      expression = .metadata(field, source: nil)
      components.removeFirst()
    } else if case .metadata(nil, _) = expression, MetadataField(component: first.component) == nil {
      let fields = MetadataField.allCases.map { Diagnostic.Expectation.symbol($0.rawValue) }
      throw source.error(.unknownField, at: first.token.span, expected: fields)
    }
    let operand = try node(expression.member(at: components), over: [base], at: token)
    // The size includes the number of components, because a long path is copied as a whole.
    return PredicateOperand(operand.expression, height: operand.height, size: operand.size + steps.count)
  }

  // MARK: Collections

  /// Parses a collection operator such as `@count` after an array.
  private mutating func collected(
    _ array: PredicateOperand, at token: PredicateToken
  ) throws(QuerySyntaxError) -> PredicateOperand {
    advance()
    let name = current
    if name.isWord("COUNT") {
      advance()
      return try count(array, at: token)
    }
    let function: QueryFunction
    switch source.text(name.span) {
    case "sum": function = .arraySum
    case "avg": function = .arrayAverage
    case "min": function = .arrayMinimum
    case "max": function = .arrayMaximum
    case "distinctUnionOfObjects": function = .arrayDistinct
    default:
      let names = ["count", "sum", "avg", "min", "max", "distinctUnionOfObjects"]
      throw unexpected(names.map { .symbol($0) })
    }
    advance()
    if isAt(.dot), self.token(ahead: 1).kind != .symbol(.at) {
      advance()
      guard accept(.`self`) else { throw source.error(.unsupported, at: current.span, hint: .collectsElements) }
    }
    return try node(.function(function, [try value(array).expression]), over: [array], at: token)
  }

  /// Returns the number of elements of an array or of a subquery.
  func count(
    _ array: PredicateOperand, at token: PredicateToken
  ) throws(QuerySyntaxError) -> PredicateOperand {
    guard array.subquery?.isCounted == false else {
      return try node(.function(.arrayLength, [array.expression]), over: [array], at: token)
    }
    var counted = array
    counted.subquery?.isCounted = true
    return counted
  }

  /// Parses an aggregate over all rows: a collection operator without a preceding array, such as `@sum.price`.
  mutating func collectedRows() throws(QuerySyntaxError) -> PredicateOperand {
    let token = current
    guard aggregation == .rows else { throw unexpected([.element("an expression")]) }
    advance()
    if current.isWord("COUNT") {
      advance()
      return try node(.function(.count, [.everything(source: nil)]), over: [], at: token, levels: 2)
    }
    let function: QueryFunction
    var isDistinct = false
    switch source.text(current.span) {
    case "sum": function = .sum
    case "avg": function = .average
    case "min": function = .minimum
    case "max": function = .maximum
    case "unionOfObjects": function = .arrayAggregate
    case "distinctUnionOfObjects": (function, isDistinct) = (.arrayAggregate, true)
    default:
      let names = ["count", "sum", "avg", "min", "max", "unionOfObjects", "distinctUnionOfObjects"]
      throw unexpected(names.map { .symbol($0) })
    }
    advance()
    try expect(.dot)
    let start = current
    let values = try path(
      from: [try key()], of: PredicateOperand(.everything(source: nil)), at: start)
    return try node(
      .function(function, [value(values).expression], isDistinct: isDistinct), over: [values], at: token)
  }
}
