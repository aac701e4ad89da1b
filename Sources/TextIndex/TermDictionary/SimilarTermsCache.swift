import Synchronization

/// The terms that recent searches for similar words accepted in one state of an index. A write makes another state,
/// with an empty cache.
final class SimilarTermsCache: Sendable {
  /// Least recently used first.
  private let entries = Mutex<[(key: TypoSearch.Key, terms: TermList)]>([])

  /// The maximum number of searches.
  static let maximumCount = 64
  /// The maximum size of a list in bytes; longer ones are not cached. All lists together need at most 4 MiB.
  static let maximumSize = 64 << 10

  /// Returns the cached terms, or the result of `make`. Two threads that request them at the same time may both call
  /// it.
  func terms(_ key: TypoSearch.Key, _ make: () throws -> TermList) rethrows -> TermList {
    let cached = entries.withLock { entries -> TermList? in
      guard let number = entries.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: number)
      entries.append(entry)
      return entry.terms
    }
    if let cached { return cached }
    let terms = try make()
    guard terms.size <= SimilarTermsCache.maximumSize else { return terms }
    entries.withLock { entries in
      guard !entries.contains(where: { $0.key == key }) else { return }
      if entries.count >= SimilarTermsCache.maximumCount { entries.removeFirst() }
      entries.append((key, terms))
    }
    return terms
  }
}
