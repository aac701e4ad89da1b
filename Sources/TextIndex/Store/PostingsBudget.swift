import Synchronization

/// The memory limit for decoded postings of all indexes of the process. The least recently used postings of any index
/// are evicted first.
final class PostingsBudget: Sendable {
  /// The limit of the process, enough for the postings of about 40 of the most common words in 1,000,000 documents.
  static let shared = PostingsBudget(limit: 128 << 20)

  /// The limit in bytes.
  let limit: Int
  private let used = Atomic(0)
  private let hits = Atomic<UInt64>(0)
  private let misses = Atomic<UInt64>(0)
  private let clock = Atomic(0)
  private let members = Mutex<[ObjectIdentifier: Member]>([:])

  private struct Member {
    weak var cache: PostingsCache?
  }

  init(limit: Int) { self.limit = limit }

  /// The number of bytes in use.
  var size: Int { used.load(ordering: .relaxed) }

  /// The use of the cache since the process started.
  var statistics: PostingsCacheStatistics {
    PostingsCacheStatistics(
      size: size, limit: limit, hitCount: hits.load(ordering: .relaxed), missCount: misses.load(ordering: .relaxed))
  }

  /// Counts a lookup.
  func count(isHit: Bool) {
    if isHit { hits.add(1, ordering: .relaxed) } else { misses.add(1, ordering: .relaxed) }
  }

  /// Returns a logical time that is greater than all earlier ones.
  func tick() -> Int { clock.add(1, ordering: .relaxed).newValue }

  func join(_ cache: PostingsCache) { members.withLock { $0[ObjectIdentifier(cache)] = Member(cache: cache) } }

  /// Must be called when a cache is deinitialized, with the number of bytes that it still uses.
  func leave(_ cache: ObjectIdentifier, size: Int) {
    members.withLock { $0[cache] = nil }
    used.subtract(size, ordering: .relaxed)
  }

  /// Records that the size of a cache has changed by a number of bytes. The caller must not hold a lock.
  func add(_ size: Int) {
    guard used.add(size, ordering: .relaxed).newValue > limit else { return }
    // Retains the caches, so that none of them is deinitialized and calls `leave` while the lock is held.
    let caches = members.withLock { $0.values.compactMap(\.cache) }
    let uses = caches.flatMap { cache in cache.uses.map { (cache: cache, use: $0) } }
    for (cache, use) in uses.sorted(by: { $0.use.time < $1.use.time }) {
      guard self.size > limit * 3 / 4 else { return }
      used.subtract(cache.remove(use), ordering: .relaxed)
    }
  }
}

/// The use of the cache for decoded postings, which all full-text indexes of the process share.
public struct PostingsCacheStatistics: Hashable, Sendable {
  /// The size of the cached postings in bytes.
  public let size: Int
  /// The maximum size in bytes.
  public let limit: Int
  /// The number of lookups that found cached postings since the process started.
  public let hitCount: UInt64
  /// The number of lookups that did not.
  public let missCount: UInt64

  /// The statistics of the process.
  public static var current: PostingsCacheStatistics { PostingsBudget.shared.statistics }
}
