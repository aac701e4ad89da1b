/// Splits the text of a match expression into tokens.
struct MatchLexer: Lexer {
  private let source: QueryText
  private var position = 0

  /// Returns whether `text`, written without quotes, is parsed as one word.
  static func isBareword(_ text: String) -> Bool {
    let tokens = try? tokens(of: QueryText(text))
    return tokens?.count == 2 && tokens?.first?.kind == .word && tokens?.first?.text == text
  }

  init(source: QueryText) {
    self.source = source
  }

  mutating func next() throws(QuerySyntaxError) -> MatchToken {
    skipWhitespace()
    let start = position
    guard let byte = source.byte(at: position) else { return token(.end, from: start) }
    if byte == UInt8(ascii: "\"") { return try quoted() }
    if let kind = Self.symbols[byte] {
      position += 1
      return token(kind, from: start)
    }
    return word()
  }

  /// A minus is a symbol only at the beginning of a token; inside a word it is an ordinary character.
  private static let symbols: [UInt8: MatchToken.Kind] = [
    UInt8(ascii: "("): .leftParenthesis, UInt8(ascii: ")"): .rightParenthesis,
    UInt8(ascii: "{"): .leftBrace, UInt8(ascii: "}"): .rightBrace,
    UInt8(ascii: ":"): .colon, UInt8(ascii: "+"): .plus, UInt8(ascii: "*"): .star,
    UInt8(ascii: "^"): .caret, UInt8(ascii: ","): .comma, UInt8(ascii: "-"): .minus,
  ]

  private mutating func skipWhitespace() {
    while true {
      let length = source.whitespaceLength(at: position)
      if length == 0 { return }
      position += length
    }
  }

  private mutating func quoted() throws(QuerySyntaxError) -> MatchToken {
    let start = position
    let text = try source.quotedText(at: &position, hint: .doubleQuoteInside)
    return MatchToken(kind: .quoted, text: text, span: SourceSpan(start..<position))
  }

  private mutating func word() -> MatchToken {
    let start = position
    scan: while let byte = source.byte(at: position), source.whitespaceLength(at: position) == 0 {
      switch Self.symbols[byte] {
      case .none where byte != UInt8(ascii: "\""), .minus: position += 1
      case .plus where source.byte(at: position + 1) == UInt8(ascii: "+"):
        // Two plus signs in a row have no meaning in FTS5, so they can be part of a word: C++.
        while source.byte(at: position) == UInt8(ascii: "+") { position += 1 }
      default: break scan
      }
    }
    let token = token(.word, from: start)
    return switch token.text {
    case "AND": MatchToken(kind: .and, text: token.text, span: token.span)
    case "OR": MatchToken(kind: .or, text: token.text, span: token.span)
    case "NOT": MatchToken(kind: .not, text: token.text, span: token.span)
    case let text where text.hasPrefix("NEAR/"):
      MatchToken(kind: .nearSlash, text: text, span: token.span)
    default: token
    }
  }

  private func token(_ kind: MatchToken.Kind, from start: Int) -> MatchToken {
    let span = SourceSpan(start..<position)
    return MatchToken(kind: kind, text: source.text(span), span: span)
  }
}
