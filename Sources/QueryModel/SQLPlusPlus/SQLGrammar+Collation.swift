/// Parsing of `COLLATE UNICODE`, `COLLATE (UNICODE:de NOCASE NODIAC)`.
extension SQLGrammar {
  mutating func collated(_ operand: SQLOperand) throws(QuerySyntaxError) -> SQLOperand {
    let token = advance()
    let collation = try collation()
    return try node(.collated(operand.expression, collation), over: [operand], at: token)
  }

  /// Returns whether an operator that binds more tightly than `AND` follows the `COLLATE` at the current token. The
  /// collation then applies to the operand before it: `a COLLATE NOCASE = b`.
  func comparisonFollowsCollation() -> Bool {
    var ahead = self
    ahead.advance()
    // Errors in the collation are reported when it is parsed.
    guard (try? ahead.collation()) != nil, let infix = ahead.infix() else { return false }
    return infix.precedence > .conjunction
  }

  private struct Flags {
    var isUnicode = false
    var locale: String?
    var isCaseSensitive = true
    var isAccentSensitive = true
  }

  private mutating func collation() throws(QuerySyntaxError) -> QueryCollation {
    var flags = Flags()
    if isAt(.leftParenthesis) {
      let opening = advance()
      repeat {
        if current.kind == .end { break }
        try flag(&flags, or: [])
      } while !isAt(.rightParenthesis)
      try close(.rightParenthesis, of: opening)
    } else {
      try flag(&flags, or: [.symbol("(")])
      var ahead = self
      if (try? ahead.flag(&flags, or: [])) != nil { throw unexpected([], hint: .collationNeedsParentheses) }
    }
    return QueryCollation(
      isUnicode: flags.isUnicode, locale: flags.locale, isCaseSensitive: flags.isCaseSensitive,
      isAccentSensitive: flags.isAccentSensitive)
  }

  private mutating func flag(
    _ flags: inout Flags, or others: [Diagnostic.Expectation]
  ) throws(QuerySyntaxError) {
    switch source.text(current.span).uppercased() {
    case "UNICODE":
      advance()
      flags.isUnicode = true
      if accept(.colon) { flags.locale = try locale() }
      return
    case "NOUNICODE": flags.isUnicode = false
    case "CASE": flags.isCaseSensitive = true
    case "NOCASE": flags.isCaseSensitive = false
    case "DIAC", "DIACRITIC", "DIACRITICS": flags.isAccentSensitive = true
    case "NODIAC", "NODIACRITIC", "NODIACRITICS": flags.isAccentSensitive = false
    default: throw unexpected(["UNICODE", "NOCASE", "NODIAC"].map { .symbol($0) } + others)
    }
    advance()
  }

  /// Parses `de`, `en_US`, `es-419`, or any text between backticks.
  private mutating func locale() throws(QuerySyntaxError) -> String {
    var name = try expectName("the name of a locale")
    while isAt(.minus) {
      let part = token(ahead: 1)
      switch part.kind {
      case .name, .integer: break
      default: return name
      }
      advance()
      name += "-" + source.text(advance().span)
    }
    return name
  }
}
