/// Splits a predicate string into tokens. White space between tokens is ignored.
struct PredicateLexer: Lexer {
  let source: QueryText
  var position = 0

  init(source: QueryText) {
    self.source = source
  }

  mutating func next() throws(QuerySyntaxError) -> PredicateToken {
    while source.whitespaceLength(at: position) > 0 { position += source.whitespaceLength(at: position) }
    let start = position
    guard let byte = source.byte(at: position) else { return token(.end, from: start) }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return token(.string(try string()), from: start)
    case UInt8(ascii: "`"): return token(.name(try source.quotedText(at: &position), isEscaped: true), from: start)
    case UInt8(ascii: "$"): return token(.variable(try marked("$name")), from: start)
    case UInt8(ascii: "#"): return token(.name(try marked("#name"), isEscaped: true), from: start)
    case _ where source.isDigit(at: position): return try number()
    case _ where isInName(at: position): return word()
    default: return try symbol()
    }
  }

  // MARK: Names

  private mutating func word() -> PredicateToken {
    let start = position
    let text = takeName()
    if let keyword = PredicateKeyword(named: text) { return token(.keyword(keyword), from: start) }
    return token(.name(text, isEscaped: false), from: start)
  }

  /// Parses the name after the mark at the current position.
  private mutating func marked(_ example: String) throws(QuerySyntaxError) -> String {
    let start = position
    position += 1
    let name = source.byte(at: position) == UInt8(ascii: "`") ? try source.quotedText(at: &position) : takeName()
    guard !name.isEmpty else {
      throw source.error(
        .unexpected, at: SourceSpan(start..<position), expected: [.element("a name, as in \(example)")])
    }
    return name
  }

  private mutating func takeName() -> String {
    let start = position
    while isInName(at: position) { position += source.scalarLength(at: position) }
    return source.text(SourceSpan(start..<position))
  }

  /// Returns whether the character at an offset can be part of a name: a letter, a digit, `_`, and every non-ASCII
  /// character except white space.
  private func isInName(at offset: Int) -> Bool {
    guard let byte = source.byte(at: offset) else { return false }
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): return true
    case ..<0x80: return false
    default: return source.whitespaceLength(at: offset) == 0
    }
  }

  // MARK: Numbers

  private mutating func number() throws(QuerySyntaxError) -> PredicateToken {
    if let radix { return try number(radix: radix) }
    let start = position
    return switch try source.decimalNumber(at: &position, isInName: isInName) {
    case .integer(let value): token(.integer(value), from: start)
    case .double(let value): token(.double(value), from: start)
    }
  }

  /// The base of a number such as `0x1F`, `0o17` and `0b101`; nil for a decimal number.
  private var radix: Int? {
    guard source.byte(at: position) == UInt8(ascii: "0"), let mark = source.byte(at: position + 1) else { return nil }
    switch mark | 0x20 {
    case UInt8(ascii: "x"): return 16
    case UInt8(ascii: "o"): return 8
    case UInt8(ascii: "b"): return 2
    default: return nil
    }
  }

  private mutating func number(radix: Int) throws(QuerySyntaxError) -> PredicateToken {
    let start = position
    let text = takeName().dropFirst(2)
    guard let value = Int64(text, radix: radix) else {
      throw source.error(.malformedNumber, at: SourceSpan(start..<position))
    }
    return token(.integer(value), from: start)
  }

  // MARK: Symbols

  private mutating func symbol() throws(QuerySyntaxError) -> PredicateToken {
    let start = position
    let pair = [source.byte(at: start), source.byte(at: start + 1)].compactMap { $0 }
    guard let symbol = Self.symbols[pair] ?? Self.symbols[Array(pair.prefix(1))] else {
      throw source.error(
        .unexpected, at: SourceSpan(start..<start + source.scalarLength(at: start)),
        hint: pair.first == UInt8(ascii: "%") ? .parameterForArgument : nil)
    }
    position += symbol.rawValue.utf8.count
    return token(.symbol(symbol), from: start)
  }

  private static let symbols = Dictionary(
    uniqueKeysWithValues: PredicateToken.Symbol.allCases.map { (Array($0.rawValue.utf8), $0) })

  private func token(_ kind: PredicateToken.Kind, from start: Int) -> PredicateToken {
    PredicateToken(kind: kind, span: SourceSpan(start..<position))
  }
}
