/// Which fault to report when the tokens do not fit the grammar.
extension SQLGrammar {
  /// The current token cannot stand there.
  func unexpected(_ expected: [Diagnostic.Expectation], hint: DiagnosticHint? = nil) -> QuerySyntaxError {
    source.error(.unexpected, at: current.span, expected: expected, hint: hint ?? usualHint(expected))
  }

  /// The current token cannot follow a complete expression.
  func unexpectedAfterExpression(_ expected: [Diagnostic.Expectation]) -> QuerySyntaxError {
    if isAt(.rightParenthesis) || isAt(.rightBracket) || isAt(.rightBrace) {
      return source.error(.unopenedBracket, at: current.span)
    }
    return unexpected([.element("an operator")] + expected)
  }

  /// Advice for a word that was meant as a name, and for joins that there are not.
  private func usualHint(_ expected: [Diagnostic.Expectation]) -> DiagnosticHint? {
    guard case .keyword(let keyword) = current.kind else { return nil }
    switch keyword {
    case .right, .natural, .using: return .joinNotSupported
    case .select: return .oneSelect
    default: break
    }
    let takesName = expected.contains { expectation in
      if case .element(let name) = expectation { name == "an expression" || name.contains("name") } else { false }
    }
    return takesName ? .reservedWord(source.text(current.span)) : nil
  }
}
