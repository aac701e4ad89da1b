/// Splits SQL++ text into tokens. White space and comments (`-- …` to the end of the line, `/* … */`) are skipped.
struct SQLLexer: Lexer {
  private let source: QueryText
  private var position = 0

  /// Returns whether a name can be written without backticks in every context and dialect: ASCII letters, digits and
  /// `_`, and not a reserved word.
  static func isPlainName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    guard name.utf8.allSatisfy({ isWordByte($0) && $0 != UInt8(ascii: "$") }) else { return false }
    // The meaning of these words depends on the next token.
    return SQLKeyword(named: name) == nil && !["ALL", "SOME", "EXISTS"].contains(name.uppercased())
  }

  init(source: QueryText) {
    self.source = source
  }

  mutating func next() throws(QuerySyntaxError) -> SQLToken {
    let end = position
    try skipBlanks()
    let start = position
    guard let byte = source.byte(at: position) else { return token(.end, from: start) }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return token(.string(try source.quotedText(at: &position)), from: start)
    case UInt8(ascii: "`"): return token(.name(try source.quotedText(at: &position), isQuoted: true), from: start)
    case UInt8(ascii: "$"): return try parameter()
    case _ where source.isDigit(at: position): return try number()
    case UInt8(ascii: ".") where source.isDigit(at: start + 1) && (start > end || !endsOperand(before: start)):
      return try number()
    case _ where isInWord(at: position): return word()
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

  private mutating func parameter() throws(QuerySyntaxError) -> SQLToken {
    let start = position
    position += 1
    if source.byte(at: position) == UInt8(ascii: "`") {
      return token(.parameter(try source.quotedText(at: &position)), from: start)
    }
    skipWord()
    let name = source.text(SourceSpan(start + 1..<position))
    guard !name.isEmpty else {
      throw source.error(
        .unexpected, at: SourceSpan(start..<position), expected: [.element("a parameter, as in $name")])
    }
    return token(.parameter(name), from: start)
  }

  private mutating func number() throws(QuerySyntaxError) -> SQLToken {
    let start = position
    return switch try source.decimalNumber(at: &position, mayEndInDot: true, isInName: isInWord) {
    case .integer(let value): token(.integer(value), from: start)
    case .double(let value): token(.double(value), from: start)
    }
  }

  private mutating func word() -> SQLToken {
    let start = position
    skipWord()
    let text = source.text(SourceSpan(start..<position))
    if let keyword = SQLKeyword(named: text) { return token(.keyword(keyword), from: start) }
    return token(.name(text, isQuoted: false), from: start)
  }

  private mutating func symbol() throws(QuerySyntaxError) -> SQLToken {
    let start = position
    let pair = [source.byte(at: start), source.byte(at: start + 1)].compactMap { $0 }
    if let length = bitwiseOperatorLength(pair) {
      throw source.error(.unsupported, at: SourceSpan(start..<start + length), hint: .bitwiseOperator)
    }
    guard let symbol = Self.symbols[pair] ?? Self.symbols[Array(pair.prefix(1))] else {
      throw source.error(.unexpected, at: SourceSpan(start..<start + source.scalarLength(at: start)))
    }
    position += symbol.rawValue.utf8.count
    return token(.symbol(symbol), from: start)
  }

  /// Returns the length of an operator such as `&` and `<<` at the beginning of two bytes, or nil. None is supported.
  private func bitwiseOperatorLength(_ pair: [UInt8]) -> Int? {
    switch String(decoding: pair, as: UTF8.self) {
    case "||": nil
    case "<<", ">>", "&&": 2
    default: pair.first.map { "&|^~".utf8.contains($0) } == true ? 1 : nil
    }
  }

  private static let symbols = Dictionary(
    uniqueKeysWithValues: SQLToken.Symbol.allCases.map { (Array($0.rawValue.utf8), $0) })

  // MARK: Characters

  private mutating func skipWord() {
    while isInWord(at: position) { position += source.scalarLength(at: position) }
  }

  /// Returns whether the character at an offset can be part of a word: a letter, a digit, `_`, `$`, and every non-ASCII
  /// character except white space.
  private func isInWord(at offset: Int) -> Bool {
    guard let byte = source.byte(at: offset) else { return false }
    return byte < 0x80 ? Self.isWordByte(byte) : source.whitespaceLength(at: offset) == 0
  }

  /// Returns whether the byte before an offset can be the last of an operand, after which a dot begins a path: `x.5`.
  private func endsOperand(before offset: Int) -> Bool {
    guard offset > 0, let byte = source.byte(at: offset - 1) else { return false }
    return byte >= 0x80 || Self.isWordByte(byte) || ")]}'\"`.".utf8.contains(byte)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: false
    }
  }

  private func token(_ kind: SQLToken.Kind, from start: Int) -> SQLToken {
    SQLToken(kind: kind, span: SourceSpan(start..<position))
  }
}
