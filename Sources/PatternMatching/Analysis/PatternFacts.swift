/// What is known of the texts that a part of a pattern matches, and how it follows from what is known of its parts.
///
/// The strings are folded as trigrams are. Each set holds for every match: a match is one of ``exact``, begins with one of
/// ``heads`` and ends with one of ``tails``. An empty string in a set therefore says nothing.
struct PatternFacts {
  /// All texts that match, or nil for too many.
  var exact: [[UInt8]]?
  /// How matches begin, in at most two bytes; of no meaning beside ``exact``.
  var heads: [[UInt8]] = [[]]
  /// How matches end, in at most two bytes; of no meaning beside ``exact``.
  var tails: [[UInt8]] = [[]]
  /// What holds beside ``exact`` for a text with a match.
  var query = TrigramQuery.all
  /// What every match holds byte for byte.
  var literal = LiteralFacts.unknown
  /// Whether a match may hold U+000A.
  var mayHoldNewline = false

  private static let maximumExact = 24
  private static let maximumCrossing = 256
  /// What is repeated is written out so many times, so that `(ab){3}` is `ababab`.
  private static let maximumCopies = 8

  /// An assertion that says nothing of the text, or no pattern at all.
  static let empty = PatternFacts(exact: [[]], literal: LiteralFacts(whole: []))

  /// Any text or any of many characters.
  static func unknown(mayHoldNewline: Bool) -> PatternFacts { PatternFacts(mayHoldNewline: mayHoldNewline) }

  /// One of these characters, nil for too many. Case-sensitive ones only if there is one.
  static func character(_ variants: [Unicode.Scalar]) -> PatternFacts {
    let strings = ByteStrings.unique(variants.map { UTF8.encode($0).map { $0.map(Trigram.fold) } ?? [] })
    let literal = variants.count == 1 ? LiteralFacts(whole: UTF8.encode(variants[0]).map { Array($0) } ?? []) : .unknown
    return PatternFacts(
      exact: strings.count <= maximumExact ? strings : nil, literal: literal, mayHoldNewline: variants.contains("\n"))
  }

  /// All that is known of trigrams.
  var settled: TrigramQuery {
    exact.map { TrigramQuery.all(of: [query, .anyString(of: $0)]) } ?? query
  }

  /// This and then that.
  func followed(by next: PatternFacts) -> PatternFacts {
    var result = PatternFacts()
    result.literal = literal.followed(by: next.literal)
    result.mayHoldNewline = mayHoldNewline || next.mayHoldNewline
    if let exact, let other = next.exact,
      let product = ByteStrings.product(exact, other, limit: PatternFacts.maximumExact)
    {
      result.exact = product
      result.query = .all(of: [query, next.query])
      return result
    }
    let (tails, nextHeads) = (outerTails, next.outerHeads)
    let crossing =
      ByteStrings.product(tails, nextHeads, limit: PatternFacts.maximumCrossing).map(TrigramQuery.anyString) ?? .all
    result.query = .all(of: [settled, crossing, next.settled])
    // A side that is known and short lets the other one show through.
    result.heads =
      exact.map { ByteStrings.heads($0.flatMap { start in start.count < 2 ? nextHeads.map { start + $0 } : [start] }) }
      ?? heads
    result.tails =
      next.exact.map { ByteStrings.tails($0.flatMap { end in end.count < 2 ? tails.map { $0 + end } : [end] }) }
      ?? next.tails
    return result
  }

  /// One of these; there is at least one.
  static func any(of branches: [PatternFacts]) -> PatternFacts {
    guard branches.count > 1 else { return branches.first ?? .empty }
    var result = PatternFacts()
    result.literal = .common(branches.map(\.literal))
    result.mayHoldNewline = branches.contains(where: \.mayHoldNewline)
    let exact = branches.reduce(Optional([[UInt8]]())) { union, branch in
      guard let union, let exact = branch.exact, union.count + exact.count <= 4 * maximumExact else { return nil }
      return union + exact
    }.map(ByteStrings.unique)
    if let exact, exact.count <= maximumExact {
      result.exact = exact
      result.query = .any(of: branches.map(\.query))
    } else {
      result.query = .any(of: branches.map(\.settled))
      result.heads = ByteStrings.heads(branches.flatMap(\.outerHeads))
      result.tails = ByteStrings.tails(branches.flatMap(\.outerTails))
    }
    return result
  }

  /// This so many times; nil for any number from `minimum`.
  func repeated(_ minimum: Int, _ maximum: Int?) -> PatternFacts {
    if maximum == 0 { return .empty }
    if minimum == 0 {
      if maximum == 1 { return .any(of: [self, .empty]) }
      return .unknown(mayHoldNewline: mayHoldNewline)
    }
    let copies = min(minimum, PatternFacts.maximumCopies)
    let isOpen = maximum != minimum || copies < minimum
    var result = isOpen ? atLeastOnce : self
    for _ in 1..<max(copies, 1) { result = followed(by: result) }
    return result
  }

  /// What begins and ends as this does.
  private var atLeastOnce: PatternFacts {
    PatternFacts(
      heads: outerHeads, tails: outerTails, query: settled, literal: literal.atLeastOnce, mayHoldNewline: mayHoldNewline
    )
  }

  private var outerHeads: [[UInt8]] { exact.map(ByteStrings.heads) ?? heads }
  private var outerTails: [[UInt8]] { exact.map(ByteStrings.tails) ?? tails }
}
