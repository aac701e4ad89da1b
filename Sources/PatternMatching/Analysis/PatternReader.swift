/// Parses PCRE2's pattern language as far as needed to derive the facts about every match; see pcre2pattern(3).
///
/// The pattern must be one that PCRE2 has compiled. For unsupported constructs, the methods throw
/// ``UnsupportedConstruct``, and the facts are unknown. Facts may be incomplete but are never wrong.
struct PatternReader {
  /// An unsupported or too deeply nested construct.
  struct UnsupportedConstruct: Error {}

  /// The flags at a position of the pattern.
  struct Flags {
    var ignoresCase: Bool
    var dotMatchesNewlines: Bool
    var isExtended: Bool
  }

  let text: [Unicode.Scalar]
  var index = 0
  var depth = 0
  /// Whether the position is between `\Q` and `\E`, where each character is literal.
  var isQuoted = false
  /// Whether a search of the whole text finds every line that would match if it were searched alone.
  var isLineSafe = true
  /// Whether the pattern contains character classes or assertions on them.
  var usesCharacterClasses = false
  /// Whether a search may be split into ranges of start offsets. `\G` and verbs that skip offsets prevent it.
  private(set) var isDivisible = true
  /// Whether the pattern contains a literal U+000A, outside classes and negative assertions.
  var requiresNewline = false
  /// The options at the start of the pattern.
  var startOptionsText = ""
  /// Whether the pattern contains a literal character, in a class or not.
  private(set) var containsLiteral = false
  /// Whether a literal character is upper case.
  private(set) var containsUppercase = false
  /// Whether the pattern contains references to groups, or calls of them.
  var hasReferences = false
  /// The lookarounds that are not part of another one, as positions in ``text``.
  var lookarounds: [Range<Int>] = []
  /// The edits that keep the pattern from matching U+000A, ordered by position.
  var newlineEdits: [NewlineEdit] = []
  /// The text that closes an open quotation or comment at the end of the pattern.
  private(set) var terminator = ""

  /// The maximum nesting depth. Each level takes up to 10 KB of the stack, which may be as small as 512 KB.
  private static let maximumDepth = 30
  private static let maximumBranches = 1024

  init(_ text: String) { self.text = Array(text.unicodeScalars) }

  /// Parses the whole pattern.
  mutating func pattern(_ flags: Flags) throws -> PatternInfo {
    do {
      try startOptions()
      var flags = flags
      let info = try alternatives(&flags)
      guard index == text.count else { throw UnsupportedConstruct() }
      terminator = (isQuoted ? "\\E" : "") + (flags.isExtended ? "\n" : "")
      return info
    } catch {
      // The unparsed rest may contain anything.
      let rest = String(String.UnicodeScalarView(text[index...]))
      if ["\\G", "(*SKIP", "(*COMMIT"].contains(where: rest.contains) { isDivisible = false }
      noteLetters(ofUnread: rest)
      throw error
    }
  }

  /// Records the letters of unsupported text, except those after a backslash.
  private mutating func noteLetters(ofUnread rest: String) {
    var isEscaped = false
    for scalar in rest.unicodeScalars {
      if !isEscaped, scalar.properties.isAlphabetic { noteLetter(scalar) }
      isEscaped = !isEscaped && scalar == "\\"
    }
  }

  /// Records a construct that depends on the start offset of the search.
  mutating func noteIndivisible() { isDivisible = false }

  /// Parses text in which each character is literal.
  mutating func literal(_ flags: Flags) throws -> PatternInfo {
    var info = PatternInfo.empty
    while let scalar = peek {
      index += 1
      info = info.followed(by: try itself(scalar, flags))
    }
    return info
  }

  /// Parses branches up to a closing parenthesis or the end. Flags set in one
  /// branch also apply to the branches after it.
  mutating func alternatives(_ flags: inout Flags) throws -> PatternInfo {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PatternReader.maximumDepth else { throw UnsupportedConstruct() }
    var branches = [try sequence(&flags)]
    var count = 1
    while take("|") {
      let branch = try sequence(&flags)
      count += 1
      if count <= PatternReader.maximumBranches {
        branches.append(branch)
      } else if branch.mayContainNewline {
        branches[0].mayContainNewline = true
      }
    }
    guard count > PatternReader.maximumBranches else { return .any(of: branches) }
    return .unknown(mayContainNewline: branches.contains(where: \.mayContainNewline))
  }

  private mutating func sequence(_ flags: inout Flags) throws -> PatternInfo {
    var info = PatternInfo.empty
    // Known strings are joined first, so that a word is analyzed as a whole and only once.
    var run = PatternInfo.empty
    while try isQuoted || skipIgnored(flags), let next = peek, isQuoted || (next != "|" && next != ")") {
      guard var item = try item(&flags) else { continue }
      item = try quantified(item, flags)
      if run.exact != nil, item.exact != nil, case let joined = run.followed(by: item), joined.exact != nil {
        run = joined
      } else {
        info = info.followed(by: run)
        run = item
      }
    }
    return info.followed(by: run)
  }

  /// Parses one repeatable item; returns nil for an element that only changes how the next items are parsed.
  private mutating func item(_ flags: inout Flags) throws -> PatternInfo? {
    if isQuoted {
      isQuoted = !take("\\E")
      return isQuoted ? try itself(next(), flags) : nil
    }
    if take("\\Q") {
      isQuoted = true
      return nil
    }
    // `\E` without `\Q` is ignored. A quantifier after it is not supported.
    if take("\\E") { return nil }
    let scalar = try next()
    switch scalar {
    case "\\": return try escape(flags)
    case "[": return try characterClass(flags)
    case "(": return try group(&flags)
    case ".":
      usesCharacterClasses = true
      if flags.dotMatchesNewlines { replace(from: index - 1, with: #"[^\n]"#) }
      return .unknown(mayContainNewline: flags.dotMatchesNewlines)
    case "^", "$": return .empty
    case "*", "+", "?": throw UnsupportedConstruct()
    case "{":
      guard try repetition() == nil else { throw UnsupportedConstruct() }
      return try itself(scalar, flags)
    default: return try itself(scalar, flags)
    }
  }

  /// Returns the facts about a literal character outside classes, in any notation.
  mutating func itself(_ scalar: Unicode.Scalar, _ flags: Flags) throws -> PatternInfo {
    if scalar == "\n" { requiresNewline = true }
    noteLetter(scalar)
    return try character(scalar, flags)
  }

  /// Records a literal character of the pattern, in a class or not.
  mutating func noteLetter(_ scalar: Unicode.Scalar) {
    containsLiteral = true
    if scalar.properties.isUppercase { containsUppercase = true }
  }

  /// Returns the facts about a literal character.
  func character(_ scalar: Unicode.Scalar, _ flags: Flags) throws -> PatternInfo {
    guard flags.ignoresCase else { return .character([scalar]) }
    guard let variants = CaseVariants.of(scalar) else { throw UnsupportedConstruct() }
    return .character(variants)
  }
}
