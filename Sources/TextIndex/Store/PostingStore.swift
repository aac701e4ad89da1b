/// What matching, scoring and bounded reading see of a full-text index in a transaction: posting lists, blocks of them with bounds,
/// and what all transactions in the same state share, see ``SearchState``.
///
/// ``PostingsReader`` reads the tables of FTS5. Another store implements this protocol, ``PostingBlockList`` and
/// ``DocumentLengthSource``; the types that find and score documents (`Evaluation`, `Scoring`) know no other part of it. A method is
/// called once for a term or a block, and returns flat memory that loops read without a call, so the boundary costs nothing per
/// posting.
///
/// The methods throw errors of the store, which its ``MatchReading`` translates.
protocol PostingStore: AnyObject {
  /// How many columns the index has.
  var columnCount: Int { get }

  /// What transactions in the same state share.
  var search: SearchState { get }

  /// Returns the documents that hold a term, from ``SearchState/postings`` or from the store.
  func postings(_ term: String, withPositions: Bool) throws -> Postings

  /// Returns the documents that hold a term which begins with a prefix. A position counts once, however many such terms are there.
  func postings(prefix: String, withPositions: Bool) throws -> Postings

  /// Returns the number of documents that hold a term.
  func documentFrequency(_ term: String) throws -> Int

  /// Finds the blocks of a term.
  ///
  /// - Returns: nil if its posting list has no bounds, or is so short that it should be read as a whole.
  func blocks(of term: String, _ reading: LeafReadPolicy) throws -> FoundBlocks?
}

/// Blocks of a term that a store has found and not read yet.
struct FoundBlocks {
  /// Whether some of them were read before, in the same state of the index.
  let isKnown: Bool
  /// Reads what is needed before the first block; nil if the posting list should be read as a whole.
  let list: () throws -> (any PostingBlockList)?
}

/// When posting lists are read block by block.
struct LeafReadPolicy {
  /// How many blocks long posting lists must have. Fewer are read as fast as they are chosen from.
  var leafCount = 16
  /// How much of them may be read. Beyond that it is better to read all, which is kept in memory then.
  var share = 0.25
  /// How many terms of a query may be read so. Of several common words nearly every block has a document that the bounds, added up, do
  /// not rule out: for `struct AND device` in 1,000,000 documents 445 of 776.
  var termCount = 1
}
