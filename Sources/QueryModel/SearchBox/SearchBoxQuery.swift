/// The parsed text of a search box.
///
/// ```swift
/// let box = SearchBoxParser(fields: ["title"]).parse("title:red \"large shoe\" -wide")
/// box.query   // (title:red AND "large shoe") NOT wide
/// ```
public struct SearchBoxQuery: Hashable, Sendable {
  /// The query that documents must match; nil if the text contains only exclusions or nothing at all.
  ///
  /// If no document matches all of it, an engine can relax this part and keep ``excluded``.
  public let wanted: MatchQuery?

  /// The query that documents must not match: the terms after `-` and `NOT`.
  public let excluded: MatchQuery?

  /// Whether `AND` joins terms. The user then requires all of them, so an engine should not relax the query.
  public let requiresAllWords: Bool

  /// Operators and brackets that were treated as text because they join or enclose nothing, without duplicates, in the
  /// order of the text: `AND` in `cats AND`, `(` in `(cats dogs`.
  public let literals: [String]

  /// The whole query; nil if there is nothing to search for.
  ///
  /// Also nil if ``onlyNegative`` is true, because FTS5 cannot search for all documents except some. For these, use
  /// ``excluded``.
  public var query: MatchQuery? {
    guard let wanted else { return nil }
    return excluded.map { .not(wanted, $0) } ?? wanted
  }

  /// Whether there are exclusions and nothing to exclude them from, as in `-wide`.
  public var onlyNegative: Bool { wanted == nil && excluded != nil }

  init(wanted: MatchQuery?, excluded: MatchQuery?, requiresAllWords: Bool, literals: [String]) {
    (self.wanted, self.excluded) = (wanted, excluded)
    (self.requiresAllWords, self.literals) = (requiresAllWords, literals)
  }

  init(_ clause: SearchBoxClause?, _ notes: SearchBoxNotes) {
    var literals: [String] = []
    for (_, text) in notes.literals.sorted(by: { $0.offset < $1.offset }) where !literals.contains(text) {
      literals.append(text)
    }
    self.init(
      wanted: clause?.wanted, excluded: clause?.excluded, requiresAllWords: notes.usesAND, literals: literals)
  }
}
