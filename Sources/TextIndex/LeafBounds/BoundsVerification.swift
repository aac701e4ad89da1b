import GRDB

/// Checks the stored bounds of an index against its doclists.
struct BoundsVerification {
  let index: StoredFullTextIndex
  let db: Database

  /// Returns a description of the first problem, or nil. Missing bounds are not a problem.
  ///
  /// - Throws: ``FTS5FallbackRequired``, ``DoclistCorruption``, `DatabaseError`.
  /// - Complexity: O(p) in the number of postings of long doclists.
  func problem() throws -> String? {
    let reader = try PostingsReader(index, db)
    let scorer = reader.state.scorer(try ResolvedRanking(index.definition.ranking, for: index))
    for (age, segment) in reader.state.segments.enumerated() {
      for leaf in try reader.segmentReader().longDoclists(of: segment) {
        guard try isIntact(age, leaf, reader, scorer) else {
          return "its score bounds do not match its documents; optimize it"
        }
      }
    }
    return nil
  }

  private func isIntact(_ age: Int, _ leaf: Int64, _ reader: PostingsReader, _ scorer: Scorer) throws -> Bool {
    let segment = reader.state.segments[age]
    let (segments, leaves) = try (reader.segmentReader(), reader.leafReader())
    guard try leaves.hasBounds(from: leaf, in: segment) else { return true }
    let term = try leaves.lastTerm(on: leaf, in: segment)
    guard let stored = try leaves.bounds(from: leaf, in: segment), stored.term == term,
      BoundedDoclist(stored, firstLeaf: leaf, age: age, in: segment) != nil
    else {
      return false
    }
    var younger = DoclistSink(columnCount: reader.columnCount, keepingPositions: false, numberingTerms: false)
    for other in reader.state.segments[..<age] { try segments.read(.term(term), in: other, into: &younger) }
    let superseded = Set(younger.finishUnmerged().rowList).sorted()
    var sink = BoundsSink(columnCount: reader.columnCount, firstLeaf: leaf)
    try segments.read(.term(term), in: segment, into: &sink)
    guard let actual = sink.finish(term, scorer, superseded: superseded) else { return false }
    // If the ranking of the definition has changed, the bounds may be unusable for the new ranking.
    return stored.isBound(of: actual, times: stored.normalization.factor(to: scorer.normalization) ?? .infinity)
  }
}

extension DoclistBounds {
  /// Returns whether the bounds, multiplied by a factor, are not below the exact bounds of the same doclist.
  fileprivate func isBound(of actual: DoclistBounds, times factor: Double) -> Bool {
    documentCount == actual.documentCount && lastRow == actual.lastRow && leaves.count == actual.leaves.count
      && zip(leaves, actual.leaves).allSatisfy { $0.isBound(of: $1, times: factor) }
  }
}

extension DoclistBounds.Leaf {
  fileprivate func isBound(of actual: DoclistBounds.Leaf, times factor: Double) -> Bool {
    guard number == actual.number, firstRow == actual.firstRow else { return false }
    // The exact bounds are rounded up, too.
    return factor == .infinity
      || Double(frequency) * factor >= Double(actual.frequency.nextDown.nextDown) * (1 - 1e-9)
  }
}
