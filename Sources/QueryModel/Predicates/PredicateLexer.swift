/// Splits a predicate string into tokens. White space between tokens is ignored.
struct PredicateLexer {
  let source: QueryText
  var position = 0

  /// Returns the tokens of `source`; the last one has the kind `end`.
  ///
  /// - Complexity: O(*n*).
  static func tokens(of source: QueryText) throws(QuerySyntaxError) -> [PredicateToken] {
    var lexer = PredicateLexer(source: source)
    var tokens: [PredicateToken] = []
    repeat {
      tokens.append(try lexer.next())
    } while tokens.last?.kind != .end
    return tokens
  }

  private init(source: QueryText) {
    self.source = source
  }

  private mutating func next() throws(QuerySyntaxError) -> PredicateToken {
    while source.whitespaceLength(at: position) > 0 { position += source.whitespaceLength(at: position) }
    let start = position
    guard let byte = source.byte(at: position) else { return token(.end, from: start) }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return token(.string(try string()), from: start)
    case UInt8(ascii: "`"): return token(.name(try backticked(), isEscaped: true), from: start)
    case UInt8(ascii: "$"): return token(.variable(try marked("$name")), from: start)
    case UInt8(ascii: "#"): return token(.name(try marked("#name"), isEscaped: true), from: start)
    case _ where Self.isDigit(byte): return try number()
    case _ where isInName: return word()
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
    let name = source.byte(at: position) == UInt8(ascii: "`") ? try backticked() : takeName()
    guard !name.isEmpty else {
      throw source.error(
        .unexpected, at: SourceSpan(start..<position), expected: [.element("a name, as in \(example)")])
    }
    return name
  }

  private mutating func takeName() -> String {
    let start = position
    while isInName { position += source.scalarLength(at: position) }
    return source.text(SourceSpan(start..<position))
  }

  /// Whether the current character can be part of a name: letters, digits, `_`, and every non-ASCII character except
  /// white space.
  private var isInName: Bool {
    guard let byte = source.byte(at: position) else { return false }
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): return true
    case ..<0x80: return Self.isDigit(byte)
    default: return source.whitespaceLength(at: position) == 0
    }
  }

  /// Parses the text between two backticks; a doubled backtick represents one.
  private mutating func backticked() throws(QuerySyntaxError) -> String {
    let start = position
    var text: [UInt8] = []
    position += 1
    while let byte = source.byte(at: position) {
      position += 1
      if byte == UInt8(ascii: "`") {
        guard source.byte(at: position) == byte else { return String(decoding: text, as: UTF8.self) }
        position += 1
      }
      text.append(byte)
    }
    throw source.error(.unterminatedQuote, at: SourceSpan(start..<start + 1))
  }

  // MARK: Numbers

  private mutating func number() throws(QuerySyntaxError) -> PredicateToken {
    let start = position
    if let radix { return try number(radix: radix) }
    skipDigits()
    var isInteger = true
    if source.byte(at: position) == UInt8(ascii: "."), isDigit(at: position + 1) {
      isInteger = false
      position += 1
      skipDigits()
    }
    if let byte = source.byte(at: position), byte | 0x20 == UInt8(ascii: "e") {
      let sign = source.byte(at: position + 1)
      let digits = position + (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? 2 : 1)
      if isDigit(at: digits) {
        isInteger = false
        position = digits
        skipDigits()
      }
    }
    // `12abc` is an error, not the number 12 followed by a name.
    _ = takeName()
    let span = SourceSpan(start..<position)
    let text = source.text(span)
    // 2^63 is parsed as a double and converted back to an integer after a minus.
    if isInteger, let value = Int64(text) { return token(.integer(value), from: start) }
    guard let value = Double(text), value.isFinite else { throw source.error(.malformedNumber, at: span) }
    return token(.double(value), from: start)
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

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private func isDigit(at offset: Int) -> Bool { source.byte(at: offset).map(Self.isDigit) ?? false }

  private mutating func skipDigits() {
    while isDigit(at: position) { position += 1 }
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
