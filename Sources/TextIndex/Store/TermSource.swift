/// The terms of an index in a transaction, by prefix or similarity.
///
/// A list contains the requested terms and may contain others, so that a store can return what it has in memory. It may
/// contain terms whose last document was deleted, and its document frequencies are estimates: look up the postings of a
/// term before showing it. It contains stems as well as words; see ``SurfaceForms``.
///
/// The methods throw ``TextIndexError`` for an index that is damaged or whose terms cannot be listed, and errors of the
/// store.
package protocol TermSource: AnyObject {
  /// Returns terms, including those with a prefix.
  func terms(beginningWith prefix: [UInt8]) throws -> TermList

  /// Returns terms, including those that an automaton accepts or that begin with an accepted string.
  func terms(near automaton: LevenshteinAutomaton) throws -> TermList

  /// Returns terms, including those that a search accepts.
  func terms(acceptedBy search: TypoSearch) throws -> TermList

  /// Counts the terms with a prefix in one pass.
  ///
  /// - Parameters:
  ///   - terms: the terms of the index.
  ///   - range: the numbers of the terms with the prefix.
  /// - Returns: the frequencies of each term of the range; nil if the store cannot read the posting lists.
  /// - Complexity: O(n) in the length of their posting lists.
  func frequencies(prefix: String, _ terms: TermList, _ range: Range<Int>) throws -> [ScannedFrequencies]?
}

/// The frequencies of a term, counted in the same pass as those of adjacent terms.
package struct ScannedFrequencies {
  /// The document frequency.
  package var documents = 0
  /// The collection frequency.
  package var occurrences = 0
  /// Whether the counts are exact.
  package var isCertain = true

  package init(documents: Int = 0, occurrences: Int = 0) {
    self.documents = documents
    self.occurrences = occurrences
  }
}
