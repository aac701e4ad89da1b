/// A parser that reads a list of tokens. The last token represents the end of the text.
protocol TokenReader {
  associatedtype Token

  /// The tokens; not empty.
  var tokens: [Token] { get }
  /// The index of the current token.
  var index: Int { get set }
}

extension TokenReader {
  var current: Token { tokens[index] }

  /// Returns the token after `count` others, or the end token.
  func token(ahead count: Int) -> Token {
    tokens[min(index + count, tokens.count - 1)]
  }

  /// Returns the current token and moves to the next; never moves past the end token.
  @discardableResult
  mutating func advance() -> Token {
    let token = current
    if index < tokens.count - 1 { index += 1 }
    return token
  }
}
