/// Chooses the segments of a shard to merge: ten or more successive ones of about equal size, so that each document is
/// written about once for each power of ten of the number of documents.
enum MergePlan {
  /// The number of segments that are merged.
  static let width = 10
  /// The number of documents of a segment of the lowest tier.
  private static let smallestTier = 10_000

  /// Returns the range of segments to merge; nil if none need to be merged.
  ///
  /// - Parameter documentCounts: the number of documents of each segment, oldest first.
  static func range(_ documentCounts: [Int]) -> Range<Int>? {
    let tiers = documentCounts.map(tier)
    for tier in Set(tiers).sorted() {
      var start = 0
      for end in 0...tiers.count where end == tiers.count || tiers[end] > tier {
        if end - start >= width { return start..<end }
        start = end + 1
      }
    }
    return nil
  }

  private static func tier(_ documentCount: Int) -> Int {
    var (tier, limit) = (0, smallestTier)
    while documentCount > limit, limit <= Int.max / width {
      tier += 1
      limit *= width
    }
    return tier
  }
}
