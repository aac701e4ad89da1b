import Synchronization

/// The data of one state of an index that matching and scoring need: totals, lengths, scorers and a cache of decoded
/// postings. Transactions that see the same state share it.
package final class SearchState: Sendable {
  package let totals: IndexTotals
  package let lengths: any DocumentLengthSource
  package let postings: PostingsCache
  /// The scorers of the most recently used rankings, latest first.
  private let scorers = Mutex<[Scorer]>([])

  package init(_ totals: IndexTotals, _ lengths: any DocumentLengthSource, _ postings: PostingsCache = PostingsCache())
  {
    self.totals = totals
    self.lengths = lengths
    self.postings = postings
  }

  /// Returns the scorer of a ranking. The last few are cached because one results page may use two rankings.
  func scorer(_ ranking: ResolvedRanking) -> Scorer {
    if let known = scorers.withLock({ $0.first { $0.ranking == ranking } }) { return known }
    let scorer = Scorer(lengths, totals, ranking)
    scorers.withLock { $0 = [scorer] + $0.prefix(ResolvedRanking.keptCount - 1) }
    return scorer
  }
}
