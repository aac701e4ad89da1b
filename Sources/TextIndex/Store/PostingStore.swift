/// Access to a full-text index in a transaction, for matching, scoring and bounded search: posting lists, blocks with
/// score bounds, and the ``SearchState`` that transactions share.
///
/// ``PostingsReader`` reads the tables of FTS5. Another store would implement this protocol, ``PostingBlockList`` and
/// ``DocumentLengthSource``; the types that find and score documents (`MatchEvaluation`, `Scoring`) depend on nothing
/// else. A method is called once per term or block and returns flat memory that loops read directly, so the abstraction
/// has no cost per posting.
///
/// The methods throw errors of the store, which ``MatchReading`` translates.
package protocol PostingStore: AnyObject {
  /// The number of columns of the index.
  var columnCount: Int { get }

  /// The data shared by transactions that see the same state.
  var search: SearchState { get }

  /// Returns the posting list of a term, from ``SearchState/postings`` or from the store.
  func postings(_ term: String, withPositions: Bool) throws -> Postings

  /// Returns the merged posting list of all terms with a prefix. A position counts once, even if several of the terms
  /// occur at it.
  func postings(prefix: String, withPositions: Bool) throws -> Postings

  /// Returns the document frequency of a term.
  func documentFrequency(_ term: String) throws -> Int

  /// Whether ``prepare(_:readingPostings:)`` makes later reads faster, and ``positions(of:in:)`` reads fewer positions
  /// than ``postings(_:withPositions:)``.
  var readsTermsTogether: Bool { get }

  /// Reads the dictionary entries of terms that will be requested, and their postings if they will be read as a whole.
  func prepare(_ terms: [ExpectedTerm], readingPostings: Bool) throws

  /// Returns the postings of terms with positions, at least those of some documents; they may contain others.
  ///
  /// - Parameter rows: the rows of the documents, ascending.
  func positions(of terms: [String], in rows: [UInt32]) throws -> [Postings]

  /// Finds the blocks of a term.
  ///
  /// - Returns: nil if the posting list has no bounds, or is short enough to be read as a whole.
  func blocks(of term: String, _ reading: LeafReadPolicy) throws -> FoundBlocks?
}

extension PostingStore {
  package var readsTermsTogether: Bool { false }

  package func prepare(_ terms: [ExpectedTerm], readingPostings: Bool) throws {}

  package func positions(of terms: [String], in rows: [UInt32]) throws -> [Postings] {
    try terms.map { try postings($0, withPositions: true) }
  }
}

/// A term that a search will request.
package struct ExpectedTerm: Hashable {
  /// The documents whose positions will be requested.
  package enum Positions: Hashable {
    case none
    /// Those of the documents that contain all words of a phrase.
    case candidates
    case all
  }

  package let text: String
  package let positions: Positions
}

/// The blocks of a term that a store has located but not yet read.
package struct FoundBlocks {
  /// Whether some of them have already been read in the same state of the index.
  package let isKnown: Bool
  /// Prepares the blocks for reading; returns nil if the posting list should be read as a whole.
  package let list: () throws -> (any PostingBlockList)?

  package init(isKnown: Bool, list: @escaping () throws -> (any PostingBlockList)?) {
    self.isKnown = isKnown
    self.list = list
  }
}

/// The conditions for reading posting lists block by block.
package struct LeafReadPolicy {
  /// The minimum number of blocks. Selecting among fewer takes as long as reading them.
  package var leafCount = 16
  /// The maximum fraction of blocks to read. Beyond it, reading the whole list is better because the result is cached.
  package var share = 0.25
  /// The maximum number of terms of a query that are read this way. With several common words, the summed bounds
  /// exclude too few blocks: `struct AND device` in 1,000,000 documents needs 445 of 776 blocks.
  package var termCount = 1
}
