/// Parsing of strings, with the escapes of C.
extension PredicateLexer {
  /// Parses the text between two quotation marks of one kind.
  ///
  /// A backslash escapes a quotation mark or another backslash, or begins one of the escapes `\n`, `\r`, `\t`, `\101`,
  /// `\x41` and `\u00e9`. Before any other character it is literal, so that regular expressions need no additional
  /// backslashes: `'\d+'`.
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
    case UInt8(ascii: "u"), UInt8(ascii: "U"): (scalar, length) = number(radix: 16, digits: 4, after: 1)
    default: return nil
    }
    guard scalar != nil else { return nil }
    position += length
    return scalar
  }

  /// Returns the character with a code of exactly `digits` digits, and the length of the escape including its prefix.
  private func number(radix: Int, digits: Int, after prefix: Int) -> (Unicode.Scalar?, Int) {
    let text = source.text(SourceSpan(position + prefix..<position + prefix + digits))
    // `UInt32` accepts a sign as well.
    guard text.utf8.count == digits, text.allSatisfy(\.isHexDigit), let code = UInt32(text, radix: radix) else {
      return (nil, 0)
    }
    return (Unicode.Scalar(code), prefix + digits)
  }
}
