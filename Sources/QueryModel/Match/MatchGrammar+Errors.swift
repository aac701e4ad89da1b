/// Errors for tokens that do not fit the grammar.
extension MatchGrammar {
  static let phraseExpectation: [Diagnostic.Expectation] = [.element("a word"), .element("a \"phrase\"")]
  static let operandExpectation = phraseExpectation + [.symbol("(")]
  static let operatorExpectation: [Diagnostic.Expectation] = [
    .element("a word"), .symbol("AND"), .symbol("OR"), .symbol("NOT"),
  ]

  /// Returns the error for a missing operand.
  ///
  /// It points at the operator and not at the token after it: in `a AND )` the mistake is the `AND`.
  func missingOperand(after previous: MatchToken?) -> QuerySyntaxError {
    let found = current
    guard let previous else { return missingOperandAtStart() }
    if previous.kind == .leftParenthesis {
      if found.kind == .end {
        return source.error(.unclosedBracket, at: previous.span, expected: [.symbol(")")])
      }
      return missingOperandAtStart()
    }
    let hint: DiagnosticHint? = previous.kind == .and && found.kind == .not ? .andNotIsNOT : nil
    let takesParenthesis: Bool =
      switch previous.kind {
      case .and, .or, .not, .colon: true
      default: false
      }
    return source.error(
      .missingRightOperand, at: previous.span,
      expected: takesParenthesis ? Self.operandExpectation : Self.phraseExpectation, hint: hint)
  }

  /// Returns the error for a current token that is not allowed at this position.
  func unexpected(expected: [Diagnostic.Expectation], hint: DiagnosticHint? = nil) -> QuerySyntaxError {
    source.error(.unexpected, at: current.span, expected: expected, hint: hint ?? hintToQuote)
  }

  /// Returns the error for a missing operand at the beginning of the query or of a parenthesis.
  private func missingOperandAtStart() -> QuerySyntaxError {
    guard current.isInfix else {
      return current.kind == .rightParenthesis && !isInParentheses
        ? source.error(.unopenedBracket, at: current.span)
        : unexpected(expected: Self.operandExpectation)
    }
    let hint: DiagnosticHint? =
      switch current.kind {
      case .not: .notIsBinary
      case .star: .starFollowsWord
      default: nil
      }
    return source.error(
      .missingLeftOperand, at: current.span, expected: Self.operandExpectation, hint: hint)
  }

  /// A hint to quote characters that have a meaning in the language but are more often meant as text.
  private var hintToQuote: DiagnosticHint? {
    switch current.kind {
    case .star: .starFollowsWord
    case .comma, .colon, .plus, .rightBrace: .quoteToSearch(current.text)
    default: nil
    }
  }
}
