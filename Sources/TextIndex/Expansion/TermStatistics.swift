import TextAnalysis

/// The document frequencies of the terms in an index.
struct TermStatistics {
  /// The number of documents in the index.
  let documentCount: Int
  private let index: StoredFullTextIndex
  private let counter: TermFrequencies

  init(_ reader: IndexReader) throws {
    index = reader.index
    counter = TermFrequencies(reader)
    // The postings of the terms are needed in any case, and transactions that see the same state share its totals.
    let shared = try reader.reading { Int(clamping: $0.search.totals.rowCount) }
    documentCount = try shared ?? reader.documentCount()
  }

  /// Returns the document frequency of a term.
  func documentFrequency(of match: CompiledMatch) throws -> Int { try counter.documentFrequency(of: match) }

  /// Returns the collection frequency of a term; its document frequency, a lower bound, if the term has several forms
  /// or only FTS5 can read the index.
  func collectionFrequency(of term: QueriedTerm) throws -> Int {
    if case .phrase(let phrase) = term.match, phrase.positions.count == 1, phrase.positions[0].count == 1,
      let count = try counter.occurrences(phrase.positions[0][0])
    {
      return count
    }
    return try documentFrequency(of: term.match)
  }

  /// Returns whether a term with this document frequency distinguishes documents. The limit is half of the documents if
  /// the function words of the language are known, and otherwise a quarter, which excludes most function words. On the
  /// Cranfield collection without a language, feedback is equally effective with either limit.
  func isDiscriminative(documentFrequency: Int) -> Bool {
    let share = index.groups.allSatisfy(\.hasStems) ? 2 : 4
    return documentFrequency <= max(TermStatistics.fewDocuments, documentCount / share)
  }

  /// Terms in at most this many documents are always discriminative: in a small index, the fraction is not meaningful.
  private static let fewDocuments = 10

  /// Returns the idf of a term with this document frequency, as in ``Ranking``.
  func idf(documentFrequency: Int) -> Double {
    Scorer.idf(documentFrequency: documentFrequency, documentCount: documentCount)
  }
}
