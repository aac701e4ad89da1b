/// Errors for tokens that do not fit the grammar.
extension SQLGrammar {
  /// Returns the error for a current token that is not allowed at this position.
  func unexpected(_ expected: [Diagnostic.Expectation], hint: DiagnosticHint? = nil) -> QuerySyntaxError {
    source.error(.unexpected, at: current.span, expected: expected, hint: hint ?? defaultHint(expected))
  }

  /// Returns the error for a token that cannot follow a complete expression.
  func unexpectedAfterExpression(_ expected: [Diagnostic.Expectation]) -> QuerySyntaxError {
    if isAt(.rightParenthesis) || isAt(.rightBracket) || isAt(.rightBrace) {
      return source.error(.unopenedBracket, at: current.span)
    }
    return unexpected([.element("an operator")] + expected)
  }

  /// Returns advice for a reserved word that was meant as a name, and for kinds of join that are not supported.
  private func defaultHint(_ expected: [Diagnostic.Expectation]) -> DiagnosticHint? {
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
