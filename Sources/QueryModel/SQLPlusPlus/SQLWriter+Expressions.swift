import JSONText

/// Writing of expressions with the fewest parentheses.
extension SQLWriter {
  /// Writes an expression; adds parentheses if it binds more loosely than `minimum`.
  mutating func write(_ expression: QueryExpression, _ minimum: SQLPrecedence = .collation) {
    let isEnclosed = expression.precedence < minimum
    if isEnclosed { text += "(" }
    writeBare(expression)
    if isEnclosed { text += ")" }
  }

  private mutating func writeBare(_ expression: QueryExpression) {
    switch expression {
    case .missing: text += "MISSING"
    case .null: text += "NULL"
    case .boolean(let value): text += value ? "TRUE" : "FALSE"
    case .integer(let value): text += String(value)
    case .double(let value): text += value.isFinite ? "\(value)" : "NULL"
    case .string(let value): text += SQLWriter.quoted(value, by: "'")
    case .array(let elements): enclosed("[", elements, "]")
    case .dictionary(let entries): write(entries)
    case .property(let path, let source): write(path, source)
    case .everything(let source): text += source.map { self.source($0) + ".*" } ?? "*"
    case .metadata(let field, let source):
      text += "META(" + (source.map { self.source($0) } ?? "") + ")" + (field.map { "." + $0.rawValue } ?? "")
    case .parameter(let name):
      // After the dollar sign, a name may begin with digits and no word is reserved.
      let isPlain = !name.isEmpty && SQLLexer.isPlainName("_" + name)
      text += "$" + (isPlain ? name : SQLWriter.quoted(name, by: "`"))
    case .variable(let name, let path): text += SQLWriter.name(name) + SQLWriter.path(path.components)
    case .member(.everything(let source?), let path): text += self.source(source) + SQLWriter.path(path.components)
    case .member(let base, let path):
      // A dot after digits can be part of the number: `5.e3`.
      if base.isNumber { enclosed("(", [base], ")") } else { write(base, .operand) }
      text += SQLWriter.path(path.components)
    case .conditional(let subject, let branches, let otherwise): conditional(subject, branches, otherwise)
    case .quantified(let quantifier, let variable, let array, let condition):
      quantified(quantifier, variable, array, condition)
    case .function(let function, let arguments, let isDistinct):
      enclosed(function.rawValue + (isDistinct ? "(DISTINCT " : "("), arguments, ")")
    case .match(let index, let query):
      text += "MATCH(" + name(of: index) + ", "
      write(query)
      text += ")"
    case .rank(let index): text += "RANK(" + name(of: index) + ")"
    default: writeOperator(expression)
    }
  }

  private mutating func writeOperator(_ expression: QueryExpression) {
    let precedence = expression.precedence
    switch expression {
    case .negated(let operand):
      text += "-"
      // A minus before digits would be parsed as part of the number.
      if operand.isNumber { enclosed("(", [operand], ")") } else { write(operand, .operand) }
    case .arithmetic(let symbol, let left, let right): infix(left, symbol.rawValue, right, precedence)
    case .comparison(let symbol, let left, let right): infix(left, symbol.rawValue, right, precedence)
    case .concatenation(let left, let right): infix(left, "||", right, precedence)
    case .exists(let operand):
      text += "EXISTS "
      write(operand, .operand)
    case .not(let operand):
      if operand.isNegatable {
        writeTest(operand, "NOT ")
      } else {
        text += "NOT "
        write(operand, .negation)
      }
    case .and(let operands): joined(operands, " AND ", precedence, "TRUE")
    case .or(let operands): joined(operands, " OR ", precedence, "FALSE")
    case .collated(let operand, let collation):
      write(operand, .collation)
      text += " COLLATE " + SQLWriter.words(of: collation)
    default: writeTest(expression, "")
    }
  }

  /// Writes operators whose negation has a form of its own, such as `IS NOT` and `NOT IN`.
  private mutating func writeTest(_ expression: QueryExpression, _ not: String) {
    switch expression {
    case .is(let left, let right): test(left, "IS " + not, right)
    case .isValued(let operand):
      write(operand, .relation)
      text += " IS \(not)VALUED"
    case .like(let left, let pattern): test(left, not + "LIKE ", pattern)
    case .ilike(let left, let pattern): test(left, not + "ILIKE ", pattern)
    case .between(let operand, let low, let high):
      test(operand, not + "BETWEEN ", low)
      text += " AND "
      write(high, .relation)
    case .in(let left, let array):
      write(left, .relation)
      text += " \(not)IN "
      self.array(array)
    default: write(expression)
    }
  }

  private mutating func test(_ left: QueryExpression, _ words: String, _ right: QueryExpression) {
    write(left, .relation)
    text += " " + words
    write(right, .relation)
  }

