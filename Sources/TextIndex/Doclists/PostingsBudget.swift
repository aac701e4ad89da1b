import Synchronization

/// The memory limit for decoded postings of all indexes of the process. The least recently used postings are evicted
/// first, whichever index it belongs to.
final class PostingsBudget: Sendable {
  /// That of the process: the postings of some forty of the most common words of 1,000,000 documents.
  static let shared = PostingsBudget(limit: 128 << 20)

  /// Bytes.
  let limit: Int
  private let used = Atomic(0)
  private let clock = Atomic(0)
  private let members = Mutex<[ObjectIdentifier: Member]>([:])

  private struct Member {
    weak var cache: PostingsCache?
  }

  init(limit: Int) { self.limit = limit }

  /// Bytes that are in use.
  var size: Int { used.load(ordering: .relaxed) }

  /// A time that is later than all before.
  func tick() -> Int { clock.add(1, ordering: .relaxed).newValue }

  func join(_ cache: PostingsCache) { members.withLock { $0[ObjectIdentifier(cache)] = Member(cache: cache) } }

  /// To be called when a cache is deinitialized, with the bytes that it still has.
  func leave(_ cache: ObjectIdentifier, size: Int) {
    members.withLock { $0[cache] = nil }
    used.subtract(size, ordering: .relaxed)
  }

  /// Notes that a cache takes so many bytes more, or fewer. No lock may be held.
  func add(_ size: Int) {
    guard used.add(size, ordering: .relaxed).newValue > limit else { return }
    // Retained here, so that none of them ends, and calls `leave`, under the lock.
    let caches = members.withLock { $0.values.compactMap(\.cache) }
    let uses = caches.flatMap { cache in cache.uses.map { (cache: cache, use: $0) } }
    for (cache, use) in uses.sorted(by: { $0.use.time < $1.use.time }) {
      guard self.size > limit * 3 / 4 else { return }
      used.subtract(cache.remove(use), ordering: .relaxed)
    }
  }
}
