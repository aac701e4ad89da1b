/// Finds the best documents for a term, or for a conjunction or disjunction of terms, without reading the blocks of
/// long posting lists that cannot contain any of them. ``WindowedSearch`` does the same for postings in memory.
///
/// A single term is always read block by block, and its blocks are cached. Several terms are read this way only if they
/// were not requested before in the same state of the index; the second time they are read completely, because the
/// windows of postings in memory are smaller than blocks.
struct BoundedSearch {
  let terms: [Term]
  let scorer: Scorer
  let windows: RowWindows
  private let combination: WindowedSearch.Combination

  /// A term with its postings.
  struct Term {
    enum Source {
      /// Postings in memory.
      case whole(Postings, ScoreBounds)
      /// Postings that are read block by block.
      case blocks(any PostingBlockList, BlockBounds)
    }

    let source: Source
    let documentFrequency: Int
    /// The factor of its scores that is the same for all documents.
    let idf: Double

    fileprivate init(_ source: Source, _ weight: Double, _ scorer: Scorer) {
      self.source = source
      switch source {
      case .whole(let postings, _): documentFrequency = postings.count
      case .blocks(let list, _): documentFrequency = list.documentFrequency
      }
      idf = weight * scorer.idf(documentFrequency: documentFrequency)
    }
  }

  /// Looks up the terms of a match.
  ///
  /// - Returns: nil if the match has another form, if its terms are in memory or were requested before, or if reading
  ///   blocks is not worthwhile according to `reading`.
  /// - Throws: errors of the store.
  init?(
    _ match: CompiledMatch, _ ranking: ResolvedRanking, _ store: any PostingStore,
    _ reading: LeafReadPolicy = LeafReadPolicy()
  ) throws {
    // The bounds in the file limit the frequencies of BM25F. The other models also need the frequency of a term in all
    // documents, which requires reading the whole posting list.
    guard ranking.model == .bm25, ranking.formula == .bm25f, let (words, combination) = match.words,
      words.count <= WindowedSearch.maximumLeafCount
    else {
      return nil
    }
    let state = store.search
    let scorer = state.scorer(ranking)
    let found = try BoundedSearch.nilIfUnreadable { try BoundedSearch.lists(words.map(\.term), store, reading) }
    guard let found, !found.isEmpty else { return nil }
    var sources: [String: Term.Source] = [:]
    for (term, list) in found {
      if let bounds = list.bounds(scorer) { sources[term] = .blocks(list, bounds) }
    }
    guard !sources.isEmpty else { return nil }
    var whole: [String: Postings] = [:]
    for word in words where sources[word.term] == nil {
      whole[word.term] = try store.postings(word.term, withPositions: false)
    }
    let lastRow = (found.values.map(\.lastRow) + whole.values.map(\.lastRow)).max() ?? 0
    let windows = RowWindows(rowLimit: max(state.lengths.rowLimit, lastRow + 1))
    for (term, postings) in whole {
      let bounds = state.postings.bounds(.init(term: term), for: ranking, windows) {
        ScoreBounds(postings, windows, ranking, TermScorer(scorer, postings, weight: 1))
      }
      sources[term] = .whole(postings, bounds)
    }
    terms = words.compactMap { word in sources[word.term].map { Term($0, word.weight, scorer) } }
    self.combination = combination
    self.scorer = scorer
    self.windows = windows
  }

  /// Returns the posting lists of the terms that are worth reading block by block; nil if there are too many.
  private static func lists(
    _ terms: [String], _ store: any PostingStore, _ reading: LeafReadPolicy
  ) throws -> [String: any PostingBlockList]? {
    var lists: [String: any PostingBlockList] = [:]
    var long: [(term: String, blocks: FoundBlocks)] = []
    for term in Set(terms) where !store.search.postings.holds(.init(term: term)) {
      guard let found = try store.blocks(of: term, reading) else { continue }
      if !found.isKnown {
        long.append((term, found))
      } else if terms.count == 1 {
        lists[term] = try found.list()
      }
    }
    guard long.count <= reading.termCount else { return nil }
    for (term, blocks) in long { lists[term] = try blocks.list() }
    return lists
  }

  /// Returns the result of reading blocks; nil if the posting lists should be read as a whole.
  private static func nilIfUnreadable<T>(_ body: () throws -> T?) throws -> T? {
    do {
      return try body()
    } catch is BlocksUnavailable {
      return nil
    }
  }

  /// The document frequency of each term.
  var documentFrequencies: [Int] { terms.map(\.documentFrequency) }

  /// Whether there are several terms and a document must contain all of them.
  var needsAll: Bool { combination == .all && terms.count > 1 }

  /// Returns the best matches, best first; nil if the postings should be read completely.
  ///
  /// - Throws: errors of the store.
  func ranked(limit: Int, excluding excluded: [UInt32]) throws -> [RankedRow]? {
    // In a conjunction, a rare term restricts the search to few blocks of a common one, regardless of `limit`.
    guard needsAll || limit < documentFrequencies.reduce(0, +) / BoundedSearch.matchesPerHit else { return nil }
    return try BoundedSearch.nilIfUnreadable {
      var hits = TopHits(capacity: limit, excluding: excluded)
      if terms.count == 1, case .blocks(let list, let bounds) = terms[0].source {
        try offer(list, bounds, terms[0].idf, &hits)
      } else {
        try offerWindows(&hits)
      }
      return hits.ranked
    }
  }

  /// The minimum number of postings per requested hit. If nearly all matches are requested, no window can be skipped.
  private static let matchesPerHit = 8

  /// Offers the documents of a term, block by block in descending order of the score bounds.
  private func offer(
    _ list: any PostingBlockList, _ bounds: BlockBounds, _ idf: Double, _ hits: inout TopHits
  ) throws {
    func offer(_ postings: Postings) {
      let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
      for number in 0..<postings.count {
        hits.offer(rows[number], idf * scorer.saturation(rows[number], frequencies[number], overflow))
      }
    }
    offer(list.rest)
    for block in bounds.order {
      let saturation = bounds.saturations[block]
      guard saturation > 0, idf * saturation >= hits.threshold else { return }
      offer(try list.postings(ofBlock: block))
    }
  }
}
