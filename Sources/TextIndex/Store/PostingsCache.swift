import Synchronization

/// The postings of a term, of which a store reads only the blocks that are needed.
package protocol BlockwisePostings: AnyObject, Sendable {
  /// The size in bytes of the blocks that have been read.
  var size: Int { get }
}

/// A cache of decoded postings of an index, limited by a ``PostingsBudget``.
package final class PostingsCache: Sendable {
  /// Identifies postings.
  package struct Key: Hashable, Sendable {
    var term = ""
    var isPrefix = false
    /// The columns whose occurrences are included; nil for all.
    var columns: Set<Int>?
    /// The terms of a word in different columns, if they differ.
    var parts: [Key] = []
    /// The phrase; nil for a term or a prefix.
    var phrase: CompiledPhrase?

    init(term: String = "", isPrefix: Bool = false, columns: Set<Int>? = nil, parts: [Key] = []) {
      self.term = term
      self.isPrefix = isPrefix
      self.columns = columns
      self.parts = parts
    }

    /// Creates the key of a phrase.
    init(_ phrase: CompiledPhrase, columns: Set<Int>?) {
      self.columns = columns
      self.phrase = phrase
    }

    /// Creates the key of a term, or of all terms with a prefix.
    package init(_ term: String, isPrefix: Bool = false) { self.init(term: term, isPrefix: isPrefix) }
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
    case blockwise(any BlockwisePostings, size: Int)

    var size: Int {
      switch self {
      case .whole(let postings): postings.size
      case .blockwise(_, let size): size
      }
    }
  }

  private let entries = Mutex<[Key: Entry]>([:])
  private let budget: PostingsBudget

  package init(_ budget: PostingsBudget = .shared) {
    self.budget = budget
    budget.join(self)
  }

  deinit { budget.leave(ObjectIdentifier(self), size: entries.withLock { $0.values.reduce(0) { $0 + $1.size } }) }

  /// Returns the postings of a key, with positions if requested; calls `make` and caches the result if they are not
  /// cached.
  package func postings(_ key: Key, withPositions: Bool, _ make: () throws -> Postings) rethrows -> Postings {
    let time = budget.tick()
    let known = entries.withLock { entries -> Postings? in
      entries[key]?.lastUse = time
      return entries[key]?.postings
    }
    let usable = known.flatMap { !withPositions || $0.poslistOffsets != nil ? $0 : nil }
    budget.count(isHit: usable != nil)
    if let usable { return usable }
    let postings = try make()
    guard postings.size <= budget.limit / 2 else { return postings }
    change(key) { $0 = Entry(content: .whole(postings), bounds: $0?.bounds ?? [], lastUse: time) }
    return postings
  }

  /// Returns whether the postings of a key are cached.
  package func holds(_ key: Key) -> Bool { entries.withLock { $0[key] != nil } }

  /// Returns the cached postings of a term that are read block by block; nil if there are none.
  package func blockwisePostings(_ term: String) -> (any BlockwisePostings)? {
    let known = entries.withLock { entries -> (any BlockwisePostings)? in
      if case .blockwise(let postings, _) = entries[Key(term: term)]?.content { postings } else { nil }
    }
    budget.count(isHit: known != nil)
    if let known { keep(known, of: term) }
    return known
  }

  /// Caches postings that are read block by block.
  package func keep(_ postings: any BlockwisePostings, of term: String) {
    let time = budget.tick()
    change(Key(term: term)) { $0 = Entry(content: .blockwise(postings, size: postings.size), lastUse: time) }
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
