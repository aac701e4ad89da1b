/// Splits a text into tokens.
protocol Lexer {
  associatedtype Token: LexicalToken

  /// Creates a lexer at the beginning of a text.
  init(source: QueryText)

  /// Returns the next token; at the end of the text the end token.
  mutating func next() throws(QuerySyntaxError) -> Token
}

/// A token, or the end of the text.
protocol LexicalToken {
  var isEnd: Bool { get }
  var span: SourceSpan { get }
}

extension Lexer {
  /// Returns the tokens of `source`; the last one is the end token.
  ///
  /// - Complexity: O(*n*).
  static func tokens(of source: QueryText) throws(QuerySyntaxError) -> [Token] {
    var lexer = Self(source: source)
    var tokens: [Token] = []
    repeat {
      tokens.append(try lexer.next())
    } while tokens.last?.isEnd == false
    return tokens
  }
}
