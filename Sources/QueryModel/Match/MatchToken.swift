/// A token of the match language with its place in the text.
struct MatchToken: Hashable {
  enum Kind: Hashable {
    case word, quoted
    case and, or, not
    /// `NEAR/3`; a plain `NEAR` is a word until its neighbours say otherwise.
    case nearSlash
    case leftParenthesis, rightParenthesis, leftBrace, rightBrace
    case colon, plus, star, caret, comma, minus
    case end
  }

  let kind: Kind
  /// The text with quotes and their doubling removed.
  let text: String
  let span: SourceSpan

  /// What FTS5 calls a string: the only thing that can be a part of a phrase or the name of a field.
  var isString: Bool { kind == .word || kind == .quoted }

  var isNear: Bool { kind == .word && text == "NEAR" }

  /// Whether the token needs something on its left.
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
