/// Reads the language of PCRE2 as far as needed to say what every match holds; pcre2pattern(3).
///
/// The pattern is one that PCRE2 has compiled. What is not known for certain ends reading with ``NotUnderstood``, and nothing is
/// known then: less is never wrong. What a match holds may be understated, never overstated.
struct PatternReader {
  /// A construct that the reader does not know, or one too deep.
  struct NotUnderstood: Error {}

  /// How the text at some place is to be read.
  struct Flags {
    var ignoresCase: Bool
    var dotMatchesNewlines: Bool
    var isExtended: Bool
  }

  let text: [Unicode.Scalar]
  var index = 0
  var depth = 0
  /// Whether the place is between `\Q` and `\E`, where each character stands for itself.
  var isQuoted = false
  /// Whether the whole text finds every line that matches on its own.
  var isLineSafe = true
  /// Whether something stands for many characters, or for what lies between them.
  var usesCharacterClasses = false
  /// Whether a search may be divided by the places where matches begin. `\G` would notice, and verbs that pass over places.
  private(set) var isDivisible = true
  /// Whether U+000A stands for itself somewhere: in no class, and not in what must not follow or precede.
  var asksForNewline = false
  /// The options in front of the pattern.
  var startOptionsText = ""
  /// Whether a character is written in the pattern, in a class or not.
  private(set) var holdsLiteral = false
  /// Whether one of them is upper case.
  private(set) var holdsUpperCase = false
  /// The changes that keep the pattern from matching U+000A, in the order of their places.
  var newlineEdits: [NewlineEdit] = []
  /// What must stand behind the pattern so that what follows is read as a pattern: the end of a quotation, the end of a comment.
  private(set) var terminator = ""

  /// Each level takes up to ten kilobytes of a stack that may have 512.
  private static let maximumDepth = 30
  private static let maximumBranches = 1024

  init(_ text: String) { self.text = Array(text.unicodeScalars) }

  /// Reads all of the pattern.
  mutating func pattern(_ flags: Flags) throws -> PatternFacts {
    do {
      try startOptions()
      var flags = flags
      let facts = try alternatives(&flags)
      guard index == text.count else { throw NotUnderstood() }
      terminator = (isQuoted ? "\\E" : "") + (flags.isExtended ? "\n" : "")
      return facts
    } catch {
      // What was not read may hold anything.
      let rest = String(String.UnicodeScalarView(text[index...]))
      if ["\\G", "(*SKIP", "(*COMMIT"].contains(where: rest.contains) { isDivisible = false }
      noteLetters(ofUnread: rest)
      throw error
    }
  }

  /// Notes the letters of text that is not understood, but for those behind a backslash.
  private mutating func noteLetters(ofUnread rest: String) {
    var isEscaped = false
    for scalar in rest.unicodeScalars {
      if !isEscaped, scalar.properties.isAlphabetic { noteLetter(scalar) }
      isEscaped = !isEscaped && scalar == "\\"
    }
  }

  /// Notes something that a search divided by the places where matches begin would notice.
  mutating func noteIndivisible() { isDivisible = false }

  /// Reads text in which every character stands for itself.
  mutating func literal(_ flags: Flags) throws -> PatternFacts {
    var facts = PatternFacts.empty
    while let scalar = peek {
      index += 1
      facts = facts.followed(by: try itself(scalar, flags))
    }
    return facts
  }

  /// Branches up to a closing parenthesis or the end. Flags that a branch sets hold for the next ones, too.
  mutating func alternatives(_ flags: inout Flags) throws -> PatternFacts {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PatternReader.maximumDepth else { throw NotUnderstood() }
    var branches = [try sequence(&flags)]
    var count = 1
    while take("|") {
      let branch = try sequence(&flags)
      count += 1
      if count <= PatternReader.maximumBranches {
        branches.append(branch)
      } else if branch.mayHoldNewline {
        branches[0].mayHoldNewline = true
      }
    }
    guard count > PatternReader.maximumBranches else { return .any(of: branches) }
    return .unknown(mayHoldNewline: branches.contains(where: \.mayHoldNewline))
  }

  private mutating func sequence(_ flags: inout Flags) throws -> PatternFacts {
    var facts = PatternFacts.empty
    // Known strings are joined first: a word is looked at as a whole, and only once.
    var run = PatternFacts.empty
    while try isQuoted || skipIgnored(flags), let next = peek, isQuoted || (next != "|" && next != ")") {
      guard var item = try item(&flags) else { continue }
      item = try quantified(item, flags)
      if run.exact != nil, item.exact != nil, case let joined = run.followed(by: item), joined.exact != nil {
        run = joined
      } else {
        facts = facts.followed(by: run)
        run = item
      }
    }
    return facts.followed(by: run)
  }

  /// One thing that can be repeated, or nil for what only changes the flags.
  private mutating func item(_ flags: inout Flags) throws -> PatternFacts? {
    if isQuoted {
      isQuoted = !take("\\E")
      return isQuoted ? try itself(next(), flags) : nil
    }
    if take("\\Q") {
      isQuoted = true
      return nil
    }
    // The end of a quotation that never began is nothing. A quantifier behind it is not understood.
    if take("\\E") { return nil }
    let scalar = try next()
    switch scalar {
    case "\\": return try escape(flags)
    case "[": return try characterClass(flags)
    case "(": return try group(&flags)
    case ".":
      usesCharacterClasses = true
      if flags.dotMatchesNewlines { replace(from: index - 1, with: #"[^\n]"#) }
      return .unknown(mayHoldNewline: flags.dotMatchesNewlines)
    case "^", "$": return .empty
    case "*", "+", "?": throw NotUnderstood()
    case "{":
      guard try repetition() == nil else { throw NotUnderstood() }
      return try itself(scalar, flags)
    default: return try itself(scalar, flags)
    }
  }

  /// A character in no class that stands for itself, however it is written.
  mutating func itself(_ scalar: Unicode.Scalar, _ flags: Flags) throws -> PatternFacts {
    if scalar == "\n" { asksForNewline = true }
    noteLetter(scalar)
    return try character(scalar, flags)
  }

  /// Notes a character that is written in the pattern, in a class or not.
  mutating func noteLetter(_ scalar: Unicode.Scalar) {
    holdsLiteral = true
    if scalar.properties.isUppercase { holdsUpperCase = true }
  }

  /// A character that stands for itself.
  func character(_ scalar: Unicode.Scalar, _ flags: Flags) throws -> PatternFacts {
    guard flags.ignoresCase else { return .character([scalar]) }
    guard let variants = CaseVariants.of(scalar) else { throw NotUnderstood() }
    return .character(variants)
  }
}
