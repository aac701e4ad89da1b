/// Parsing of strings, with the escapes of C.
extension PredicateLexer {
  /// Parses the text between two quotation marks of one kind.
  ///
  /// A backslash escapes a quotation mark or another backslash, or begins one of the escapes `\n`, `\r`, `\t`, `\101`,
  /// `\x41` and `\u00e9`. Two escapes that are a surrogate pair denote one character: `\ud83d\ude00`. Before any other
  /// character it is literal, so that regular expressions need no additional backslashes: `'\d+'`.
  mutating func string() throws(QuerySyntaxError) -> String {
    let start = position
    guard let mark = source.byte(at: start) else { return "" }
    var text: [UInt8] = []
    position += 1
    while let byte = source.byte(at: position) {
      position += 1
      if byte == mark { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        if let scalar = escape() {
          text.append(contentsOf: Character(scalar).utf8)
          continue
        }
      }
      text.append(byte)
    }
    throw source.error(.unterminatedQuote, at: SourceSpan(start..<start + 1))
  }

  /// Consumes and returns the character that an escape denotes; returns nil and consumes nothing if the backslash is
  /// literal.
  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = source.byte(at: position) else { return nil }
    let scalar: Unicode.Scalar?
    var length = 1
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): scalar = Unicode.Scalar(byte)
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "0")...UInt8(ascii: "7"): (scalar, length) = number(radix: 8, digits: 3, after: 0)
    case UInt8(ascii: "x"), UInt8(ascii: "X"): (scalar, length) = number(radix: 16, digits: 2, after: 1)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      (scalar, length) = surrogatePair() ?? number(radix: 16, digits: 4, after: 1)
    default: return nil
    }
    guard scalar != nil else { return nil }
    position += length
    return scalar
  }

  /// Returns the character with a code of exactly `digits` digits, and the length of the escape including its prefix.
  private func number(radix: Int, digits: Int, after prefix: Int) -> (Unicode.Scalar?, Int) {
    guard let code = codePoint(radix: radix, digits: digits, at: position + prefix) else { return (nil, 0) }
    return (Unicode.Scalar(code), prefix + digits)
  }

  /// Returns the character that two escapes denote, such as `\ud83d\ude00`, and the length of both without the first
  /// backslash; nil if they are not a surrogate pair.
  private func surrogatePair() -> (Unicode.Scalar?, Int)? {
    let second = position + 5
    guard source.byte(at: second) == UInt8(ascii: "\\"),
      let mark = source.byte(at: second + 1), mark == UInt8(ascii: "u") || mark == UInt8(ascii: "U"),
      let high = codePoint(radix: 16, digits: 4, at: position + 1), (0xD800...0xDBFF).contains(high),
      let low = codePoint(radix: 16, digits: 4, at: second + 2), (0xDC00...0xDFFF).contains(low)
    else { return nil }
    return (Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 11)
  }

  /// Returns the number of exactly `digits` digits at a position; nil if there is none.
  private func codePoint(radix: Int, digits: Int, at start: Int) -> UInt32? {
    let text = source.text(SourceSpan(start..<start + digits))
    // `UInt32` accepts a sign as well.
    guard text.utf8.count == digits, text.allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(text, radix: radix)
  }
}
