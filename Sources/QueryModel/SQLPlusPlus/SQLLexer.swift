/// Splits SQL++ text into tokens. White space and comments (`-- …` to the end of the line, `/* … */`) are skipped.
struct SQLLexer {
  private let source: QueryText
  private var position = 0

  /// Returns the tokens of `source`; the last one has the kind `end`.
  ///
  /// - Complexity: O(*n*).
  static func tokens(of source: QueryText) throws(QuerySyntaxError) -> [SQLToken] {
    var lexer = SQLLexer(source: source)
    var tokens: [SQLToken] = []
    repeat {
      tokens.append(try lexer.next())
    } while tokens.last?.kind != .end
    return tokens
  }

  /// Returns whether a name can be written without backticks in every context and dialect: ASCII letters, digits and
  /// `_`, and not a reserved word.
  static func isPlainName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    guard name.utf8.allSatisfy({ isWordByte($0) && $0 < 0x80 && $0 != UInt8(ascii: "$") }) else { return false }
    // SOME and EXISTS are names or operators depending on the next token.
    return SQLKeyword(named: name) == nil && !["SOME", "EXISTS"].contains(name.uppercased())
  }

  private init(source: QueryText) {
    self.source = source
  }

  private mutating func next() throws(QuerySyntaxError) -> SQLToken {
    try skipBlanks()
    let start = position
    guard let byte = source.byte(at: position) else { return token(.end, from: start) }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return token(.string(try quoted(by: byte)), from: start)
    case UInt8(ascii: "`"): return token(.name(try quoted(by: byte), isQuoted: true), from: start)
    case UInt8(ascii: "$"): return try parameter()
    case _ where Self.isDigit(byte): return try number()
    case _ where Self.isWordByte(byte): return word()
    default: return try symbol()
    }
  }

  // MARK: White space

  private mutating func skipBlanks() throws(QuerySyntaxError) {
    while true {
      let length = source.whitespaceLength(at: position)
      if length > 0 {
        position += length
      } else if starts(with: "--") {
        position = source.lineEnd(after: position)
      } else if starts(with: "/*") {
        try skipBlockComment()
      } else {
        return
      }
    }
  }

  private mutating func skipBlockComment() throws(QuerySyntaxError) {
    let start = position
    position += 2
    while !starts(with: "*/") {
      guard position < source.bytes.count else {
        throw source.error(.unclosedBracket, at: SourceSpan(start..<start + 2), expected: [.symbol("*/")])
      }
      position += 1
    }
    position += 2
  }

  private func starts(with text: StaticString) -> Bool {
    source.byte(at: position) == text.utf8Start[0] && source.byte(at: position + 1) == text.utf8Start[1]
  }

  // MARK: Tokens

  /// Parses the text between two quotation marks; a doubled mark represents one.
  private mutating func quoted(by mark: UInt8) throws(QuerySyntaxError) -> String {
    let start = position
    var text: [UInt8] = []
    position += 1
    while let byte = source.byte(at: position) {
      position += 1
      if byte == mark {
        guard source.byte(at: position) == mark else { return String(decoding: text, as: UTF8.self) }
        position += 1
      }
      text.append(byte)
    }
    throw source.error(.unterminatedQuote, at: SourceSpan(start..<start + 1))
  }

  private mutating func parameter() throws(QuerySyntaxError) -> SQLToken {
    let start = position
    position += 1
    if source.byte(at: position) == UInt8(ascii: "`") {
      return token(.parameter(try quoted(by: UInt8(ascii: "`"))), from: start)
    }
    while let byte = source.byte(at: position), Self.isWordByte(byte), isInWord { position += 1 }
    let name = source.text(SourceSpan(start + 1..<position))
    guard !name.isEmpty else {
      throw source.error(
        .unexpected, at: SourceSpan(start..<position), expected: [.element("a parameter, as in $name")])
    }
    return token(.parameter(name), from: start)
  }

  private mutating func number() throws(QuerySyntaxError) -> SQLToken {
    let start = position
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
    while let byte = source.byte(at: position), Self.isWordByte(byte), isInWord { position += 1 }
    let span = SourceSpan(start..<position)
    let text = source.text(span)
    // 2^63 is parsed as a double and converted back to an integer after a minus.
    if isInteger, let value = Int64(text) { return token(.integer(value), from: start) }
    guard let value = Double(text), value.isFinite else { throw source.error(.malformedNumber, at: span) }
    return token(.double(value), from: start)
  }

  private mutating func word() -> SQLToken {
    let start = position
    while let byte = source.byte(at: position), Self.isWordByte(byte), isInWord { position += 1 }
    let text = source.text(SourceSpan(start..<position))
    if let keyword = SQLKeyword(named: text) { return token(.keyword(keyword), from: start) }
    return token(.name(text, isQuoted: false), from: start)
  }

  private mutating func symbol() throws(QuerySyntaxError) -> SQLToken {
    let start = position
    let pair = [source.byte(at: start), source.byte(at: start + 1)].compactMap { $0 }
    guard let symbol = Self.symbols[pair] ?? Self.symbols[Array(pair.prefix(1))] else {
      throw source.error(.unexpected, at: SourceSpan(start..<start + source.scalarLength(at: start)))
    }
    position += symbol.rawValue.utf8.count
    return token(.symbol(symbol), from: start)
  }

  private static let symbols = Dictionary(
    uniqueKeysWithValues: SQLToken.Symbol.allCases.map { (Array($0.rawValue.utf8), $0) })

  // MARK: Characters

  /// Returns whether a byte can be part of a word: letters, digits, `_`, `$`, and every non-ASCII byte; ``isInWord``
  /// excludes non-ASCII white space.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: isDigit(byte) || byte >= 0x80
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private func isDigit(at offset: Int) -> Bool { source.byte(at: offset).map(Self.isDigit) ?? false }

  private var isInWord: Bool { source.whitespaceLength(at: position) == 0 }

  private mutating func skipDigits() {
    while isDigit(at: position) { position += 1 }
  }

  private func token(_ kind: SQLToken.Kind, from start: Int) -> SQLToken {
    SQLToken(kind: kind, span: SourceSpan(start..<position))
  }
}
