/// Finds the first error in text that simdjson has rejected, because simdjson does not report its location.
///
/// It checks the grammar of RFC 8259 and the range of numbers, without recursion, so that any depth of nesting can be
/// read. The text must be valid UTF-8.
struct JSONErrorLocator {
  private let text: UnsafeRawBufferPointer
  private var index = 0

  /// Returns the byte offset of the first error: of a string, number or word that is malformed, of a byte that is not
  /// allowed there, or the end of the text if it ends too early. Returns nil if the text is valid.
  ///
  /// - Complexity: O(n) in the offset.
  static func offset(in text: UnsafeRawBufferPointer) -> Int? {
    var locator = JSONErrorLocator(text: text)
    return locator.firstError()
  }

  private init(text: UnsafeRawBufferPointer) { self.text = text }

  private mutating func firstError() -> Int? {
    // For each open array or object, whether it is an object.
    var open: [Bool] = []
    while true {
      skipSpace()
      if let isObject = takeOpeningBracket() {
        skipSpace()
        if !take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          open.append(isObject)
          if isObject, let error = keyError() { return error }
          continue
        }
      } else if let error = scalarError() {
        return error
      }
      // The value has ended. Its containers can end too, until a comma is followed by the next value.
      while true {
        skipSpace()
        guard let isObject = open.last else { return index < text.count ? index : nil }
        if take(UInt8(ascii: ",")) {
          if isObject, let error = keyError() { return error }
          break
        }
        guard take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return index }
        open.removeLast()
      }
    }
  }

  private var byte: UInt8? { index < text.count ? text[index] : nil }

  private mutating func take(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
  }

  /// Returns whether the container that begins here is an object; nil if none begins.
  private mutating func takeOpeningBracket() -> Bool? {
    take(UInt8(ascii: "{")) ? true : take(UInt8(ascii: "[")) ? false : nil
  }

  /// Reads a key and its colon.
  private mutating func keyError() -> Int? {
    skipSpace()
    guard byte == UInt8(ascii: "\"") else { return index }
    if let error = stringError() { return error }
    skipSpace()
    return take(UInt8(ascii: ":")) ? nil : index
  }

  /// Reads a string, a number, `true`, `false` or `null`.
  private mutating func scalarError() -> Int? {
    guard let byte else { return index }
    switch byte {
    case UInt8(ascii: "\""): return stringError()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return numberError()
    default:
      for word in ["true", "false", "null"] where text[index...].starts(with: word.utf8) {
        index += word.utf8.count
        return nil
      }
      return index
    }
  }

  private mutating func numberError() -> Int? {
    let start = index
    _ = take(UInt8(ascii: "-"))
    let hasLeadingZero = byte == UInt8(ascii: "0")
    let digitCount = skipDigits()
    if digitCount == 0 || hasLeadingZero && digitCount > 1 { return start }
    if take(UInt8(ascii: ".")), skipDigits() == 0 { return start }
    if let letter = byte, letter | 0x20 == UInt8(ascii: "e") {
      index += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      if skipDigits() == 0 { return start }
    }
    // An integer that does not fit in 64 bits is read as a double.
    let number = Double(String(decoding: text[start..<index], as: UTF8.self))
    return number?.isFinite == true ? nil : start
  }

  /// Returns the number of digits.
  private mutating func skipDigits() -> Int {
    let start = index
    while let byte, byte &- UInt8(ascii: "0") < 10 { index += 1 }
    return index - start
  }

  /// Reads a string. The error of a string without an end is at its beginning.
  private mutating func stringError() -> Int? {
    let start = index
    index += 1
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return nil
      case UInt8(ascii: "\\"): if let error = escapeError() { return error }
      case 0..<0x20: return index
      default: index += 1
      }
    }
    return start
  }

  private mutating func escapeError() -> Int? {
    let start = index
    index += 1
    switch byte {
    case UInt8(ascii: "u"):
      index += 1
      guard let unit = takeHexadecimal() else { return start }
      if !UTF16.isLeadSurrogate(unit), !UTF16.isTrailSurrogate(unit) { return nil }
      guard UTF16.isLeadSurrogate(unit), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")),
        let second = takeHexadecimal(), UTF16.isTrailSurrogate(second)
      else { return start }
      return nil
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 1
      return nil
    default: return start
    }
  }

  /// Reads the four hexadecimal digits of an escape. Returns their code unit; nil if they are not digits.
  private mutating func takeHexadecimal() -> UInt16? {
    guard let unit = JSONString.hexadecimal(text, at: index) else { return nil }
    index += 4
    return UInt16(truncatingIfNeeded: unit)
  }
}
