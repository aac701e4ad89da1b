/// The known facts about the texts that a part of a pattern matches, and the rules for combining them.
///
/// The strings are folded like trigrams. Each set covers every match: a match is one of ``exact``, begins with one of
/// ``prefixes`` and ends with one of ``suffixes``. A set with an empty string therefore gives no information.
struct PatternInfo {
  /// All texts that match, or nil if there are too many.
  var exact: [[UInt8]]?
  /// The prefixes of matches, at most two bytes long; unused if ``exact`` is set.
  var prefixes: [[UInt8]] = [[]]
  /// The suffixes of matches, at most two bytes long; unused if ``exact`` is set.
  var suffixes: [[UInt8]] = [[]]
  /// The query that a text with a match satisfies, in addition to ``exact``.
  var query = TrigramQuery.all
  /// The literal bytes that every match contains.
  var literal = RequiredLiterals.unknown
  /// Whether a match may contain U+000A.
  var mayContainNewline = false

  private static let maximumExact = 24
  private static let maximumCrossing = 256
  /// The maximum number of times a repetition is expanded: `(ab){3}` becomes `ababab`.
  private static let maximumCopies = 8

  /// An assertion that gives no information about the text, or an empty pattern.
  static let empty = PatternInfo(exact: [[]], literal: RequiredLiterals(whole: []))

  /// Returns the facts about a part that matches any text or one of many characters.
  static func unknown(mayContainNewline: Bool) -> PatternInfo { PatternInfo(mayContainNewline: mayContainNewline) }

  /// Returns the facts about a set of characters. The exact strings are known only if there are few characters, and the
  /// literal only if there is one.
  static func character(_ variants: [Unicode.Scalar]) -> PatternInfo {
    let strings = ByteStrings.unique(variants.map { UTF8.encode($0).map { $0.map(Trigram.fold) } ?? [] })
    let literal =
      variants.count == 1 ? RequiredLiterals(whole: UTF8.encode(variants[0]).map { Array($0) } ?? []) : .unknown
    return PatternInfo(
      exact: strings.count <= maximumExact ? strings : nil, literal: literal, mayContainNewline: variants.contains("\n")
    )
  }

  /// The complete trigram query: ``query`` and the trigrams of ``exact``.
  var settled: TrigramQuery {
    exact.map { TrigramQuery.all(of: [query, .anyString(of: $0)]) } ?? query
  }

  /// Returns the facts about this part followed by another.
  func followed(by next: PatternInfo) -> PatternInfo {
    var result = PatternInfo()
    result.literal = literal.followed(by: next.literal)
    result.mayContainNewline = mayContainNewline || next.mayContainNewline
    if let exact, let other = next.exact,
      let product = ByteStrings.product(exact, other, limit: PatternInfo.maximumExact)
    {
      result.exact = product
      result.query = .all(of: [query, next.query])
      return result
    }
    let (suffixes, nextHeads) = (outerSuffixes, next.outerPrefixes)
    let crossing =
      ByteStrings.product(suffixes, nextHeads, limit: PatternInfo.maximumCrossing).map(TrigramQuery.anyString) ?? .all
    result.query = .all(of: [settled, crossing, next.settled])
    // If the strings of one part are known, those shorter than a prefix or suffix are extended into the other part.
    result.prefixes =
      exact.map {
        ByteStrings.prefixes($0.flatMap { start in start.count < 2 ? nextHeads.map { start + $0 } : [start] })
      }
      ?? prefixes
    result.suffixes =
      next.exact.map { ByteStrings.suffixes($0.flatMap { end in end.count < 2 ? suffixes.map { $0 + end } : [end] }) }
      ?? next.suffixes
    return result
  }

  /// Returns the facts about an alternation with at least one branch.
  static func any(of branches: [PatternInfo]) -> PatternInfo {
    guard branches.count > 1 else { return branches.first ?? .empty }
    var result = PatternInfo()
    result.literal = .common(branches.map(\.literal))
    result.mayContainNewline = branches.contains(where: \.mayContainNewline)
    let exact = branches.reduce(Optional([[UInt8]]())) { union, branch in
      guard let union, let exact = branch.exact, union.count + exact.count <= 4 * maximumExact else { return nil }
      return union + exact
    }.map(ByteStrings.unique)
    if let exact, exact.count <= maximumExact {
      result.exact = exact
      result.query = .any(of: branches.map(\.query))
    } else {
      result.query = .any(of: branches.map(\.settled))
      result.prefixes = ByteStrings.prefixes(branches.flatMap(\.outerPrefixes))
      result.suffixes = ByteStrings.suffixes(branches.flatMap(\.outerSuffixes))
    }
    return result
  }

  /// Returns the facts about a repetition; a `maximum` of nil means no upper bound.
  func repeated(_ minimum: Int, _ maximum: Int?) -> PatternInfo {
    if maximum == 0 { return .empty }
    if minimum == 0 {
      if maximum == 1 { return .any(of: [self, .empty]) }
      return .unknown(mayContainNewline: mayContainNewline)
    }
    let copies = min(minimum, PatternInfo.maximumCopies)
    let isOpen = maximum != minimum || copies < minimum
    var result = isOpen ? atLeastOnce : self
    for _ in 1..<max(copies, 1) { result = followed(by: result) }
    return result
  }

  /// The facts about this part repeated one or more times: a text that begins and ends like this part.
  private var atLeastOnce: PatternInfo {
    PatternInfo(
      prefixes: outerPrefixes, suffixes: outerSuffixes, query: settled, literal: literal.atLeastOnce,
      mayContainNewline: mayContainNewline
    )
  }

  private var outerPrefixes: [[UInt8]] { exact.map(ByteStrings.prefixes) ?? prefixes }
  private var outerSuffixes: [[UInt8]] { exact.map(ByteStrings.suffixes) ?? suffixes }
}
