/// Scanning of the literals that the query languages share.
extension QueryText {
  enum Number {
    case integer(Int64)
    case double(Double)
  }

  /// Returns the text between the quotation mark at `position` and the next one; a doubled mark represents one.
  ///
  /// - Parameters:
  ///   - position: the offset of the quotation mark; afterwards the offset after the closing one.
  ///   - hint: what the error suggests if the closing mark is missing.
  func quotedText(at position: inout Int, hint: DiagnosticHint? = nil) throws(QuerySyntaxError) -> String {
    let start = position
    let mark = byte(at: start)
    var text: [UInt8] = []
    position += 1
    while let byte = byte(at: position) {
      position += 1
      if byte == mark {
        guard self.byte(at: position) == mark else { return String(decoding: text, as: UTF8.self) }
        position += 1
      }
      text.append(byte)
    }
    throw error(.unterminatedQuote, at: SourceSpan(start..<start + 1), hint: hint)
  }

  /// Returns the decimal number at `position`: `12`, `1.5`, `1.5e3`.
  ///
  /// - Parameters:
  ///   - position: the offset of the first digit; afterwards the offset after the number.
  ///   - isInName: whether the character at an offset can be part of a name. `12abc` is an error, not the number 12
  ///     followed by a name.
  func decimalNumber(at position: inout Int, isInName: (Int) -> Bool) throws(QuerySyntaxError) -> Number {
    let start = position
    skipDigits(&position)
    var isInteger = true
    if byte(at: position) == UInt8(ascii: "."), isDigit(at: position + 1) {
      isInteger = false
      position += 1
      skipDigits(&position)
    }
    if let byte = byte(at: position), byte | 0x20 == UInt8(ascii: "e") {
      let sign = self.byte(at: position + 1)
      var digits = position + (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? 2 : 1)
      if isDigit(at: digits) {
        isInteger = false
        skipDigits(&digits)
        position = digits
      }
    }
    while isInName(position) { position += scalarLength(at: position) }
    let span = SourceSpan(start..<position)
    let text = text(span)
    // 2^63 is parsed as a double and converted back to an integer after a minus.
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw error(.malformedNumber, at: span) }
    return .double(value)
  }

  func isDigit(at offset: Int) -> Bool { byte(at: offset).map { $0 &- 0x30 < 10 } ?? false }

  private func skipDigits(_ position: inout Int) {
    while isDigit(at: position) { position += 1 }
  }
}
