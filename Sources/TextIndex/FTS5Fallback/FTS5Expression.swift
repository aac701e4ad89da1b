import TextAnalysis

/// Writes a compiled match as an FTS5 query expression. FTS5 syntax is written only here: every term is quoted, and
/// every operand is in parentheses.
struct FTS5Expression {
  /// The maximum number of repetitions of an operand. FTS5 has no weights but scores every occurrence of a phrase in
  /// the expression, so a weight is written as repetitions. More of them would take too long.
  private static let maximumRepetition = 8

  /// The expression.
  private(set) var text = ""

  init(_ match: CompiledMatch) { write(match) }

  private mutating func write(_ match: CompiledMatch) {
    switch match {
    case .nothing: text += "\"\""
    case .phrase(let phrase): write(phrase)
    case .phraseByColumns(let variants):
      write(variants.map { .columns($0.columns, .phrase($0.phrase)) }, joinedBy: " OR ")
    case .near(let phrases, let distance):
      text += "NEAR("
      for phrase in phrases {
        write(phrase)
        text += " "
      }
      text += ", \(distance))"
    case .and(let operands): write(operands, joinedBy: " AND ")
    case .or(let operands): write(operands, joinedBy: " OR ")
    case .not(let positive, let negative): write([positive, negative], joinedBy: " NOT ")
    case .columns(let columns, let operand):
      text += "{" + columns.map { "c\($0)" }.joined(separator: " ") + "} : ("
      write(operand)
      text += ")"
    case .weighted(let operand, let weight):
      let count = Int(exactly: weight).map { min(max($0, 1), FTS5Expression.maximumRepetition) } ?? 1
      write(Array(repeating: operand, count: count), joinedBy: " AND ")
    case .fuzzy(let typed, let all): write([typed, all], joinedBy: " OR ")
    }
  }

  private mutating func write(_ operands: [CompiledMatch], joinedBy word: String) {
    write(operands[...], joinedBy: word)
  }

  /// Writes a balanced tree, because FTS5 copies the whole expression at every operator of a chain, which takes
  /// quadratic time.
  private mutating func write(_ operands: ArraySlice<CompiledMatch>, joinedBy word: String) {
    guard operands.count > 1 else { return operands.forEach { write($0) } }
    let middle = operands.startIndex + operands.count / 2
    text += "("
    write(operands[..<middle], joinedBy: word)
    text += word
    write(operands[middle...], joinedBy: word)
    text += ")"
  }

  private mutating func write(_ phrase: CompiledPhrase) {
    if phrase.isInitial { text += "^ " }
    text += "\""
    for (number, forms) in phrase.positions.enumerated() {
      if number > 0 { text.unicodeScalars.append(Unicode.Scalar(TokenBuffer.separator)) }
      for (alternative, form) in forms.enumerated() {
        if alternative > 0 { text.unicodeScalars.append(Unicode.Scalar(TokenBuffer.colocation)) }
        for character in form.unicodeScalars {
          if character == "\"" { text.unicodeScalars.append(character) }
          text.unicodeScalars.append(character)
        }
      }
    }
    text += phrase.isPrefix ? "\" *" : "\""
  }
}

extension FullTextQuery {
  /// The query in FTS5 query syntax, not cached because only the FTS5 fallback needs it.
  public var expression: String { FTS5Expression(match).text }
}