  /// Writes the right operand of `IN`: a list, or another array, which needs two pairs of parentheses because one pair
  /// would make a list of one.
  private mutating func array(_ array: QueryExpression) {
    if case .array(let elements) = array { return enclosed("(", elements, ")") }
    var inner = self
    inner.text = ""
    inner.write(array)
    let isOperand = array.precedence == .operand && !inner.text.hasPrefix("(")
    text += isOperand ? inner.text : "((" + inner.text + "))"
  }

  // MARK: Operators

  private mutating func infix(
    _ left: QueryExpression, _ symbol: String, _ right: QueryExpression, _ precedence: SQLPrecedence
  ) {
    write(left, left.isChained(at: precedence) ? precedence : precedence.tighter)
    text += " \(symbol) "
    write(right, precedence.tighter)
  }

  private mutating func joined(
    _ operands: [QueryExpression], _ word: String, _ precedence: SQLPrecedence, _ none: String
  ) {
    if operands.isEmpty { text += none }
    for (position, operand) in operands.enumerated() {
      if position > 0 { text += word }
      write(operand, precedence.tighter)
    }
  }

  // MARK: Operands

  private mutating func enclosed(_ opening: String, _ elements: [QueryExpression], _ closing: String) {
    text += opening
    list(elements) { $0.write($1) }
    text += closing
  }

  private mutating func write(_ entries: [DictionaryEntry]) {
    text += "{"
    list(entries) { writer, entry in
      writer.text += SQLWriter.quoted(entry.key, by: "'") + ": "
      writer.write(entry.value)
    }
    text += "}"
  }

  private mutating func write(_ path: PropertyPath, _ source: String?) {
    guard case .key(let first)? = path.components.first else { return }
    var prefix = source.map { self.source($0) + "." } ?? ""
    if source == nil, variables.contains(first), sources.all.count == 1 { prefix = self.source(sources.all[0]) + "." }
    text += prefix + SQLWriter.name(first) + SQLWriter.path(path.components.dropFirst())
  }

  private mutating func conditional(
    _ subject: QueryExpression?, _ branches: [ConditionalBranch], _ otherwise: QueryExpression?
  ) {
    text += "CASE"
    func part(_ words: String, _ expression: QueryExpression?) {
      guard let expression else { return }
      text += words
      write(expression)
    }
    part(" ", subject)
    for branch in branches {
      part(" WHEN ", branch.when)
      part(" THEN ", branch.then)
    }
    part(" ELSE ", otherwise)
    text += " END"
  }

  private mutating func quantified(
    _ quantifier: Quantifier, _ variable: String, _ array: QueryExpression, _ condition: QueryExpression
  ) {
    text += "\(quantifier.rawValue) \(SQLWriter.name(variable)) IN "
    write(array)
    text += " SATISFIES "
    variables.append(variable)
    write(condition)
    variables.removeLast()
    text += " END"
  }

  private func name(of index: FullTextIndexName) -> String {
    (index.source.map { source($0) + "." } ?? "") + SQLWriter.name(index.name)
  }

  private static func words(of collation: QueryCollation) -> String {
    switch collation {
    case .binary: return "NOUNICODE"
    case .asciiIgnoringCase: return "NOCASE"
    case .unicode(let locale, let ignoresCase, let ignoresAccents):
      let unicode = "UNICODE" + (locale.map { ":" + name($0) } ?? "")
      let words = [unicode] + (ignoresCase ? ["NOCASE"] : []) + (ignoresAccents ? ["NODIAC"] : [])
      return words.count == 1 ? unicode : "(" + words.joined(separator: " ") + ")"
    }
  }
}

extension QueryExpression {
  /// The precedence of the expression's outermost operator.
  fileprivate var precedence: SQLPrecedence {
    switch self {
    case .collated: .collation
    case .or: .disjunction
    case .and: .conjunction
    case .not(let operand): operand.isNegatable ? .equality : .negation
    case .is, .isValued, .in, .like, .ilike, .between: .equality
    case .comparison(let symbol, _, _): symbol.precedence
    case .arithmetic(let symbol, _, _): symbol.precedence
    case .concatenation: .concatenation
    case .negated, .exists: .prefix
    case .integer(let value): value < 0 ? .prefix : .operand
    case .double(let value): value.sign == .minus ? .prefix : .operand
    default: .operand
    }
  }

  /// Whether the negation of the operator has a form of its own, such as `IS NOT` and `NOT IN`.
  fileprivate var isNegatable: Bool {
    switch self {
    case .is, .isValued, .in, .like, .ilike, .between: true
    default: false
    }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .double: true
    default: false
    }
  }

  /// Returns whether the expression needs no parentheses as the left operand of an operator with the same precedence.
  fileprivate func isChained(at precedence: SQLPrecedence) -> Bool {
    switch self {
    case .comparison, .arithmetic, .concatenation: self.precedence == precedence
    default: false
    }
  }
}
