import GRDB

/// Finds the best documents for a term, or for several of which one, or each, must be there, without reading the leaves of long
/// doclists that cannot have any of them. ``WindowedSearch`` does the same for postings in memory.
///
/// It is for terms that are asked for once: what it reads is not kept. A term that is asked for again in the same state of the index
/// is read as a whole, and from then on its searches read nothing.
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
      case leaves(BoundedPostings)
    }

    let source: Source
    let documentFrequency: Int
    /// The part of its scores that is the same for all documents.
    let rarity: Double

    fileprivate init(_ source: Source, _ documentFrequency: Int, _ weight: Double, _ scorer: Scorer) {
      self.source = source
      self.documentFrequency = documentFrequency
      rarity = weight * scorer.rarity(documentFrequency: documentFrequency)
    }
  }

  /// Looks up the terms of a match.
  ///
  /// - Returns: nil for a match of another form, for terms that are in memory or were asked for before, and where `reading` says
  ///   that it is not worth it.
  /// - Throws: ``UnreadableIndex``, ``DoclistDamage``, `DatabaseError`.
  init?(
    _ match: CompiledMatch, in index: InvertedIndex, _ ranking: ResolvedRanking, _ db: Database,
    _ reading: LeafwiseReading = LeafwiseReading()
  ) throws {
    guard ranking.formula == .bm25f, let (words, combination) = match.words,
      words.count <= WindowedSearch.maximumLeafCount
    else {
      return nil
    }
    let reader = try PostingsReader(index, db)
    let state = reader.state
    let scorer = state.scorer(ranking)
    guard let bounded = try reader.boundedPostings(words.map(\.term), scorer, reading), !bounded.isEmpty else {
      return nil
    }
    var whole: [String: Postings] = [:]
    for word in words where bounded[word.term] == nil {
      whole[word.term] = try reader.postings(word.term, withPositions: false)
    }
    let lastRow = (bounded.values.map(\.lastRow) + whole.values.map(\.lastRow)).max() ?? 0
    let windows = RowWindows(rowLimit: max(state.lengths.rowLimit, lastRow + 1))
    terms = words.compactMap { word in
      if let postings = bounded[word.term] {
        state.notes.note(word.term, documentFrequency: postings.documentFrequency, isSearched: true)
        return Term(.leaves(postings), postings.documentFrequency, word.weight, scorer)
      }
      return whole[word.term].map { postings in
        let bounds = state.postings.bounds(.init(term: word.term), for: ranking, windows) {
          ScoreBounds(postings, windows, scorer)
        }
        return Term(.whole(postings, bounds), postings.count, word.weight, scorer)
      }
    }
    self.combination = combination
    self.scorer = scorer
    self.windows = windows
    self.reader = reader
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
      if terms.count == 1, case .leaves(let postings) = terms[0].source {
        try offer(postings, terms[0].rarity, &hits)
      } else {
        try offerWindows(&hits)
      }
      return hits.ranked
    }
  }

  /// Where fewer of the matches are no hits, there is nothing to pass over.
  private static let matchesPerHit = 8

  /// Offers the documents of a term, those on the most promising leaves first.
  private func offer(_ postings: BoundedPostings, _ rarity: Double, _ hits: inout TopHits) throws {
    func offer(_ postings: Postings) {
      let (rows, frequencies, spill) = (postings.rows, postings.frequencies, postings.spill)
      for number in 0..<postings.count {
        hits.offer(rows[number], rarity * scorer.saturation(rows[number], frequencies[number], spill))
      }
    }
    offer(postings.whole)
    let leaves = postings.leaves
    for leaf in leaves.indices.sorted(by: { leaves[$0].saturation > leaves[$1].saturation }) {
      guard rarity * leaves[leaf].saturation >= hits.threshold else { return }
      offer(try postings.postings(leaf))
    }
  }
}
