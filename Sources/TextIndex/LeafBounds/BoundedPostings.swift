import Synchronization

/// The postings of a term, of which those leaves of long doclists are read that are asked for: each has a bound of the frequencies on
/// it. Short doclists, and those without bounds, are read as a whole.
///
/// It belongs to a state of an index. What is read of it is kept.
final class BoundedPostings: Sendable {
  /// The leaves of all long doclists, in the order of their rows; no row can be on two of them.
  let leaves: [Leaf]
  /// What stands in the other doclists.
  let whole: Postings
  /// How many documents hold the term.
  let documentFrequency: Int

  struct Leaf {
    let doclist: BoundedDoclist
    /// Its place in the bounds of the doclist.
    let leafIndex: Int
    var firstRow: UInt32 { doclist.bounds.leaves[leafIndex].firstRow }
    var lastRow: UInt32 { doclist.lastRow(leafIndex) }
  }

  /// Rows of long doclists for which younger segments say what holds, in order.
  private let superseded: [UInt32]
  private let known = Mutex<[Int: Postings]>([:])
  /// Those of the rankings that were asked for last, the latest first.
  private let leafScoreBounds = Mutex<[LeafScoreBounds]>([])

  /// - Parameters:
  ///   - doclists: the long doclists of the term.
  ///   - others: its other doclists, the oldest first, delete markers among them, each with the number of younger segments.
  ///   - budgetedReader: reads leaves.
  /// - Returns: nil where long doclists have rows between those of others.
  /// - Throws: ``BudgetedLeafReader/Exhausted``, ``DoclistCorruption``, `DatabaseError`.
  init?(
    _ doclists: [BoundedDoclist], others: [(age: Int, postings: Postings)], columnCount: Int,
    _ budgetedReader: BudgetedLeafReader
  ) throws {
    let doclists = doclists.sorted { $0.firstRow < $1.firstRow }
    for (one, next) in zip(doclists, doclists.dropFirst()) where one.lastRow >= next.firstRow { return nil }
    var overlay = DoclistMerger(doclists, columnCount: columnCount, budgetedReader)
    try overlay.add(others)
    let rest = overlay.finish()
    leaves = doclists.flatMap { doclist in
      doclist.bounds.leaves.indices.map { Leaf(doclist: doclist, leafIndex: $0) }
    }
    (whole, superseded) = (rest.whole, rest.superseded)
    documentFrequency =
      whole.count + doclists.reduce(0) { $0 + $1.bounds.documentCount } - rest.supersededDocumentCount
  }

  /// Bytes of memory.
  var size: Int {
    known.withLock { $0.values.reduce(whole.size) { $0 + $1.size } } + leaves.count * MemoryLayout<Leaf>.size * 2
  }

  /// No document has a higher row.
  var lastRow: Int { max(whole.lastRow, leaves.last.map { Int($0.lastRow) } ?? -1) }

  /// The documents on a leaf.
  ///
  /// - Throws: ``BudgetedLeafReader/Exhausted``, ``DoclistCorruption``, `DatabaseError`.
  func postings(_ number: Int, _ budgetedReader: BudgetedLeafReader) throws -> Postings {
    if let postings = known.withLock({ $0[number] }) { return postings }
    let leaf = leaves[number]
    let postings = try budgetedReader.postings(leaf.doclist, leaf.leafIndex).filtered { row, frequencies in
      frequencies != 0 && (superseded.isEmpty || !superseded.containsSorted(row))
    }
    return known.withLock { known in
      // Another thread may have read the same leaf.
      let kept = known[number] ?? postings
      known[number] = kept
      return kept
    }
  }

  /// What the leaves may have at best.
  ///
  /// - Returns: nil where the bounds say too little for the ranking.
  func leafScoreBounds(_ scorer: Scorer) -> LeafScoreBounds? {
    if let known = leafScoreBounds.withLock({ $0.first { $0.ranking == scorer.ranking } }) { return known }
    guard let made = LeafScoreBounds(leaves, scorer) else { return nil }
    leafScoreBounds.withLock { $0 = [made] + $0.prefix(ResolvedRanking.keptCount - 1) }
    return made
  }
}

/// What the documents on leaves can get at best by a ranking.
final class LeafScoreBounds: Sendable {
  let ranking: ResolvedRanking
  /// For each leaf the highest saturation that a document on it may have, see ``Scorer``; 0 where there is no document on it.
  let saturations: [Double]
  /// The leaves that have documents, those with the highest saturation first.
  let order: [Int]

  fileprivate init?(_ leaves: [BoundedPostings.Leaf], _ scorer: Scorer) {
    var saturations: [Double] = []
    for leaf in leaves {
      let bounds = leaf.doclist.bounds
      guard let factor = bounds.normalization.factor(to: scorer.normalization), factor <= LeafScoreBounds.largestFactor
      else { return nil }
      let frequency = Double(bounds.leaves[leaf.leafIndex].frequency) * factor
      // With a k1 of 0 the formula has no value for a leaf of delete markers alone.
      let saturation = frequency > 0 ? scorer.saturation(ofFrequency: frequency) : 0
      saturations.append(saturation * LeafScoreBounds.rounding)
    }
    ranking = scorer.ranking
    self.saturations = saturations
    order = saturations.indices.filter { saturations[$0] > 0 }.sorted { saturations[$0] > saturations[$1] }
  }

  /// With a larger factor, see ``LengthNormalization``, bounds spare nothing.
  private static let largestFactor = 1.5
  /// More than what is lost when numbers are rounded.
  private static let rounding = 1 + 1e-9
}
