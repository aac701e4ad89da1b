/// When doclists are read leaf by leaf.
struct LeafwiseReading {
  /// In how many leaves long doclists must be. Fewer are read as fast as they are chosen from.
  var leafCount = 16
  /// How much of them may be read. Beyond that it is better to read all, which is kept in memory then.
  var share = 0.25
  /// How many terms of a query may be read so. Of several common words nearly every leaf has a document that the bounds, added up, do
  /// not rule out: for `struct AND device` in 1,000,000 documents 445 of 776.
  var termCount = 1
}

/// The doclists of a term, a segment each: long ones with bounds, and others.
struct BoundedTerm {
  let term: [UInt8]
  fileprivate(set) var long: [BoundedDoclist] = []
  fileprivate(set) var others: [(age: Int, segment: SegmentStructure.Segment)] = []

  fileprivate init(_ term: [UInt8]) { self.term = term }

  /// How many leaves have bounds.
  var leafCount: Int { long.reduce(0) { $0 + $1.bounds.leaves.count } }
}

extension PostingsReader {
  /// The doclists of a term.
  ///
  /// - Returns: nil where few leaves have bounds, so that reading all is as good.
  /// - Throws: ``DoclistDamage``, `DatabaseError`.
  func boundedTerm(_ term: String, _ reading: LeafwiseReading = LeafwiseReading()) throws -> BoundedTerm? {
    let (segments, leaves) = try (segmentReader(), leafReader())
    var found = BoundedTerm(Array(term.utf8))
    var otherLeafCount = 0
    for (age, segment) in state.segments.enumerated() {
      if let first = try segments.longDoclist(of: found.term, in: segment) {
        if let bounds = try leaves.bounds(from: first, in: segment) {
          if bounds.term == found.term,
            let doclist = BoundedDoclist(bounds, firstLeaf: first, age: age, in: segment)
          {
            found.long.append(doclist)
            continue
          }
        } else {
          otherLeafCount += try segments.leafCount(of: found.term, in: segment)
        }
      }
      found.others.append((age, segment))
    }
    return found.leafCount >= reading.leafCount && otherLeafCount < found.leafCount ? found : nil
  }

  /// The postings of a term, to be read leaf by leaf.
  ///
  /// - Parameter scorer: tells what the bounds are with its ranking.
  /// - Returns: nil where bounds cannot be used.
  /// - Throws: ``LeafReadings/Exhausted``, ``DoclistDamage``, `DatabaseError`.
  func boundedPostings(
    _ term: BoundedTerm, _ scorer: Scorer, _ reading: LeafwiseReading = LeafwiseReading()
  ) throws -> BoundedPostings? {
    var others: [(age: Int, postings: Postings)] = []
    for (age, segment) in term.others.reversed() {
      var sink = DoclistSink(columnCount: columnCount, keepingPositions: false, numberingTerms: false)
      try segmentReader().read(.term(term.term), in: segment, into: &sink)
      others.append((age, sink.finishUnjoined()))
    }
    let readings = LeafReadings(try leafReader(), budget: Int(Double(term.leafCount) * reading.share))
    return try BoundedPostings(term.long, others: others, columnCount: columnCount, scorer, readings)
  }

  /// The postings of those of some terms that are worth being read leaf by leaf: they are not in memory, were not asked for before, and
  /// have long doclists.
  ///
  /// - Returns: nil where they are more than are read so, and where all had better be read as a whole.
  /// - Throws: `DatabaseError`.
  func boundedPostings(
    _ terms: [String], _ scorer: Scorer, _ reading: LeafwiseReading
  ) throws -> [String: BoundedPostings]? {
    try orNil {
      var found: [String: BoundedTerm] = [:]
      for term in terms where !state.postings.holds(.init(term: term)) && !state.notes.wasSearched(term) {
        found[term] = try boundedTerm(term, reading)
        guard found.count <= reading.termCount else { return nil }
      }
      return try found.compactMapValues { try boundedPostings($0, scorer, reading) }
    }
  }

  /// In how many documents a term stands.
  ///
  /// - Complexity: O(log n) where long doclists have bounds; otherwise that of reading them.
  func documentFrequency(_ term: String) throws -> Int {
    let key = PostingsCache.Key(term: term)
    if !state.postings.holds(key) {
      if let known = state.notes.documentFrequency(of: term) { return known }
      if let postings = try orNil({ try boundedTerm(term).flatMap { try boundedPostings($0, scorer()) } }) {
        state.notes.note(term, documentFrequency: postings.documentFrequency, isSearched: false)
        return postings.documentFrequency
      }
    }
    return try postings(term, withPositions: false).count
  }

  /// The result of reading by bounds; nil where the doclists had better be read as a whole. That is so for damaged ones, too: what is
  /// wrong is told by who reads all.
  func orNil<T>(_ body: () throws -> T?) throws -> T? {
    do {
      return try body()
    } catch is LeafReadings.Exhausted {
      return nil
    } catch is DoclistDamage {
      return nil
    }
  }
}
