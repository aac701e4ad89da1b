extension PatternReader {
  /// The next character, which is not consumed.
  var peek: Unicode.Scalar? { index < text.count ? text[index] : nil }

  /// Consumes and returns the next character.
  mutating func next() throws -> Unicode.Scalar {
    guard let scalar = peek else { throw UnsupportedConstruct() }
    index += 1
    return scalar
  }

  /// Consumes the wanted characters if they follow, and returns whether they did.
  mutating func take(_ wanted: String) -> Bool {
    guard follows(wanted) else { return false }
    index += wanted.unicodeScalars.count
    return true
  }

  /// Returns whether the wanted characters follow.
  func follows(_ wanted: String) -> Bool {
    var offset = index
    for scalar in wanted.unicodeScalars {
      guard offset < text.count, text[offset] == scalar else { return false }
      offset += 1
    }
    return true
  }

  /// Returns the text before the first `end` and consumes both.
  mutating func take(through end: Unicode.Scalar) throws -> ArraySlice<Unicode.Scalar> {
    guard let offset = text[index...].firstIndex(of: end) else { throw UnsupportedConstruct() }
    defer { index = offset + 1 }
    return text[index..<offset]
  }

  /// Consumes and returns at most `count` digits of a base.
  mutating func digits(_ count: Int, base: Int) -> String {
    var digits = ""
    while digits.count < count, let scalar = peek, scalar.isASCII,
      Character(scalar).hexDigitValue.map({ $0 < base }) == true
    {
      digits.unicodeScalars.append(scalar)
      index += 1
    }
    return digits
  }

  /// Skips comments and, if the flag `isExtended` is set, whitespace. Always returns true, so that it can be part of a
  /// condition.
  mutating func skipIgnored(_ flags: Flags) throws -> Bool {
    while true {
      if take("(?#") {
        _ = try take(through: ")")
      } else if flags.isExtended, let scalar = peek, scalar.properties.isPatternWhitespace {
        index += 1
      } else if flags.isExtended, take("#") {
        index = text[index...].firstIndex(of: "\n").map { $0 + 1 } ?? text.count
      } else {
        return true
      }
    }
  }

  /// Consumes options such as `(*UTF)` at the start of the pattern. Options that change the line break are not
  /// supported. Verbs such as `(*SKIP)` are not options: they are valid anywhere.
  mutating func startOptions() throws {
    var isSupported = true
    while follows("(*"), let end = text[index...].firstIndex(of: ")") {
      let name = String(String.UnicodeScalarView(text[(index + 2)..<end].prefix { $0 != "=" }))
      guard PatternReader.startOptionNames.contains(name) else { break }
      isLineSafe = false
      isSupported = isSupported && PatternReader.supportedStartOptions.contains(name)
      index = end + 1
    }
    if index > 0 { startOptionsText = String(String.UnicodeScalarView(text[..<index])) }
    guard isSupported else { throw UnsupportedConstruct() }
  }

  private static let supportedStartOptions: Set<String> = [
    "UTF", "UCP", "NO_JIT", "NO_START_OPT", "NO_AUTO_POSSESS", "NO_DOTSTAR_ANCHOR", "LIMIT_MATCH", "LIMIT_DEPTH",
    "LIMIT_RECURSION", "LIMIT_HEAP",
  ]
  /// See "SPECIAL START-OF-PATTERN ITEMS" in pcre2pattern(3).
  private static let startOptionNames: Set<String> = supportedStartOptions.union([
    "NOTEMPTY", "NOTEMPTY_ATSTART", "CR", "LF", "CRLF", "ANYCRLF", "ANY", "NUL", "BSR_ANYCRLF", "BSR_UNICODE",
    "CASELESS_RESTRICT", "TURKISH_CASING",
  ])
}

extension Unicode.Scalar {
  /// Whether the scalar is an ASCII digit.
  var isDigit: Bool { ("0"..."9").contains(self) }
  /// Whether the scalar is an ASCII letter.
  var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
