/// The doclists of a term, one per segment: the long ones with bounds, and the others.
struct BoundedTerm {
  let term: String
  fileprivate(set) var long: [BoundedDoclist] = []
  fileprivate(set) var others: [(age: Int, segment: SegmentStructure.Segment)] = []

  fileprivate init(_ term: String) { self.term = term }

  /// The number of leaves with bounds.
  var leafCount: Int { long.reduce(0) { $0 + $1.bounds.leaves.count } }
}

extension PostingsReader {
  func blocks(of term: String, _ reading: LeafReadPolicy) throws -> FoundBlocks? {
    if let known = state.boundedPostings(term) {
      return FoundBlocks(isKnown: true) { try self.list(known, reading) }
    }
    guard let found = try nilIfUnreadable({ try boundedTerm(term, reading) }) else { return nil }
    return FoundBlocks(isKnown: false) {
      try self.nilIfUnreadable { try self.boundedPostings(found, reading).map { try self.list($0, reading) } }
    }
  }

  private func list(_ postings: BoundedPostings, _ reading: LeafReadPolicy) throws -> LeafBlockList {
    LeafBlockList(postings, try makeBudgetedLeafReader(postings.leaves.count, reading))
  }

  /// Returns the doclists of a term.
  ///
  /// - Returns: nil if so few leaves have bounds that reading all doclists completely is as fast.
  /// - Throws: ``DoclistCorruption``, `DatabaseError`.
  func boundedTerm(_ term: String, _ reading: LeafReadPolicy = LeafReadPolicy()) throws -> BoundedTerm? {
    let (segments, leaves) = try (segmentReader(), leafReader())
    var found = BoundedTerm(term)
    let bytes = Array(term.utf8)
    var otherLeafCount = 0
    for (age, segment) in state.segments.enumerated() {
      if let first = try segments.longDoclist(of: bytes, in: segment) {
        if let bounds = try leaves.bounds(from: first, in: segment) {
          if bounds.term == bytes,
            let doclist = BoundedDoclist(bounds, firstLeaf: first, age: age, in: segment)
          {
            found.long.append(doclist)
            continue
          }
        } else {
          otherLeafCount += try segments.leafCount(of: bytes, in: segment)
        }
      }
      found.others.append((age, segment))
    }
    return found.leafCount >= reading.leafCount && otherLeafCount < found.leafCount ? found : nil
  }

  /// Returns the postings of a term for reading leaf by leaf; they are cached with the state of the index.
  ///
  /// - Returns: nil if the row ranges of long doclists overlap.
  /// - Throws: ``BudgetedLeafReader/Exhausted``, ``DoclistCorruption``, `DatabaseError`.
  func boundedPostings(
    _ term: BoundedTerm, _ reading: LeafReadPolicy = LeafReadPolicy()
  ) throws -> BoundedPostings? {
    var others: [(age: Int, postings: Postings)] = []
    for (age, segment) in term.others.reversed() {
      var sink = DoclistSink(columnCount: columnCount, keepingPositions: false, numberingTerms: false)
      try segmentReader().read(.term(Array(term.term.utf8)), in: segment, into: &sink)
      others.append((age, sink.finishUnmerged()))
    }
    let budgetedReader = try makeBudgetedLeafReader(term.leafCount, reading)
    let postings = try BoundedPostings(term.long, others: others, columnCount: columnCount, budgetedReader)
    if let postings { state.leafwise.keep(postings, of: term.term) }
    return postings
  }

  /// Returns a reader with the leaf limit for a term with this number of leaves.
  func makeBudgetedLeafReader(_ leafCount: Int, _ reading: LeafReadPolicy) throws -> BudgetedLeafReader {
    BudgetedLeafReader(try leafReader(), budget: Int(Double(leafCount) * reading.share))
  }

  /// Returns the document frequency of a term.
  ///
  /// - Complexity: O(log n) if long doclists have bounds; otherwise O(n) in the number of documents that contain it.
  func documentFrequency(_ term: String) throws -> Int {
    if !state.postings.holds(PostingsCache.Key(term: term)) {
      let bounded =
        try state.boundedPostings(term)
        ?? nilIfUnreadable { try boundedTerm(term).flatMap { try boundedPostings($0) } }
      if let bounded { return bounded.documentFrequency }
    }
    return try postings(term, withPositions: false).count
  }

  /// Returns the result of `body`, or nil if it exhausts the leaf budget or finds a corrupt doclist. The caller then
  /// reads the doclists completely, and that read reports the corruption.
  func nilIfUnreadable<T>(_ body: () throws -> T?) throws -> T? {
    do {
      return try body()
    } catch is BudgetedLeafReader.Exhausted {
      return nil
    } catch is DoclistCorruption {
      return nil
    }
  }
}
