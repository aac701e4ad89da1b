/// What someone typed into a search box, understood as far as it goes.
///
/// ```swift
/// let box = SearchBoxParser(fields: ["title"]).parse("title:red \"large shoe\" -wide")
/// box.query   // (title:red AND "large shoe") NOT wide
/// ```
public struct SearchBoxQuery: Hashable, Sendable {
  /// What documents must match; nil when nothing but exclusions, or nothing at all, was typed.
  ///
  /// When no document matches all of it, an engine can relax this part and keep ``excluded``.
  public let wanted: MatchQuery?

  /// What documents must not match: the terms that began with `-`.
  public let excluded: MatchQuery?

  /// The whole query; nil when there is nothing to search for.
  ///
  /// Also nil when ``onlyNegative``: everything but a few words is no search for anything, and FTS5 cannot ask
  /// for it. A caller that wants all other documents takes ``excluded`` itself.
  public var query: MatchQuery? {
    guard let wanted else { return nil }
    return excluded.map { .not(wanted, $0) } ?? wanted
  }

  /// Whether there are exclusions and nothing to exclude them from, as in `-wide`.
  public var onlyNegative: Bool { wanted == nil && excluded != nil }
}
