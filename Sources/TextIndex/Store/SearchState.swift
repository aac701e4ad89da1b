import Synchronization

/// What matching and scoring need of an index in one of its states besides postings, and the postings that were decoded. Transactions
/// that see the same state share it.
final class SearchState: Sendable {
  let totals: IndexTotals
  let lengths: any DocumentLengthSource
  let postings: PostingsCache
  /// Those of the rankings that were asked for last, the latest first.
  private let scorers = Mutex<[Scorer]>([])

  init(_ totals: IndexTotals, _ lengths: any DocumentLengthSource, _ postings: PostingsCache = PostingsCache()) {
    self.totals = totals
    self.lengths = lengths
    self.postings = postings
  }

  /// The scorer of a ranking; the last few are kept, since one page may rank in two ways.
  func scorer(_ ranking: ResolvedRanking) -> Scorer {
    if let known = scorers.withLock({ $0.first { $0.ranking == ranking } }) { return known }
    let scorer = Scorer(lengths, totals, ranking)
    scorers.withLock { $0 = [scorer] + $0.prefix(ResolvedRanking.keptCount - 1) }
    return scorer
  }
}
