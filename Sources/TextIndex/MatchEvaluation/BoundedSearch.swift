/// Finds the best documents for a term, or for several of which one, or each, must be there, without reading the leaves of long
/// doclists that cannot have any of them. ``WindowedSearch`` does the same for postings in memory.
///
/// A term alone is always read so, and what is read of it is kept. With others it is when it was not asked for before in the same state
/// of the index; then it is read as a whole, since the windows of postings in memory are smaller than leaves.
struct BoundedSearch {
  let terms: [Term]
  let scorer: Scorer
  let windows: RowWindows
  private let combination: WindowedSearch.Combination
  private let reader: PostingsReader

  /// A term with its postings.
  struct Term {
    enum Source {
      /// In memory.
      case whole(Postings, ScoreBounds)
      /// To be read leaf by leaf.
      case leaves(BoundedPostings, LeafScoreBounds, BudgetedLeafReader)
    }

    let source: Source
    let documentFrequency: Int
    /// The part of its scores that is the same for all documents.
    let idf: Double

    fileprivate init(_ source: Source, _ weight: Double, _ scorer: Scorer) {
      self.source = source
      switch source {
      case .whole(let postings, _): documentFrequency = postings.count
      case .leaves(let postings, _, _): documentFrequency = postings.documentFrequency
      }
      idf = weight * scorer.idf(documentFrequency: documentFrequency)
    }
  }

  /// Looks up the terms of a match.
  ///
  /// - Returns: nil for a match of another form, for terms that are in memory or were asked for before, and where `reading` says
  ///   that it is not worth it.
  /// - Throws: ``FTS5FallbackRequired``, ``DoclistCorruption``, `DatabaseError`.
  init?(
    _ match: CompiledMatch, _ ranking: ResolvedRanking, _ reader: PostingsReader,
    _ reading: LeafReadPolicy = LeafReadPolicy()
  ) throws {
    guard ranking.formula == .bm25f, let (words, combination) = match.words,
      words.count <= WindowedSearch.maximumLeafCount
    else {
      return nil
    }
    let state = reader.state
    let scorer = state.scorer(ranking)
    let found = try reader.orNil { try BoundedSearch.postings(words.map(\.term), reader, reading) }
    guard let found, !found.isEmpty else { return nil }
    var sources: [String: Term.Source] = [:]
    for (term, postings) in found {
      guard let promises = postings.promises(scorer) else { continue }
      sources[term] = .leaves(postings, promises, try reader.leafReadings(postings.leaves.count, reading))
    }
    guard !sources.isEmpty else { return nil }
    var whole: [String: Postings] = [:]
    for word in words where sources[word.term] == nil {
      whole[word.term] = try reader.postings(word.term, withPositions: false)
    }
    let lastRow = (found.values.map(\.lastRow) + whole.values.map(\.lastRow)).max() ?? 0
    let windows = RowWindows(rowLimit: max(state.lengths.rowLimit, lastRow + 1))
    for (term, postings) in whole {
      let bounds = state.postings.bounds(.init(term: term), for: ranking, windows) {
        ScoreBounds(postings, windows, scorer)
      }
      sources[term] = .whole(postings, bounds)
    }
    terms = words.compactMap { word in sources[word.term].map { Term($0, word.weight, scorer) } }
    self.combination = combination
    self.scorer = scorer
    self.windows = windows
    self.reader = reader
  }

  /// The postings of those of some terms that are worth being read leaf by leaf; nil where they are more than are read so.
  private static func postings(
    _ terms: [String], _ reader: PostingsReader, _ reading: LeafReadPolicy
  ) throws -> [String: BoundedPostings]? {
    var known: [String: BoundedPostings] = [:]
    var long: [BoundedTerm] = []
    for term in Set(terms) where !reader.state.postings.holds(.init(term: term)) {
      if let postings = reader.state.leafwise.boundedPostings(term) {
        if terms.count == 1 { known[term] = postings }
      } else if let found = try reader.boundedTerm(term, reading) {
        long.append(found)
      }
    }
    guard long.count <= reading.termCount else { return nil }
    for found in long { known[found.term] = try reader.boundedPostings(found, reading) }
    return known
  }

  /// In how many documents each term stands.
  var documentFrequencies: [Int] { terms.map(\.documentFrequency) }

  /// How the terms are combined, for the number of matches.
  var needsAll: Bool { combination == .all && terms.count > 1 }

  /// The best matches, best first; nil where the postings had better be read as a whole.
  ///
  /// - Throws: `DatabaseError`.
  func ranked(limit: Int, excluding excluded: [UInt32]) throws -> [RankedRow]? {
    // A rare term leads to few leaves of a common one, however many hits there may be.
    guard needsAll || limit < documentFrequencies.reduce(0, +) / BoundedSearch.matchesPerHit else { return nil }
    return try reader.orNil {
      var hits = TopHits(capacity: limit, excluding: excluded)
      if terms.count == 1, case .leaves(let postings, let promises, let readings) = terms[0].source {
        try offer(postings, promises, readings, terms[0].idf, &hits)
      } else {
        try offerWindows(&hits)
      }
      return hits.ranked
    }
  }

  /// Where fewer of the matches are no hits, there is nothing to pass over.
  private static let matchesPerHit = 8

  /// Offers the documents of a term, those on the most promising leaves first.
  private func offer(
    _ postings: BoundedPostings, _ promises: LeafScoreBounds, _ readings: BudgetedLeafReader, _ idf: Double,
    _ hits: inout TopHits
  ) throws {
    func offer(_ postings: Postings) {
      let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
      for number in 0..<postings.count {
        hits.offer(rows[number], idf * scorer.saturation(rows[number], frequencies[number], overflow))
      }
    }
    offer(postings.whole)
    for leaf in promises.order {
      let saturation = promises.saturations[leaf]
      guard saturation > 0, idf * saturation >= hits.threshold else { return }
      offer(try postings.postings(leaf, readings))
    }
  }
}
