import Synchronization

/// The postings of a term. Each leaf of a long doclist has an upper bound on its frequencies and is read on demand.
/// Short doclists and doclists without bounds are read completely.
///
/// The postings belong to one state of an index. Leaves that have been read are cached.
final class BoundedPostings: BlockwisePostings {
  /// The leaves of all long doclists in row order; no two of them contain the same row.
  let leaves: [Leaf]
  /// The row ranges of the leaves.
  let blocks: [PostingBlock]
  /// The postings of the other doclists.
  let whole: Postings
  /// The document frequency of the term.
  let documentFrequency: Int

  struct Leaf {
    let doclist: BoundedDoclist
    /// Its index in the bounds of the doclist.
    let leafIndex: Int
    var firstRow: UInt32 { doclist.bounds.leaves[leafIndex].firstRow }
    var lastRow: UInt32 { doclist.lastRow(leafIndex) }
  }

  /// Rows of long doclists that younger segments supersede, ascending.
  private let superseded: [UInt32]
  private let known = Mutex<[Int: Postings]>([:])
  /// The bounds for the most recently used rankings, latest first.
  private let bounds = Mutex<[BlockBounds]>([])

  /// - Parameters:
  ///   - doclists: the long doclists of the term.
  ///   - others: its other doclists, oldest first, including delete markers, each with the number of younger segments.
  ///   - budgetedReader: reads leaves.
  /// - Returns: nil if the row ranges of long doclists overlap.
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
    blocks = leaves.map { PostingBlock(firstRow: $0.firstRow, lastRow: $0.lastRow) }
    (whole, superseded) = (rest.whole, rest.superseded)
    documentFrequency =
      whole.count + doclists.reduce(0) { $0 + $1.bounds.documentCount } - rest.supersededDocumentCount
  }

  /// The size in bytes.
  var size: Int {
    let leafSize = 2 * MemoryLayout<Leaf>.size + MemoryLayout<PostingBlock>.size
    return known.withLock { $0.values.reduce(whole.size) { $0 + $1.size } } + leaves.count * leafSize
  }

  /// Returns the documents on a leaf.
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

  /// Returns upper bounds on the scores of the leaves.
  ///
  /// - Returns: nil if the bounds are too loose for the ranking.
  func bounds(_ scorer: Scorer) -> BlockBounds? {
    if let known = bounds.withLock({ $0.first { $0.ranking == scorer.ranking } }) { return known }
    let frequencies = leaves.lazy.map { leaf in
      let bounds = leaf.doclist.bounds
      return BlockFrequency(
        maximum: Double(bounds.leaves[leaf.leafIndex].frequency), normalization: bounds.normalization)
    }
    guard let computed = BlockBounds(frequencies, scorer) else { return nil }
    bounds.withLock { $0 = [computed] + $0.prefix(ResolvedRanking.keptCount - 1) }
    return computed
  }
}

/// The long doclists of a term in a transaction, with one block per leaf.
final class LeafBlockList: PostingBlockList {
  private let postings: BoundedPostings
  private let budgetedReader: BudgetedLeafReader

  init(_ postings: BoundedPostings, _ budgetedReader: BudgetedLeafReader) {
    self.postings = postings
    self.budgetedReader = budgetedReader
  }

  var blocks: [PostingBlock] { postings.blocks }
  var rest: Postings { postings.whole }
  var documentFrequency: Int { postings.documentFrequency }

  func bounds(_ scorer: Scorer) -> BlockBounds? { postings.bounds(scorer) }

  func postings(ofBlock number: Int) throws -> Postings {
    do {
      return try postings.postings(number, budgetedReader)
    } catch is BudgetedLeafReader.Exhausted {
      throw BlocksUnavailable()
    } catch is DoclistCorruption {
      // Damage is reported when the list is read as a whole.
      throw BlocksUnavailable()
    }
  }
}
