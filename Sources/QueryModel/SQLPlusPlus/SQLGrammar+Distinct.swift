/// Parsing of `DISTINCT` and `ALL` after `SELECT`.
extension SQLGrammar {
  /// Parses `DISTINCT` or `ALL`, which is the default; returns whether equal rows are returned once.
  mutating func distinct() -> Bool {
    if accept(.distinct) { return true }
    if isAll { advance() }
    return false
  }

  /// Whether the current token is the word of `SELECT ALL x`.
  ///
  /// `ALL` is reserved in SQL++ but not here, so that `SELECT all FROM x` and `SELECT all, y` return a property. It is
  /// a name if no column can begin after it. A sign, as in `ALL -x`, begins a column; `all[0]` and `all NOT NULL` are
  /// properties.
  private var isAll: Bool {
    guard current.isWord("ALL") else { return false }
    return switch token(ahead: 1).kind {
    case .name, .string, .integer, .double, .parameter: true
    case .symbol(.leftParenthesis), .symbol(.leftBrace), .symbol(.plus), .symbol(.minus): true
    case .symbol(.leftBracket): !isPositionNext
    case .symbol(.star): endsColumn(token(ahead: 2))
    case .keyword(.not): infix(ahead: 1) == nil
    case .keyword(.any), .keyword(.every), .keyword(.case): true
    case .keyword(.missing), .keyword(.null), .keyword(.true), .keyword(.false): true
    default: false
    }
  }

  /// Whether `[0]` or `[-1]` follows the current token.
  private var isPositionNext: Bool {
    let number = token(ahead: 2).kind == .symbol(.minus) ? 3 : 2
    guard case .integer = token(ahead: number).kind else { return false }
    return token(ahead: number + 1).kind == .symbol(.rightBracket)
  }

  /// Returns whether a token after `*` shows that the star is a column and not a multiplication.
  private func endsColumn(_ token: SQLToken) -> Bool {
    switch token.kind {
    case .end, .symbol(.comma), .symbol(.semicolon): true
    case .keyword(.as), .keyword(.from), .keyword(.where), .keyword(.group), .keyword(.having): true
    case .keyword(.order), .keyword(.limit), .keyword(.offset): true
    default: false
    }
  }
}
