import TextIndex

/// The posting lists of an index in segments, in a transaction.
final class SegmentPostingStore: PostingStore {
  let snapshot: IndexSnapshot
  let storage: any SegmentStorage
  let cache: SegmentIndexCache
  /// Whether the transaction sees committed rows only.
  let isCommitted: Bool
  /// Whether two terms may share a position.
  private let hasColocatedTerms: Bool

  init(
    _ snapshot: IndexSnapshot, _ storage: any SegmentStorage, _ cache: SegmentIndexCache, isCommitted: Bool,
    hasColocatedTerms: Bool
  ) {
    self.isCommitted = isCommitted
    self.snapshot = snapshot
    self.storage = storage
    self.cache = cache
    self.hasColocatedTerms = hasColocatedTerms
  }

  var columnCount: Int { snapshot.columnCount }
  var search: SearchState { snapshot.search }

  func postings(_ term: String, withPositions: Bool) throws -> Postings {
    try search.postings.postings(PostingsCache.Key(term), withPositions: withPositions) {
      let terms = try lookUp([term], needingLengths: true)[0]
      return try read(Array(terms.enumerated()), recent: term, withPositions: withPositions)
    }
  }

  /// Returns the merged posting list of all terms with a prefix. A position counts once, even if several of the terms
  /// occur at it. Therefore positions are always read if terms can share a position.
  func postings(prefix: String, withPositions: Bool) throws -> Postings {
    let needsPositions = withPositions || hasColocatedTerms
    return try search.postings.postings(PostingsCache.Key(prefix, isPrefix: true), withPositions: needsPositions) {
      try loadLengths()
      var parts: [Postings] = []
      try forEachTerm(prefix: Array(prefix.utf8), withPositions: needsPositions) { parts.append($1) }
      return Postings.union(parts, columnCount: columnCount, keepingPositions: needsPositions)
    }
  }

  func documentFrequency(_ term: String) throws -> Int {
    let bytes = Array(term.utf8)
    let stored = try lookUp([term])[0].reduce(0) {
      $0 + ($1.entry.map { $0.documentFrequency - $0.replacedCount } ?? 0)
    }
    return max(0, snapshot.recent.reduce(stored) { $0 + $1.frequencyChange(bytes) })
  }

  var readsTermsTogether: Bool { true }

  func prepare(_ terms: [ExpectedTerm], readingPostings: Bool) throws {
    let unknown = terms.filter { !search.postings.holds(PostingsCache.Key($0.text)) }
    guard unknown.count > 1 else { return }
    let found = try lookUp(unknown.map(\.text), needingLengths: true)
    guard readingPostings else { return }
    try storage.load(
      zip(unknown, found).flatMap { expected, terms in
        let isShort = terms.reduce(0) { $0 + $1.blockCount } <= SegmentPostingStore.shortLength
        let withPositions = expected.positions == .all || expected.positions == .candidates && isShort
        return terms.map { BlockRequest($0, 0..<$0.blockCount, withPositions: withPositions) }
      })
  }

  /// The number of blocks up to which all positions of a term are read with its postings, which saves a round trip.
  private static let shortLength = 16

  // MARK: - Reading

  /// Returns each term in each segment, in the order of the segments. Those that are not known are read in one round
  /// trip.
  ///
  /// - Parameter needingLengths: whether the lengths of documents are read as well, in the same round trip.
  func lookUp(_ terms: [String], needingLengths: Bool = false) throws -> [[SegmentTerm]] {
    var found = terms.map { term in snapshot.segments.map { $0.segment.known(term) } }
    var missing: [(term: Int, segment: Int)] = []
    var ranges: [TermRange] = []
    for (term, text) in terms.enumerated() {
      for (segment, view) in snapshot.segments.enumerated() where found[term][segment] == nil {
        missing.append((term, segment))
        ranges.append(TermRange(view.segment.key, term: Array(text.utf8)))
      }
    }
    if ranges.isEmpty {
      if needingLengths { try loadLengths() }
    } else {
      var read: [[StoredPage]]?
      if needingLengths {
        try loadLengths { keys in
          let (pages, payloads) = try storage.pages(ranges, limit: 1, withPayloads: keys)
          read = pages
          return payloads
        }
      }
      for ((term, segment), pages) in zip(missing, try read ?? storage.pages(ranges, limit: 1)) {
        let bytes = Array(terms[term].utf8)
        let entry = try pages.first.flatMap { page in
          try page.bytes.withUnsafeBufferPointer { try DictionaryPage.entry(of: bytes, on: $0) }
        }
        let open = snapshot.segments[segment].segment
        let made = SegmentTerm(entry, in: open.key)
        open.terms.keep(made, of: terms[term])
        found[term][segment] = made
      }
    }
    return found.map { $0.compactMap { $0 } }
  }

  /// Returns the postings of a term in segments and in recent documents.
  ///
  /// - Parameters:
  ///   - terms: the term in segments, each with the number of the segment.
  ///   - term: the term that is looked up in recent documents.
  func read(
    _ terms: [(offset: Int, element: SegmentTerm)], recent term: String, withPositions: Bool
  ) throws -> Postings {
    try storage.load(
      terms.map { BlockRequest($0.element, 0..<$0.element.blockCount, withPositions: withPositions) })
    let count = terms.reduce(0) { $0 + ($1.element.entry?.documentFrequency ?? 0) }
    var postings = PostingsAssembler(
      columnCount: columnCount, keepingPositions: withPositions, capacity: withPositions ? 0 : count)
    var decoder = BlockDecoder(columnCount: columnCount)
    for (number, term) in terms {
      let view = snapshot.segments[number]
      for block in 0..<term.blockCount {
        try term.append(
          block: block, base: view.segment.base, withPositions: withPositions, hiding: view.hidden, &decoder,
          to: &postings)
      }
    }
    try appendRecent(term, to: &postings)
    return postings.finish()
  }

  /// Appends the postings of a term in recent documents.
  func appendRecent(_ term: String, to postings: inout PostingsAssembler) throws {
    let bytes = Array(term.utf8)
    for document in snapshot.recent {
      guard let added = document.added, let number = added.terms.number(of: bytes) else { continue }
      try added.withPoslist(number) { try postings.append(document.row, poslist: $0) }
    }
  }
}
