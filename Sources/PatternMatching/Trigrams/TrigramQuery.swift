/// A necessary condition on the trigrams of a text for a pattern to match: a Boolean expression.
///
/// ```swift
/// let query = TrigramQuery(pattern: "spin_(un)?lock")
/// query.description                        // ("spin_" AND ("spin_lock" …
/// query.isSatisfied { set.contains($0) }   // false: the pattern does not match. True: it may.
/// ```
///
/// It has false positives but no false negatives. If nothing is known about a pattern, it is ``all``: every text is a
/// candidate. The method is described in Russ Cox, "Regular Expression Matching with a Trigram Index" (2012).
///
/// A query contains only trigrams for which ``Trigram/isIndexed`` is true, and at most ``maximumCount`` of them.
public enum TrigramQuery: Hashable, Sendable {
  /// Every text may match.
  case all
  /// No text matches.
  case none
  /// A text that matches contains this trigram.
  case trigram(Trigram)
  /// A text that matches satisfies each of these: two or more, none of them ``all``, ``none`` or `and`.
  case and([TrigramQuery])
  /// A text that matches satisfies at least one of these: two or more, none of them ``all``, ``none`` or `or`.
  case or([TrigramQuery])

  /// The maximum number of trigrams of a query. Excess parts are dropped.
  public static let maximumCount = 512

  /// The number of trigrams, duplicates included.
  public var count: Int {
    switch self {
    case .all, .none: 0
    case .trigram: 1
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.count }
    }
  }

  /// Returns whether a text with these trigrams may match.
  ///
  /// - Parameter contains: returns whether the text contains a trigram.
  public func isSatisfied(by contains: (Trigram) -> Bool) -> Bool {
    switch self {
    case .all: true
    case .none: false
    case .trigram(let trigram): contains(trigram)
    case .and(let parts): parts.allSatisfy { $0.isSatisfied(by: contains) }
    case .or(let parts): parts.contains { $0.isSatisfied(by: contains) }
    }
  }
}

extension TrigramQuery {
  /// Returns the conjunction.
  public static func all(of queries: [TrigramQuery]) -> TrigramQuery {
    let queries = queries.filter { $0 != .all }
    guard queries.count > 1 else { return queries.first ?? .all }
    // A query of the maximum size is returned unchanged, because a long pattern adds to the same query many times.
    if case .and(let parts) = queries[0], parts.count >= maximumCount { return queries[0] }
    var parts: [TrigramQuery] = []
    for query in queries {
      switch query {
      case .all: continue
      case .none: return .none
      case .and(let more): parts += more
      case .trigram, .or: parts.append(query)
      }
    }
    return joined(unique(parts), by: { .and($0) }, nothing: .all).limited(to: maximumCount)
  }

  /// Returns the disjunction; ``none`` for no parts. Trigrams that all parts require are factored out.
  public static func any(of queries: [TrigramQuery]) -> TrigramQuery {
    var parts: [TrigramQuery] = []
    for query in queries {
      switch query {
      case .all: return .all
      case .none: continue
      case .or(let more): parts += more
      case .trigram, .and: parts.append(query)
      }
    }
    parts = unique(parts)
    guard let first = parts.first, parts.count > 1 else { return parts.first ?? .none }
    var common = Set(first.conjuncts)
    for part in parts.dropFirst() where !common.isEmpty { common.formIntersection(part.conjuncts) }
    guard !common.isEmpty else { return TrigramQuery.or(parts).limited(to: maximumCount) }
    let rests = parts.map { part in
      joined(part.conjuncts.filter { !common.contains($0) }, by: { .and($0) }, nothing: .all)
    }
    return all(of: first.conjuncts.filter(common.contains) + [any(of: rests)])
  }

  /// Returns the query satisfied by every text that contains one of these folded strings.
  static func anyString(of strings: [[UInt8]]) -> TrigramQuery {
    guard strings.allSatisfy({ $0.count >= 3 }) else { return strings.isEmpty ? .none : .all }
    return any(
      of: strings.map { string in
        all(
          of: (2..<string.count).map { Trigram(string[$0 - 2], string[$0 - 1], string[$0]) }
            .filter(\.isIndexed).map { .trigram($0) })
      })
  }

  private var conjuncts: [TrigramQuery] {
    if case .and(let parts) = self { return parts }
    return [self]
  }

  /// Returns a query with at most `limit` trigrams: some parts of a conjunction, spread evenly, and a share of each
  /// part of a disjunction.
  private func limited(to limit: Int) -> TrigramQuery {
    guard count > limit else { return self }
    switch self {
    case .all, .none, .trigram: return .all
    case .and(let parts):
      var kept: [TrigramQuery] = []
      var remaining = limit
      let step = max(1, parts.count / limit)
      for index in stride(from: 0, to: parts.count, by: step) {
        let size = parts[index].count
        guard size <= remaining else { continue }
        kept.append(parts[index])
        remaining -= size
      }
      return TrigramQuery.joined(kept, by: { .and($0) }, nothing: .all)
    case .or(let parts):
      let share = limit / parts.count
      let kept = parts.map { share > 0 ? $0.limited(to: share) : .all }
      return kept.contains(.all) ? .all : .or(kept)
    }
  }

  private static func joined(
    _ parts: [TrigramQuery], by join: ([TrigramQuery]) -> TrigramQuery, nothing: TrigramQuery
  ) -> TrigramQuery {
    guard let first = parts.first else { return nothing }
    return parts.count == 1 ? first : join(parts)
  }

  private static func unique(_ parts: [TrigramQuery]) -> [TrigramQuery] {
    var seen = Set<TrigramQuery>(minimumCapacity: parts.count)
    return parts.filter { seen.insert($0).inserted }
  }
}
