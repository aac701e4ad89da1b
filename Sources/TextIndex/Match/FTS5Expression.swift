import TextAnalysis

/// Writes a compiled match as an expression of FTS5's language. This is the only place where such text is made: every
/// term stands between quotes, and every operand between parentheses.
struct FTS5Expression {
  /// The expression.
  private(set) var text = ""

  init(_ match: CompiledMatch) { write(match) }

  private mutating func write(_ match: CompiledMatch) {
    switch match {
    case .nothing: text += "\"\""
    case .phrase(let phrase): write(phrase)
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
    }
  }

  private mutating func write(_ operands: [CompiledMatch], joinedBy word: String) {
    text += "("
    for (number, operand) in operands.enumerated() {
      if number > 0 { text += word }
      write(operand)
    }
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
