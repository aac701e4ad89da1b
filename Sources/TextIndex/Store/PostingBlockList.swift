/// The posting list of a term in a transaction, as blocks that are read individually. Each block has a range of rows
/// and an upper bound on its scores.
package protocol PostingBlockList: AnyObject {
  /// The blocks in row order. They do not overlap.
  var blocks: [PostingBlock] { get }

  /// The postings that are not in a block.
  var rest: Postings { get }

  /// The document frequency of the term.
  var documentFrequency: Int { get }

  /// Returns the score bounds of the blocks for a ranking; nil if the stored bounds are too loose for it.
  func bounds(_ scorer: Scorer) -> BlockBounds?

  /// Returns the postings of a block.
  ///
  /// - Throws: ``BlocksUnavailable`` if the list should be read as a whole, errors of the store.
  func postings(ofBlock number: Int) throws -> Postings
}

/// Thrown if the posting list must be read as a whole, because too many blocks were requested or a block is damaged.
package struct BlocksUnavailable: Error {
  package init() {}
}

/// The range of rows that a block can contain.
package struct PostingBlock: Sendable {
  package let firstRow: UInt32
  package let lastRow: UInt32

  package init(firstRow: UInt32, lastRow: UInt32) {
    self.firstRow = firstRow
    self.lastRow = lastRow
  }
}

extension PostingBlockList {
  /// An upper bound on the rows of the list.
  var lastRow: Int { max(rest.lastRow, blocks.last.map { Int($0.lastRow) } ?? -1) }
}

/// An upper bound on the frequencies in a block, weighted and normalized as in ``Ranking``.
package struct BlockFrequency {
  package let maximum: Double
  /// The parameters with which it was computed.
  package let normalization: LengthNormalization

  package init(maximum: Double, normalization: LengthNormalization) {
    self.maximum = maximum
    self.normalization = normalization
  }
}

/// Upper bounds on the scores of the documents in blocks, for one ranking.
package final class BlockBounds: Sendable {
  package let ranking: ResolvedRanking
  /// The highest possible saturation in each block (see ``Scorer``); 0 if the block contains no document.
  package let saturations: [Double]
  /// The nonempty blocks in descending order of saturation.
  package let order: [Int]

  /// - Returns: nil if the frequency bounds are too loose for the ranking.
  package init?(_ frequencies: some Sequence<BlockFrequency>, _ scorer: Scorer) {
    var saturations: [Double] = []
    for bound in frequencies {
      guard let factor = bound.normalization.factor(to: scorer.normalization), factor <= BlockBounds.largestFactor
      else { return nil }
      let frequency = bound.maximum * factor
      // If k1 is 0, the formula is undefined for a block that contains only delete markers.
      let saturation = frequency > 0 ? scorer.saturation(ofFrequency: frequency) : 0
      saturations.append(saturation * BlockBounds.rounding)
    }
    ranking = scorer.ranking
    self.saturations = saturations
    order = saturations.indices.filter { saturations[$0] > 0 }.sorted { saturations[$0] > saturations[$1] }
  }

  /// The largest factor; see ``LengthNormalization``. With a larger one, bounds are too loose to skip blocks.
  private static let largestFactor = 1.5
  /// Compensates for rounding errors.
  private static let rounding = 1 + 1e-9
}
