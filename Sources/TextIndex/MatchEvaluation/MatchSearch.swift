/// A compiled match and its postings in one state of an index. It ranks, counts and explains matches without looking
/// up postings again.
struct MatchSearch: Sendable {
  private(set) var node: MatchNode
  /// Windows of pairs of words that raise the scores of matches, for the sequential dependence model.
  let windows: [WindowLeaf]
  let state: SearchState
  /// The ranking for which ``MatchLeaf/precedence`` was computed.
  private var preparedRanking: ResolvedRanking?

  /// Looks up the postings of a match.
  ///
  /// - Throws: errors of the store.
  init(_ match: CompiledMatch, windows: DependenceWindows? = nil, _ store: any PostingStore) throws {
    state = store.search
    let node = try MatchResolver(store).resolve(match)
    self.node = windows.map { node.weighted($0.dependence.wordWeight) } ?? node
    self.windows = try windows?.resolve(store) ?? []
  }

  /// Returns the search with the precedence of words marked with `~` computed for a ranking, so that the searches and
  /// explanations with this ranking need not compute it again.
  func prepared(for ranking: ResolvedRanking) -> MatchSearch {
    guard node.hasPrecedence, preparedRanking != ranking else { return self }
    let scorer = state.scorer(ranking)
    let bound = windows.reduce(0) { $0 + $1.leaf.scorer(scorer).range($1.leaf.postings).upperBound }
    var prepared = self
    prepared.node = node.withPrecedence(scorer, queryWeight: queryWeight, windowBound: bound)
    prepared.preparedRanking = ranking
    return prepared
  }

  /// The sum of the weights of the terms and windows.
  var queryWeight: Double { node.queryWeight + windows.reduce(0) { $0 + $1.leaf.weight } }

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
    let node = prepared(for: ranking).node
    var (positive, prohibited) = (node, excluded)
    if case .not(let operand, let negative) = node {
      positive = operand
      prohibited = MatchEvaluator(among: candidates).evaluate(negative).rows.merged(with: excluded)
    }
    var hits = TopHits(capacity: limit, excluding: prohibited)
    // Windows are found only in documents that match, so they have no bounds.
    let isBounded = candidates == nil && windows.isEmpty
    if isBounded, let search = windowedSearch(positive, limit: limit, scorer) {
      search.run(&hits)
    } else if isBounded, let search = accumulatingSearch(positive, scorer) {
      search.run(&hits)
    } else if isBounded, case .leaf(let leaf) = positive {
      let lengths = WindowedSearch.LengthParts(scorer, queryWeight: queryWeight)
      leaf.forEachScore(scorer) { hits.offer($0, lengths.complete($1, $0)) }
    } else {
      let found = evaluated(positive, scorer, among: candidates)
      for (row, score) in zip(found.rows, found.scores) { hits.offer(row, score) }
    }
    return hits.ranked
  }

  /// Returns all matches in row order, scored if there is a ranking.
  func all(_ ranking: ResolvedRanking?, among candidates: [UInt32]? = nil) -> RowScores {
    evaluated(
      ranking.map { prepared(for: $0).node } ?? node, ranking.map { state.scorer($0) }, among: candidates)
  }

  /// Evaluates a node and completes the scores with windows and lengths.
  private func evaluated(_ node: MatchNode, _ scorer: Scorer?, among candidates: [UInt32]?) -> RowScores {
    guard let scorer else { return MatchEvaluator(among: candidates).evaluate(node) }
    var found = MatchEvaluator(scorer: scorer, among: candidates).evaluate(node)
    for window in windows { found.add(window.leaf.scorer(scorer), window.leaf.postings) }
    found.complete(WindowedSearch.LengthParts(scorer, queryWeight: queryWeight))
    return found
  }

  /// Returns the number of matching documents except the excluded rows, which are in ascending order.
  func count(excluding excluded: [UInt32] = []) -> Int {
    if case .leaf(let leaf) = node, excluded.isEmpty { return leaf.postings.count }
    let rows = MatchEvaluator().evaluate(node).rows
    return excluded.isEmpty ? rows.count : rows.count { !excluded.containsSorted($0) }
  }

  /// The number of postings that must be read to count the matches; 0 if the count is known.
  var countingCost: Int { if case .leaf = node { 0 } else { node.postingCount } }

  /// Returns a windowed search; nil if the expression is not of a supported form or has too few candidates, or if none
  /// of its score bounds can be cached, because computing bounds takes as long as scoring every posting.
  func windowedSearch(_ node: MatchNode, limit: Int, _ scorer: Scorer) -> WindowedSearch? {
    let operands: [MatchNode]
    let combination: WindowedSearch.Combination
    switch node {
    case .leaf: (operands, combination) = ([node], .any)
    case .or(let nodes): (operands, combination) = (nodes, .any)
    case .and(let nodes): (operands, combination) = (nodes, .all)
    case .nothing, .not: return nil
    }
    guard let leaves = MatchSearch.leaves(operands), leaves.contains(where: { $0.key != nil }) else { return nil }
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

  /// The sum of the weights of the terms that may occur in matching documents, for query likelihood.
  var queryWeight: Double {
    switch self {
    case .nothing: 0
    case .leaf(let leaf): leaf.queryWeight
    case .and(let operands), .or(let operands): operands.reduce(0) { $0 + $1.queryWeight }
    case .not(let positive, _): positive.queryWeight
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
