extension PatternReader {
  /// Parses the rest of an escape after `\`, outside classes and except for `\Q`.
  mutating func escape(_ flags: Flags) throws -> PatternInfo {
    let start = index - 1
    if let scalar = try escapedCharacter() { return try itself(scalar, flags) }
    let letter = try next()
    usesCharacterClasses = true
    switch letter {
    case "b", "B": return .empty
    case "A", "Z", "z", "G", "K":
      if letter == "G" { noteIndivisible() }
      isLineSafe = false
      return .empty
    case "d", "w", "h", "S", "V": return .unknown(mayContainNewline: false)
    case "D", "W", "H", "s", "v":
      replace(from: start, with: #"[^\\#(letter.inOtherCase)\n]"#)
      return .unknown(mayContainNewline: true)
    case "R", "X":
      // They match CR LF as a unit and do not backtrack into it.
      isLineSafe = false
      return .unknown(mayContainNewline: true)
    case "p", "P":
      let mayContainNewline = try property(isNegated: letter == "P")
      if mayContainNewline { guardAgainstNewline(from: start) }
      return .unknown(mayContainNewline: mayContainNewline)
    case "N": return try notNewline(flags)
    case "c":
      _ = try next()
      guardAgainstNewline(from: start)
      return .unknown(mayContainNewline: true)
    case "k", "g": return try reference(letter)
    case "1"..."9":
      // One digit is always a reference to a group; several may be a character code.
      return reference(isLineSafe: digits(.max, base: 10).isEmpty)
    default: throw UnsupportedConstruct()
    }
  }

  /// Returns the character that an escape denotes inside and outside a class; returns nil and consumes nothing for any
  /// other escape.
  mutating func escapedCharacter() throws -> Unicode.Scalar? {
    guard let scalar = peek else { throw UnsupportedConstruct() }
    let named: [Unicode.Scalar: Unicode.Scalar] = [
      "a": "\u{7}", "e": "\u{1B}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]
    if let value = named[scalar] {
      index += 1
      return value
    }
    switch scalar {
    case "0":
      return try number(digits(3, base: 8), base: 8)
    case "o":
      index += 1
      guard take("{") else { throw UnsupportedConstruct() }
      return try number(String(String.UnicodeScalarView(try take(through: "}"))), base: 8)
    case "x":
      index += 1
      if take("{") { return try number(String(String.UnicodeScalarView(try take(through: "}"))), base: 16) }
      let digits = digits(2, base: 16)
      return try number(digits.isEmpty ? "0" : digits, base: 16)
    default:
      guard !scalar.isDigit, !scalar.isASCIILetter else { return nil }
      index += 1
      return scalar
    }
  }

  /// Parses a property such as `\p{Lu}` or `\pL` after its `p`, and returns whether it may include U+000A.
  mutating func property(isNegated: Bool) throws -> Bool {
    let name = take("{") ? Array(try take(through: "}")) : [try next()]
    // Letters, marks, numbers, punctuation and symbols are the categories without control characters.
    guard !isNegated, let first = name.first, name.count <= 2 else { return true }
    return !["L", "M", "N", "P", "S"].contains(first)
  }

  private mutating func notNewline(_ flags: Flags) throws -> PatternInfo {
    guard take("{U+") else { return .unknown(mayContainNewline: false) }
    return try itself(number(String(String.UnicodeScalarView(try take(through: "}"))), base: 16), flags)
  }

  /// Parses `\g` or `\k`: a reference to a group or, after `\g`, a call to it: `\g<1>`. Either may match any text.
  private mutating func reference(_ letter: Unicode.Scalar) throws -> PatternInfo {
    let ends: [Unicode.Scalar: Unicode.Scalar] = ["{": "}", "<": ">", "'": "'"]
    let isCall = letter == "g" && (peek == "<" || peek == "'")
    if let open = peek, let close = ends[open] {
      index += 1
      _ = try take(through: close)
    } else {
      _ = take("-") || take("+")
      guard !digits(.max, base: 10).isEmpty else { throw UnsupportedConstruct() }
    }
    return reference(isLineSafe: !isCall)
  }

  /// Returns the facts of a reference or a call.
  ///
  /// - Parameter isLineSafe: whether it is a reference to a group. The text of a group in a line does not depend on
  ///   other lines, so neither does the text that the reference matches. Calls are atomic in old versions of PCRE2.
  mutating func reference(isLineSafe isSafe: Bool) -> PatternInfo {
    hasReferences = true
    if !isSafe { isLineSafe = false }
    return .unknown(mayContainNewline: true)
  }

  private func number(_ digits: String, base: Int) throws -> Unicode.Scalar {
    guard let value = UInt32(digits, radix: base), let scalar = Unicode.Scalar(value) else {
      throw UnsupportedConstruct()
    }
    return scalar
  }
}
