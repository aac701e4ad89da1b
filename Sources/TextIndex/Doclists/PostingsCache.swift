import Synchronization

/// A cache of decoded postings of an index, limited by a ``PostingsBudget``.
final class PostingsCache: Sendable {
  /// Identifies postings.
  struct Key: Hashable, Sendable {
    var term = ""
    var isPrefix = false
    /// The columns in which occurrences count; nil for all.
    var columns: Set<Int>?
    /// The terms of a word in different columns, if they differ.
    var parts: [Key] = []
  }

  /// The time when postings were last used.
  struct Use: Sendable {
    let key: Key
    let time: Int
  }

  private struct Entry {
    var content: Content
    /// The bounds for the most recently used rankings, latest first.
    var bounds: [ScoreBounds] = []
    var lastUse: Int

    /// The size in bytes, including the dictionary entry.
    var size: Int { content.size + bounds.reduce(256) { $0 + $1.size } }

    var postings: Postings? { if case .whole(let postings) = content { postings } else { nil } }
  }

  private enum Content {
    case whole(Postings)
    /// These grow while they are used; `size` is the size at the last update.
    case leafwise(BoundedPostings, size: Int)

    var size: Int {
      switch self {
      case .whole(let postings): postings.size
      case .leafwise(_, let size): size
      }
    }
  }

  private let entries = Mutex<[Key: Entry]>([:])
  private let budget: PostingsBudget

  init(_ budget: PostingsBudget = .shared) {
    self.budget = budget
    budget.join(self)
  }

  deinit { budget.leave(ObjectIdentifier(self), size: entries.withLock { $0.values.reduce(0) { $0 + $1.size } }) }

  /// Returns the postings of a key, with positions if requested; calls `make` and caches the result if they are not
  /// cached.
  func postings(_ key: Key, withPositions: Bool, _ make: () throws -> Postings) rethrows -> Postings {
    let time = budget.tick()
    let known = entries.withLock { entries -> Postings? in
      entries[key]?.lastUse = time
      return entries[key]?.postings
    }
    if let known, !withPositions || known.poslistOffsets != nil { return known }
    let postings = try make()
    guard postings.size <= budget.limit / 2 else { return postings }
    change(key) { $0 = Entry(content: .whole(postings), bounds: $0?.bounds ?? [], lastUse: time) }
    return postings
  }

  /// Returns whether the postings of a key are cached.
  func holds(_ key: Key) -> Bool { entries.withLock { $0[key] != nil } }

  /// Returns the cached postings of a term that are read leaf by leaf; nil if there are none.
  func boundedPostings(_ term: String) -> BoundedPostings? {
    let known = entries.withLock { entries -> BoundedPostings? in
      if case .leafwise(let postings, _) = entries[Key(term: term)]?.content { postings } else { nil }
    }
    if let known { keep(known, of: term) }
    return known
  }

  /// Caches postings that are read leaf by leaf.
  func keep(_ postings: BoundedPostings, of term: String) {
    let time = budget.tick()
    change(Key(term: term)) { $0 = Entry(content: .leafwise(postings, size: postings.size), lastUse: time) }
  }

  /// Returns the score bounds of postings for a ranking; calls `make` and caches the result if they are not cached.
  func bounds(
    _ key: Key, for ranking: ResolvedRanking, _ windows: RowWindows, _ make: () -> ScoreBounds
  ) -> ScoreBounds {
    let known = entries.withLock { entries in
      entries[key]?.bounds.first { $0.ranking == ranking && $0.windows == windows }
    }
    if let known { return known }
    let bounds = make()
    change(key) { entry in
      guard let others = entry?.bounds.prefix(ResolvedRanking.keptCount - 1) else { return }
      entry?.bounds = [bounds] + others
    }
    return bounds
  }

  /// The keys of all entries with the times of their last use.
  var uses: [Use] { entries.withLock { $0.map { Use(key: $0.key, time: $0.value.lastUse) } } }

  /// Removes an entry unless it has been used since.
  ///
  /// - Returns: the number of bytes freed.
  func remove(_ use: Use) -> Int {
    entries.withLock { entries in
      guard let entry = entries[use.key], entry.lastUse == use.time else { return 0 }
      entries[use.key] = nil
      return entry.size
    }
  }

  private func change(_ key: Key, _ body: (inout Entry?) -> Void) {
    let growth = entries.withLock { entries in
      let before = entries[key]?.size ?? 0
      body(&entries[key])
      return (entries[key]?.size ?? 0) - before
    }
    budget.add(growth)
  }
}
