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

  /// Returns the decimal number at `position`: `12`, `1.5`, `1.5e3`, `.5`.
  ///
  /// - Parameters:
  ///   - position: the offset of the first digit, or of a dot before it; afterwards the offset after the number.
  ///   - mayEndInDot: whether the number may have no digits after its dot: `5.`, `5.e3`.
  ///   - isInName: whether the character at an offset can be part of a name. `12abc` is an error, not the number 12
  ///     followed by a name.
  func decimalNumber(
    at position: inout Int, mayEndInDot: Bool = false, isInName: (Int) -> Bool
  ) throws(QuerySyntaxError) -> Number {
    let start = position
    skipDigits(&position)
    var isInteger = true
    if byte(at: position) == UInt8(ascii: "."), isDigit(at: position + 1) {
      isInteger = false
      position += 1
      skipDigits(&position)
    } else if mayEndInDot, isLastDot(at: position, isInName: isInName) {
      isInteger = false
      position += 1
    }
    if let end = exponentEnd(at: position) {
      isInteger = false
      position = end
    }
    while isInName(position) { position += scalarLength(at: position) }
    let span = SourceSpan(start..<position)
    let text = text(span)
    // 2^63 is parsed as a double and converted back to an integer after a minus.
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw error(.malformedNumber, at: span) }
    return .double(value)
  }

  /// Returns whether a dot at an offset belongs to the number before it, as in `5.` and `5.e3`, instead of to a path
  /// such as `5.name` or to a second dot.
  private func isLastDot(at offset: Int, isInName: (Int) -> Bool) -> Bool {
    guard byte(at: offset) == UInt8(ascii: ".") else { return false }
    if let end = exponentEnd(at: offset + 1) { return !isInName(end) }
    let next = byte(at: offset + 1)
    return next != UInt8(ascii: ".") && next != UInt8(ascii: "`") && !isInName(offset + 1)
  }

  /// Returns where the exponent at `offset`, such as `e3` or `E-7`, ends; nil if no exponent begins there.
  private func exponentEnd(at offset: Int) -> Int? {
    guard let byte = byte(at: offset), byte | 0x20 == UInt8(ascii: "e") else { return nil }
    let sign = self.byte(at: offset + 1)
    var end = offset + (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? 2 : 1)
    guard isDigit(at: end) else { return nil }
    skipDigits(&end)
    return end
  }

  func isDigit(at offset: Int) -> Bool { byte(at: offset).map { $0 &- 0x30 < 10 } ?? false }

  private func skipDigits(_ position: inout Int) {
    while isDigit(at: position) { position += 1 }
  }
}
