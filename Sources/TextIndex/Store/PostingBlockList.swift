/// The posting list of a term in a transaction, in blocks that are read one by one, each with the rows that it may have and a bound of
/// the scores in it.
protocol PostingBlockList: AnyObject {
  /// The blocks, in the order of their rows. No row can be in two of them.
  var blocks: [PostingBlock] { get }

  /// The postings that are in no block.
  var rest: Postings { get }

  /// The document frequency of the term.
  var documentFrequency: Int { get }

  /// Returns the bounds of the blocks for a ranking; nil if what is stored says too little for it.
  func bounds(_ scorer: Scorer) -> BlockBounds?

  /// Returns the postings of a block.
  ///
  /// - Throws: ``BlocksUnavailable`` if the list should be read as a whole, errors of the store.
  func postings(ofBlock number: Int) throws -> Postings
}

/// Thrown if so many blocks are asked for, or one is damaged in such a way, that the posting list must be read as a whole.
struct BlocksUnavailable: Error {}

/// The rows that a block may have.
struct PostingBlock {
  let firstRow: UInt32
  let lastRow: UInt32
}

extension PostingBlockList {
  /// No document of the list has a higher row.
  var lastRow: Int { max(rest.lastRow, blocks.last.map { Int($0.lastRow) } ?? -1) }
}

/// An upper bound of the frequencies in a block, weighted and normalized as ``Ranking`` does.
struct BlockFrequency {
  let maximum: Double
  /// What the frequency was computed with.
  let normalization: LengthNormalization
}

/// Upper bounds of what the documents of blocks score by a ranking.
final class BlockBounds: Sendable {
  let ranking: ResolvedRanking
  /// For each block the highest saturation that a document in it may have, see ``Scorer``; 0 if there is no document in it.
  let saturations: [Double]
  /// The blocks that have documents, those with the highest saturation first.
  let order: [Int]

  /// - Returns: nil if the frequencies say too little for the ranking.
  init?(_ frequencies: some Sequence<BlockFrequency>, _ scorer: Scorer) {
    var saturations: [Double] = []
    for bound in frequencies {
      guard let factor = bound.normalization.factor(to: scorer.normalization), factor <= BlockBounds.largestFactor
      else { return nil }
      let frequency = bound.maximum * factor
      // With a k1 of 0 the formula has no value for a block of delete markers alone.
      let saturation = frequency > 0 ? scorer.saturation(ofFrequency: frequency) : 0
      saturations.append(saturation * BlockBounds.rounding)
    }
    ranking = scorer.ranking
    self.saturations = saturations
    order = saturations.indices.filter { saturations[$0] > 0 }.sorted { saturations[$0] > saturations[$1] }
  }

  /// With a larger factor, see ``LengthNormalization``, bounds exclude nothing.
  private static let largestFactor = 1.5
  /// More than what is lost when numbers are rounded.
  private static let rounding = 1 + 1e-9
}
