/// Parsing of the field filter before a colon.
///
/// ```
/// fields = [ "-" ] ( string | "{" string { string } "}" )
/// ```
extension MatchGrammar {
  /// Parses the filter before a term, with its colon; returns nil if there is none.
  mutating func fieldFilter() throws(QuerySyntaxError) -> FieldFilter? {
    guard
      current.kind == .minus || current.kind == .leftBrace || (current.isString && next.kind == .colon)
    else { return nil }
    let minus = accept(.minus)
    let names = current.kind == .leftBrace ? try bracedNames() : try singleName(after: minus)
    guard let colon = accept(.colon) else { throw unexpected(expected: [.symbol(":")]) }
    switch current.kind {
    case .leftParenthesis, .word, .quoted, .caret: break
    default: throw missingOperand(after: colon)
    }
    return minus == nil ? .include(names) : .exclude(names)
  }

  private mutating func singleName(after minus: MatchToken?) throws(QuerySyntaxError) -> [FieldName] {
    // Other search engines exclude a word with -word; the hint shows the equivalent.
    if let minus, !current.isString || next.kind != .colon {
      throw source.error(
        .unexpected, at: minus.span, expected: Self.operandExpectation, hint: .excludeWithNOT)
    }
    let name = advance()
    return [FieldName(name.text, span: name.span)]
  }

  private mutating func bracedNames() throws(QuerySyntaxError) -> [FieldName] {
    let opening = advance()
    var names: [FieldName] = []
    while current.isString {
      let name = advance()
      names.append(FieldName(name.text, span: name.span))
    }
    if !names.isEmpty, accept(.rightBrace) != nil { return names }
    if current.kind == .end {
      throw source.error(.unclosedBracket, at: opening.span, expected: [.symbol("}")])
    }
    throw unexpected(expected: [.element("a field name")] + (names.isEmpty ? [] : [.symbol("}")]))
  }
}
