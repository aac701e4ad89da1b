/// The posting list of a term in a transaction, as blocks that are read individually. Each block has a range of rows
/// and an upper bound on its scores.
protocol PostingBlockList: AnyObject {
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
struct BlocksUnavailable: Error {}

/// The range of rows that a block can contain.
struct PostingBlock {
  let firstRow: UInt32
  let lastRow: UInt32
}

extension PostingBlockList {
  /// An upper bound on the rows of the list.
  var lastRow: Int { max(rest.lastRow, blocks.last.map { Int($0.lastRow) } ?? -1) }
}

/// An upper bound on the frequencies in a block, weighted and normalized as in ``Ranking``.
struct BlockFrequency {
  let maximum: Double
  /// The parameters with which it was computed.
  let normalization: LengthNormalization
}

/// Upper bounds on the scores of the documents in blocks, for one ranking.
final class BlockBounds: Sendable {
  let ranking: ResolvedRanking
  /// The highest possible saturation in each block (see ``Scorer``); 0 if the block contains no document.
  let saturations: [Double]
  /// The nonempty blocks in descending order of saturation.
  let order: [Int]

  /// - Returns: nil if the frequency bounds are too loose for the ranking.
  init?(_ frequencies: some Sequence<BlockFrequency>, _ scorer: Scorer) {
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
