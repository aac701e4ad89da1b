import GRDB

/// A compiled match with its postings, in a transaction: ranked and counted.
struct MatchSearch {
  private let node: MatchNode
  private let reader: PostingsReader

  /// Looks up what a match needs.
  ///
  /// - Throws: ``UnreadableIndex`` where FTS5 must be asked, ``DoclistDamage``, `DatabaseError`.
  init(_ match: CompiledMatch, in index: InvertedIndex, _ db: Database) throws {
    reader = try PostingsReader(index, db)
    node = try MatchResolver(reader).resolve(match)
  }

  /// The best matches, best first.
  ///
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - ranking: how they are scored.
  ///   - excluded: rows that are not to be found, in order.
  func ranked(limit: Int, _ ranking: ResolvedRanking, excluding excluded: [UInt32] = []) -> [RankedRow] {
    let scorer = reader.state.scorer(ranking)
    var (positive, prohibited) = (node, excluded)
    if case .not(let operand, let negative) = node {
      positive = operand
      prohibited = MatchEvaluator().evaluate(negative).union(excluded)
    }
    var hits = TopHits(capacity: limit, excluding: prohibited)
    if let search = windowedSearch(positive, limit: limit, scorer) {
      search.run(&hits)
    } else {
      let found = MatchEvaluator(scorer: scorer).evaluate(positive)
      for (row, score) in zip(found.rows, found.scores) { hits.offer(row, score) }
    }
    return hits.ranked
  }

  /// All matches in the order of their rows, with their scores where there is a ranking.
  func all(_ ranking: ResolvedRanking?) -> RowScores {
    MatchEvaluator(scorer: ranking.map { reader.state.scorer($0) }).evaluate(node)
  }

  /// How many documents match, except those of the rows that are not to be found, in order.
  func count(excluding excluded: [UInt32] = []) -> Int {
    if case .leaf(let leaf) = node, excluded.isEmpty { return leaf.postings.count }
    let rows = MatchEvaluator().evaluate(node).rows
    return excluded.isEmpty ? rows.count : rows.count { !excluded.containsSorted($0) }
  }

  /// The search by windows, where the expression has the form for it and enough documents.
  private func windowedSearch(_ node: MatchNode, limit: Int, _ scorer: Scorer) -> WindowedSearch? {
    let operands: [MatchNode]
    let combination: WindowedSearch.Combination
    switch node {
    case .leaf: (operands, combination) = ([node], .any)
    case .or(let nodes): (operands, combination) = (nodes, .any)
    case .and(let nodes): (operands, combination) = (nodes, .all)
    case .nothing, .not: return nil
    }
    var leaves: [MatchLeaf] = []
    for operand in operands {
      guard case .leaf(let leaf) = operand else { return nil }
      leaves.append(leaf)
    }
    let counts = leaves.map(\.postings.count)
    let candidates = combination == .all ? counts.min() ?? 0 : counts.reduce(0, +)
    guard leaves.count <= WindowedSearch.maximumLeafCount, candidates >= MatchSearch.windowedCandidates,
      limit < candidates / 8
    else { return nil }
    return WindowedSearch(leaves, combination, reader.state, scorer)
  }

  /// With fewer candidates it is faster to score all of them.
  private static let windowedCandidates = 2000
}

extension RowScores {
  /// The rows with others, in order.
  fileprivate func union(_ others: [UInt32]) -> [UInt32] {
    others.isEmpty ? rows : (rows + others).sorted()
  }
}
