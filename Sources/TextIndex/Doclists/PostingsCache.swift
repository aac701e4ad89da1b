import Synchronization

/// Postings of an index that were decoded, as long as the ``PostingsBudget`` allows.
final class PostingsCache: Sendable {
  /// What postings are of.
  struct Key: Hashable, Sendable {
    var term = ""
    var isPrefix = false
    /// Only occurrences in these columns; nil for all.
    var columns: Set<Int>?
    /// The parts of a word that has different terms in different columns.
    var parts: [Key] = []
  }

  /// When postings were asked for last.
  struct Use: Sendable {
    let key: Key
    let time: Int
  }

  private struct Entry {
    var content: Content
    /// Those of the rankings that were asked for last, the latest first.
    var bounds: [ScoreBounds] = []
    var lastUse: Int

    /// Bytes, with what the dictionary takes.
    var size: Int { content.size + bounds.reduce(256) { $0 + $1.size } }

    var postings: Postings? { if case .whole(let postings) = content { postings } else { nil } }
  }

  private enum Content {
    case whole(Postings)
    /// These grow while they are used, so their size is what it was when they were last looked at.
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

  /// The postings of a key, with positions where these are needed; made by `make` and kept where they are not there.
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

  /// Whether the postings of a key are there.
  func holds(_ key: Key) -> Bool { entries.withLock { $0[key] != nil } }

  /// The postings of a term that are read leaf by leaf; nil where they are not there.
  func boundedPostings(_ term: String) -> BoundedPostings? {
    let known = entries.withLock { entries -> BoundedPostings? in
      if case .leafwise(let postings, _) = entries[Key(term: term)]?.content { postings } else { nil }
    }
    if let known { keep(known, of: term) }
    return known
  }

  /// Keeps postings that are read leaf by leaf.
  func keep(_ postings: BoundedPostings, of term: String) {
    let time = budget.tick()
    change(Key(term: term)) { $0 = Entry(content: .leafwise(postings, size: postings.size), lastUse: time) }
  }

  /// The bounds of the scores of postings in the cache, made by `make` where they are not there or of another ranking.
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

  /// What is there, and when it was asked for.
  var uses: [Use] { entries.withLock { $0.map { Use(key: $0.key, time: $0.value.lastUse) } } }

  /// Forgets postings unless they were asked for since.
  ///
  /// - Returns: the bytes that they took.
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
