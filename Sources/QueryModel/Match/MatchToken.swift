/// A token of the match language with its span.
struct MatchToken: Hashable, LexicalToken {
  enum Kind: Hashable {
    case word, quoted
    case and, or, not
    /// `NEAR/3`; whether a plain `NEAR` is a word or an operator depends on the tokens around it.
    case nearSlash
    case leftParenthesis, rightParenthesis, leftBrace, rightBrace
    case colon, plus, star, caret, comma, minus
    case end
  }

  let kind: Kind
  /// The text without quotes and with doubled quotes reduced to one.
  let text: String
  let span: SourceSpan

  var isEnd: Bool { kind == .end }

  /// Whether the token is a "string" in FTS5's grammar: only strings can be parts of a phrase or names of fields.
  var isString: Bool { kind == .word || kind == .quoted }

  var isNear: Bool { kind == .word && text == "NEAR" }

  /// Whether the token requires a left operand.
  var isInfix: Bool {
    switch kind {
    case .and, .or, .not, .nearSlash, .plus, .star, .colon: true
    default: false
    }
  }

  /// Whether an operand of `AND`, `OR` and `NOT` can begin with the token.
  var startsOperand: Bool {
    switch kind {
    case .word, .quoted, .leftParenthesis, .leftBrace, .minus, .caret: true
    default: false
    }
  }
}
