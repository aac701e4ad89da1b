import PatternMatching

/// Random expressions and texts over few characters, so that they often match. The characters include multi-byte
/// letters, letters with several case variants, line ends, and U+0000.
struct RandomPattern<Generator: RandomNumberGenerator> {
  private static var letters: [String] {
    [
      "a", "b", "c", "k", "K", "s", "S", "é", "É", "σ", "ς", "ſ", "\u{212A}", "ß", "語", "😀", " ", "\n", "_", "1", "\r",
      "\0", "#",
    ]
  }

  private var generator: Generator
  private let alphabet: [String]
  private var groups = 0
  let options: PatternOptions

  init(_ generator: Generator) {
    self.generator = generator
    let count = Int.random(in: 1...5, using: &self.generator)
    var alphabet: [String] = []
    for _ in 0..<count {
      // The first ones are plain letters.
      let limit = Bool.random(using: &self.generator) ? 5 : Self.letters.count
      alphabet.append(Self.letters[Int.random(in: 0..<limit, using: &self.generator)])
    }
    self.alphabet = alphabet
    var options = PatternOptions()
    options.ignoresCase = Bool.random(using: &self.generator)
    options.isMultiline = Int.random(in: 0..<4, using: &self.generator) == 0
    options.dotMatchesNewlines = Int.random(in: 0..<4, using: &self.generator) == 0
    options.isExtended = Int.random(in: 0..<6, using: &self.generator) == 0
    options.isLiteral = Int.random(in: 0..<20, using: &self.generator) == 0
    options.limits.match = 20_000
    self.options = options
  }

  /// Returns an expression, which may be invalid.
  mutating func pattern() -> String {
    groups = 0
    return alternatives(depth: 3)
  }

  mutating func text() -> String {
    (0..<Int.random(in: 0...14, using: &generator)).map { _ in letter() }.joined()
  }

  private mutating func letter() -> String { alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: 0..<choices.count, using: &generator)]
  }

  private mutating func alternatives(depth: Int) -> String {
    let count = chance(3) ? Int.random(in: 2...4, using: &generator) : 1
    return (0..<count).map { _ in sequence(depth: depth) }.joined(separator: "|")
  }

  private mutating func sequence(depth: Int) -> String {
    (0..<Int.random(in: chance(8) ? 0...0 : 1...4, using: &generator)).map { _ in
      let item = item(depth: depth)
      guard chance(4) else { return item }
      let space = chance(8) ? pick([" ", "(?#x)", "\n"]) : ""
      return item + space + pick(["?", "*", "+", "{2}", "{0,2}", "{1,}", "{3}", "{0}", "{,2}", "{2,3}"])
        + (chance(4) ? pick(["?", "+", " +"]) : "")
    }.joined()
  }

  private mutating func item(depth: Int) -> String {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<9: return (0..<Int.random(in: 1...4, using: &generator)).map { _ in letter() }.joined()
    case 9: return "."
    case 10: return characterClass()
    case 11:
      return pick([
        "\\w", "\\d", "\\s", "\\S", "\\W", "\\b", "\\B", "^", "$", "\\R", "\\X", "\\N", "\\h", "\\A", "\\z", "\\Z",
        "\\K",
      ])
    case 12:
      return pick([
        "\\x61", "\\x{212a}", "\\x{e9}", "\\n", "\\141", "\\o{141}", "\\0", "\\N{U+61}", "\\p{L}", "\\pL", "\\P{Lu}",
        "\\Qa\\E", "\\Qab",
        "\\\\E", "\\ca", "{", "}", "]", "{a}", "(?#c)", "\\_", "\\x", "\\p{Greek}", "\\é", "\\#",
      ])
    case 13:
      return pick([
        "(?i)", "(?-i)", "(?s)", "(?x)", "(?-x)", "(?m)", "(?-m)", "(?i-s)", "(?^)", "(?xx)", "(?U)", "(?n)",
      ])
    case 14:
      groups += 1
      return pick([
        "\\1", "\\2", "\\g{1}", "\\g{-1}", "(?1)", "(?R)", "(?+1)", "\\g<1>", "(?(1)a|b)", "(*ACCEPT)", "(*FAIL)",
        "(*SKIP)", "(?P>n)",
        "(?&n)", "\\k<n>", "(?P=n)", "(?!)", "(*pla:a)", "(?=)",
      ])
    default:
      guard depth > 0 else { return letter() }
      let open = pick([
        "(", "(", "(", "(?:", "(?:", "(?i:", "(?>", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?|", "(?-i:", "(?s:",
        "(?x:", "(?'n'",
      ])
      return open + alternatives(depth: depth - 1) + ")"
    }
  }

  private mutating func characterClass() -> String {
    let parts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      chance(4)
        ? pick([
          "a-c", "\\d", "[:alpha:]", "\\n", "\\x{e0}-\\x{ef}", "]", "-", "J-L", "\\b", "\\Qa\\E", "\\s", "[:<:]", "\\]",
          "\\101", "k-",
        ])
        : letter()
    }
    return "[" + (chance(4) ? "^" : "") + parts.joined() + "]"
  }
}
