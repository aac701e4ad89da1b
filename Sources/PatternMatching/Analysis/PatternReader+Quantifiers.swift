extension PatternReader {
  /// Parses a quantifier, if there is one, and returns what is known about the repeated item.
  mutating func quantified(_ item: PatternInfo, _ flags: Flags) throws -> PatternInfo {
    if isQuoted {
      // After the end of a quotation, a quantifier applies to the last character.
      guard take("\\E") else { return item }
      isQuoted = false
    }
    var item = item
    var count = 0
    while try skipIgnored(flags), let (minimum, maximum) = try quantifier() {
      item = item.repeated(minimum, maximum)
      if take("+") { isLineSafe = false } else { _ = take("?") }
      count += 1
      // PCRE2 versions differ in the item to which a quantifier after spaces applies. Treating it as a repetition of
      // the whole item loses information but is correct for all versions.
      if count > 1 { isLineSafe = false }
    }
    return item
  }

  private mutating func quantifier() throws -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard peek == "{" else { return nil }
    index += 1
    if let bounds = try repetition() { return bounds }
    index -= 1
    return nil
  }

  /// The number of characters of bounds from which they are not parsed.
  private static let longestBounds = 32

  /// Parses the bounds after `{`; returns nil and consumes nothing if the brace is literal.
  mutating func repetition() throws -> (Int, Int?)? {
    var end = index
    while end < text.count, text[end] != "}", end - index < PatternReader.longestBounds { end += 1 }
    let inside = text[index..<end]
    let areBounds = inside.allSatisfy { $0.isDigit || $0 == "," || $0 == " " || $0 == "\t" }
    // PCRE2 accepts any number of leading zeros.
    if areBounds, inside.count == PatternReader.longestBounds { throw UnsupportedConstruct() }
    guard end < text.count, text[end] == "}", areBounds, !inside.isEmpty else { return nil }
    let parts = inside.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
      .map { Int(String(String.UnicodeScalarView($0))) }
    // Newer PCRE2 versions parse `{,3}` and `{ 1, 3 }` as quantifiers, older ones as text.
    guard parts.count <= 2, let minimum = parts[0] else { throw UnsupportedConstruct() }
    if parts.count == 2, parts[1] == nil, text[end - 1] != "," { throw UnsupportedConstruct() }
    index = end + 1
    return (minimum, parts.count == 1 ? minimum : parts[1])
  }
}
