/// Parsing of phrases and groups of phrases.
///
/// ```
/// group  = phrase | "NEAR" "(" phrase { phrase } [ "," number ] ")" | phrase { ("NEAR" | "NEAR/" number) phrase }
/// phrase = [ "^" ] part { "+" part }
/// part   = string [ "*" ]
/// ```
/// `^` is not allowed inside a group.
extension MatchGrammar {
  mutating func group() throws(QuerySyntaxError) -> MatchQuery {
    if current.isNear, next.kind == .leftParenthesis { return try nearGroup() }
    let first = try phrase()
    guard isInfixNear else { return first.map { .phrase($0) } ?? .nothing }
    return try nearChain(from: first)
  }

  // MARK: NEAR

  private mutating func nearGroup() throws(QuerySyntaxError) -> MatchQuery {
    advance()
    let opening = advance()
    var phrases: [MatchPhrase] = []
    var written = 0
    while current.isString {
      written += 1
      if let phrase = try phrase() { phrases.append(phrase) }
    }
    var distance = MatchQuery.defaultDistance
    var expected = Self.phraseExpectation
    if written > 0 {
      expected += [.symbol(","), .symbol(")")]
      if accept(.comma) != nil {
        distance = try number(in: opening)
        expected = [.symbol(")")]
      }
      if accept(.rightParenthesis) != nil {
        return phrases.isEmpty ? .nothing : .near(phrases, distance: distance)
      }
    }
    if current.kind == .end {
      throw source.error(.unclosedBracket, at: opening.span, expected: [.symbol(")")])
    }
    throw unexpected(expected: expected, hint: current.kind == .caret ? .caretOutsideNear : nil)
  }

  private mutating func number(in opening: MatchToken) throws(QuerySyntaxError) -> Int {
    guard current.isString else {
      if current.kind == .end {
        throw source.error(.unclosedBracket, at: opening.span, expected: [.symbol(")")])
      }
      throw unexpected(expected: [.element("a whole number")])
    }
    let token = advance()
    return try distance(token.text[...].utf8, at: token.span)
  }

  /// Whether the current token is FTS4's infix `NEAR` operator.
  private var isInfixNear: Bool { isInfixNear(at: 0) }

  /// A plain `NEAR` is an operator only between two phrases; elsewhere it is a word, as in FTS5.
  private func isInfixNear(at offset: Int) -> Bool {
    let (near, right) = (token(ahead: offset), token(ahead: offset + 1))
    return near.kind == .nearSlash || (near.isNear && (right.isString || right.kind == .caret))
  }

  /// Throws if an infix `NEAR` follows a term that is not a phrase, `offset` tokens ahead.
  func rejectInfixNear(ahead offset: Int) throws(QuerySyntaxError) {
    guard isInfixNear(at: offset) else { return }
    throw source.error(.unexpected, at: token(ahead: offset).span, hint: .nearJoinsPhrases)
  }

  private mutating func nearChain(from first: MatchPhrase?) throws(QuerySyntaxError) -> MatchQuery {
    var left = first
    var pairs: [MatchQuery] = []
    while isInfixNear {
      let near = advance()
      guard left?.isInitial != true, current.kind != .caret else {
        throw source.error(.unexpected, at: near.span, hint: .caretOutsideNear)
      }
      let distance = try distance(of: near)
      guard current.isString else { throw missingOperand(after: near) }
      let right = try phrase()
      let pair = [left, right].compactMap { $0 }
      if !pair.isEmpty { pairs.append(.near(pair, distance: distance)) }
      left = right
    }
    return .all(of: pairs)
  }

  private func distance(of near: MatchToken) throws(QuerySyntaxError) -> Int {
    guard near.kind == .nearSlash else { return MatchQuery.defaultDistance }
    let prefix = "NEAR/".utf8.count
    let span = SourceSpan(near.span.start + prefix..<near.span.end)
    return try distance(near.text.utf8.dropFirst(prefix), at: span)
  }

  /// Parses a distance and limits it to a value that any index can store.
  private func distance(_ digits: Substring.UTF8View, at span: SourceSpan) throws(QuerySyntaxError) -> Int {
    guard !digits.isEmpty, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
      throw source.error(.invalidNumber, at: span, expected: [.element("a whole number")])
    }
    return min(Int(Substring(digits)) ?? .max, Int(Int32.max))
  }

  // MARK: Phrases

  /// Parses the phrase at the current token; returns nil if all its parts are empty quotes.
  private mutating func phrase() throws(QuerySyntaxError) -> MatchPhrase? {
    let caret = accept(.caret)
    if caret != nil, current.isNear, next.kind == .leftParenthesis {
      throw unexpected(expected: Self.phraseExpectation, hint: .caretOutsideNear)
    }
    var parts: [MatchPhrase.Part] = []
    var previous = caret
    repeat {
      let part = try part(after: previous)
      if !part.text.isEmpty {
        parts.append(part)
      } else if !parts.isEmpty {
        // A star applies to the last word so far, as in FTS5, even if there are empty quotes between them.
        parts[parts.count - 1].isPrefix = part.isPrefix
      }
      previous = accept(.plus)
    } while previous != nil
    return parts.isEmpty ? nil : MatchPhrase(parts, isInitial: caret != nil)
  }

  private mutating func part(after previous: MatchToken?) throws(QuerySyntaxError) -> MatchPhrase.Part {
    guard current.isString else { throw missingOperand(after: previous) }
    let token = advance()
    let star = accept(.star)
    return MatchPhrase.Part(
      token.text, isQuoted: token.kind == .quoted, isPrefix: star != nil, span: token.span)
  }
}
