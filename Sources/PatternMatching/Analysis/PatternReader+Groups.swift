extension PatternReader {
  /// Parses a group after its `(`; returns nil if it only sets flags.
  mutating func group(_ flags: inout Flags) throws -> PatternInfo? {
    // Verbs and assertions with long names are not supported. (*ACCEPT) would make everything after it optional.
    guard peek != "*" else {
      if follows("*SKIP") || follows("*COMMIT") { noteIndivisible() }
      throw UnsupportedConstruct()
    }
    let start = index - 1
    guard take("?") else { return try inside(flags) }
    let scalar = try next()
    switch scalar {
    case ":", "|": return try inside(flags)
    case ">":
      isLineSafe = false
      return try inside(flags)
    case "=", "*": return try lookaround(from: start, flags, isPositive: true)
    case "!": return try lookaround(from: start, flags, isPositive: false)
    case "<":
      if take("=") || take("*") { return try lookaround(from: start, flags, isPositive: true) }
      if take("!") { return try lookaround(from: start, flags, isPositive: false) }
      return try named(flags, end: ">")
    case "'": return try named(flags, end: "'")
    case "P":
      if take("<") { return try named(flags, end: ">") }
      guard peek == "=" || peek == ">" else { throw UnsupportedConstruct() }
      return try call()
    case "&", "R", "0"..."9": return try call()
    case "+", "-":
      if let next = peek, next.isDigit { return try call() }
      index -= 1
      return try inlineFlags(&flags)
    default:
      index -= 1
      return try inlineFlags(&flags)
    }
  }

  /// Parses the branches of a group and its closing parenthesis. Flags set in the group end with it.
  private mutating func inside(_ flags: Flags) throws -> PatternInfo {
    var inner = flags
    let info = try alternatives(&inner)
    guard take(")") else { throw UnsupportedConstruct() }
    return info
  }

  private mutating func named(_ flags: Flags, end: Unicode.Scalar) throws -> PatternInfo {
    _ = try take(through: end)
    return try inside(flags)
  }

  /// Parses a lookaround. It consumes no text, but text that a positive lookaround requires must occur in the searched
  /// text.
  private mutating func lookaround(from start: Int, _ flags: Flags, isPositive: Bool) throws -> PatternInfo {
    isLineSafe = false
    let requiredNewline = requiresNewline
    let inner = try inside(flags)
    lookarounds.removeAll { $0.lowerBound > start }
    lookarounds.append(start..<index)
    if !isPositive { requiresNewline = requiredNewline }
    var info = PatternInfo.empty
    info.mayContainNewline = inner.mayContainNewline
    if isPositive { info.query = inner.settled }
    return info
  }

  /// The text of the pattern with an empty group in place of each lookaround, because a quantifier may follow it.
  var withoutLookarounds: String {
    var result = String.UnicodeScalarView()
    var offset = 0
    for range in lookarounds {
      result += text[offset..<range.lowerBound]
      result += "(?:)".unicodeScalars
      offset = range.upperBound
    }
    result += text[offset...]
    return String(result)
  }

  /// Parses a subroutine call, or the backreference `(?P=name)`: either may match any text.
  private mutating func call() throws -> PatternInfo {
    _ = try take(through: ")")
    return reference(isLineSafe: false)
  }

  /// Parses `(?i-s)`, which applies to the rest of the enclosing group, or the group `(?i-s:`.
  private mutating func inlineFlags(_ flags: inout Flags) throws -> PatternInfo? {
    var changed = flags
    var isOn = true
    while true {
      switch try next() {
      case "i": changed.ignoresCase = isOn
      case "s": changed.dotMatchesNewlines = isOn
      case "x":
        // `xx` also changes character classes.
        guard peek != "x" else { throw UnsupportedConstruct() }
        changed.isExtended = isOn
      case "m":
        if !isOn { isLineSafe = false }
      case "n", "J", "U": continue
      case "-": isOn = false
      case ":": return try inside(changed)
      case ")":
        flags = changed
        return nil
      default: throw UnsupportedConstruct()
      }
    }
  }
}
