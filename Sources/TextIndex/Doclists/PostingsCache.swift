import Synchronization

/// Postings that were decoded, up to a limit of memory; what was not asked for the longest goes first.
final class PostingsCache: Sendable {
  /// What postings are of.
  struct Key: Hashable, Sendable {
    var term = ""
    var isPrefix = false
    /// Only what stands in these columns; nil for all.
    var columns: Set<Int>?
    /// What is taken together instead of a term: terms in columns of their own.
    var parts: [Key] = []
  }

  private struct Entry {
    var postings: Postings
    /// Those of the rankings that were asked for last, the latest first.
    var bounds: [ScoreBounds] = []
    var lastUse: Int

    /// Bytes, with what the dictionary takes.
    var size: Int { postings.size + bounds.reduce(256) { $0 + $1.size } }
  }

  private struct Contents {
    var entries: [Key: Entry] = [:]
    var size = 0
    var clock = 0
  }

  private let contents = Mutex(Contents())

  /// Bytes that are kept: the postings of some forty of the most common words of 1,000,000 documents.
  private static let sizeLimit = 128 << 20

  /// The postings of a key, with positions where these are needed; made by `make` and kept where they are not there.
  func postings(_ key: Key, withPositions: Bool, _ make: () throws -> Postings) rethrows -> Postings {
    let known = contents.withLock { contents -> Postings? in
      contents.clock += 1
      contents.entries[key]?.lastUse = contents.clock
      return contents.entries[key]?.postings
    }
    if let known, !withPositions || known.places != nil { return known }
    let postings = try make()
    guard postings.size <= PostingsCache.sizeLimit / 2 else { return postings }
    contents.withLock { contents in
      let entry = Entry(postings: postings, bounds: contents.entries[key]?.bounds ?? [], lastUse: contents.clock)
      PostingsCache.put(entry, key, into: &contents)
    }
    return postings
  }

  /// The bounds of the scores of postings in the cache, made by `make` where they are not there or of another ranking.
  func bounds(
    _ key: Key, for ranking: ResolvedRanking, _ windows: RowWindows, _ make: () -> ScoreBounds
  ) -> ScoreBounds {
    let known = contents.withLock { contents in
      contents.entries[key]?.bounds.first { $0.ranking == ranking && $0.windows == windows }
    }
    if let known { return known }
    let bounds = make()
    contents.withLock { contents in
      guard var entry = contents.entries[key] else { return }
      entry.bounds = [bounds] + entry.bounds.prefix(ResolvedRanking.keptCount - 1)
      PostingsCache.put(entry, key, into: &contents)
    }
    return bounds
  }

  private static func put(_ entry: Entry, _ key: Key, into contents: inout Contents) {
    contents.size += entry.size - (contents.entries[key]?.size ?? 0)
    contents.entries[key] = entry
    if contents.size > sizeLimit { evict(from: &contents) }
  }

  private static func evict(from contents: inout Contents) {
    for (key, entry) in contents.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard contents.size > sizeLimit * 3 / 4 else { return }
      contents.size -= entry.size
      contents.entries[key] = nil
    }
  }
}
