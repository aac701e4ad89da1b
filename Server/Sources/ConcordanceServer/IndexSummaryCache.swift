import Concordance
import Synchronization

/// Caches index summaries for `/stats` and `/metrics`, because monitoring programs request them often and computing the
/// size of an index reads its tables.
final class IndexSummaryCache: Sendable {
  private struct Entry {
    let summaries: [IndexSummary]
    let expiration: ContinuousClock.Instant
  }

  /// At most 1 / `ratio` of the time is spent computing summaries.
  private static let ratio = 20
  private static let minimumTime: Duration = .seconds(1)
  private static let maximumCount = 1000

  private let entries = Mutex<[String: Entry]>([:])

  /// Returns the summaries of a collection's indexes. Must be called on one of the database's threads.
  func summaries(of collection: Concordance.Collection) throws -> [IndexSummary] {
    let key = "\(collection.database.name)/\(collection.fullName)"
    let start = ContinuousClock.now
    if let entry = entries.withLock({ $0[key] }), entry.expiration > start { return entry.summaries }
    let summaries = try collection.indexSummaries()
    let time = max(IndexSummaryCache.minimumTime, start.duration(to: .now) * IndexSummaryCache.ratio)
    entries.withLock { entries in
      if entries.count >= IndexSummaryCache.maximumCount { entries.removeAll() }
      entries[key] = Entry(summaries: summaries, expiration: .now + time)
    }
    return summaries
  }
}
