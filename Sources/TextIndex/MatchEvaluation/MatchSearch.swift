/// A compiled match and its postings in one state of an index. It ranks, counts and explains matches without looking
/// up postings again.
struct MatchSearch: Sendable {
  let node: MatchNode
  let state: SearchState

  /// Looks up the postings of a match.
  ///
  /// - Throws: errors of the store.
  init(_ match: CompiledMatch, _ store: any PostingStore) throws {
    state = store.search
    node = try MatchResolver(store).resolve(match)
  }

  /// Returns the best matches, best first.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of matches.
  ///   - ranking: the ranking.
  ///   - excluded: rows that are not matches, ascending.
  ///   - candidates: the only rows that may match, ascending; nil for all.
  func ranked(
    limit: Int, _ ranking: ResolvedRanking, excluding excluded: [UInt32] = [], among candidates: [UInt32]? = nil
  ) -> [RankedRow] {
    let scorer = state.scorer(ranking)
    var (positive, prohibited) = (node, excluded)
    if case .not(let operand, let negative) = node {
      positive = operand
      prohibited = MatchEvaluator(among: candidates).evaluate(negative).rows.merged(with: excluded)
    }
    var hits = TopHits(capacity: limit, excluding: prohibited)
    if candidates == nil, let search = windowedSearch(positive, limit: limit, scorer) {
      search.run(&hits)
    } else if candidates == nil, let search = accumulatingSearch(positive, scorer) {
      search.run(&hits)
    } else if candidates == nil, case .leaf(let leaf) = positive {
      leaf.forEachScore(scorer) { hits.offer($0, $1) }
    } else {
      let found = MatchEvaluator(scorer: scorer, among: candidates).evaluate(positive)
      for (row, score) in zip(found.rows, found.scores) { hits.offer(row, score) }
    }
    return hits.ranked
  }

  /// Returns all matches in row order, scored if there is a ranking.
  func all(_ ranking: ResolvedRanking?, among candidates: [UInt32]? = nil) -> RowScores {
    MatchEvaluator(scorer: ranking.map { state.scorer($0) }, among: candidates).evaluate(node)
  }

  /// Returns the number of matching documents except the excluded rows, which are in ascending order.
  func count(excluding excluded: [UInt32] = []) -> Int {
    if case .leaf(let leaf) = node, excluded.isEmpty { return leaf.postings.count }
    let rows = MatchEvaluator().evaluate(node).rows
    return excluded.isEmpty ? rows.count : rows.count { !excluded.containsSorted($0) }
  }

  /// The number of postings that must be read to count the matches; 0 if the count is known.
  var countingCost: Int { if case .leaf = node { 0 } else { node.postingCount } }

  /// Returns a windowed search; nil if the expression is not of a supported form or has too few candidates.
  private func windowedSearch(_ node: MatchNode, limit: Int, _ scorer: Scorer) -> WindowedSearch? {
    let operands: [MatchNode]
    let combination: WindowedSearch.Combination
    switch node {
    case .leaf: (operands, combination) = ([node], .any)
    case .or(let nodes): (operands, combination) = (nodes, .any)
    case .and(let nodes): (operands, combination) = (nodes, .all)
    case .nothing, .not: return nil
    }
    guard let leaves = MatchSearch.leaves(operands) else { return nil }
    let counts = leaves.map(\.postings.count)
    let candidates = combination == .all ? counts.min() ?? 0 : counts.reduce(0, +)
    guard leaves.count <= WindowedSearch.maximumLeafCount, candidates >= MatchSearch.windowedCandidates,
      limit < candidates / 8
    else { return nil }
    return WindowedSearch(leaves, combination, state, scorer)
  }

  /// Returns the search for a disjunction with too many terms for score bounds; nil for other expressions.
  private func accumulatingSearch(_ node: MatchNode, _ scorer: Scorer) -> AccumulatingSearch? {
    guard case .or(let operands) = node, operands.count > WindowedSearch.maximumLeafCount else { return nil }
    return MatchSearch.leaves(operands).flatMap { AccumulatingSearch($0, state, scorer) }
  }

  /// Returns the operands if all of them are leaves whose scores depend only on their terms; otherwise nil.
  private static func leaves(_ operands: [MatchNode]) -> [MatchLeaf]? {
    var leaves: [MatchLeaf] = []
    for operand in operands {
      guard case .leaf(let leaf) = operand, !leaf.hasPrecedence else { return nil }
      leaves.append(leaf)
    }
    return leaves
  }

  /// The minimum number of candidates for windows. With fewer, scoring all of them is faster.
  private static let windowedCandidates = 2000
}

extension MatchNode {
  /// The number of postings of the node.
  fileprivate var postingCount: Int {
    switch self {
    case .nothing: 0
    case .leaf(let leaf): leaf.postings.count
    case .and(let operands), .or(let operands): operands.reduce(0) { $0 + $1.postingCount }
    case .not(let positive, let negative): positive.postingCount + negative.postingCount
    }
  }

  /// An upper bound on the number of matches.
  var upperBound: Int {
    switch self {
    case .nothing: 0
    case .leaf(let leaf): leaf.postings.count
    case .and(let operands): operands.map(\.upperBound).min() ?? 0
    case .or(let operands): operands.reduce(0) { $0 + $1.upperBound }
    case .not(let positive, _): positive.upperBound
    }
  }
}
