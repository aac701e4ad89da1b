/// The idfs of the phrases of a query, which determine the choice of snippets.
public struct PhraseIDFs: Sendable {
  private var idfs: [CompiledPhrase: Double] = [:]

  /// Creates idfs that are the same for all phrases.
  public init() {}

  /// Computes the idf of each phrase: the highest idf of its terms, as in ``Ranking``.
  ///
  /// - Parameter reader: the index of the query.
  /// - Throws: ``TextIndexError`` for an index that is damaged.
  /// - Complexity: O(p) in the number of postings of the query's terms, which are cached if the query was ranked
  ///   before.
  public init(_ query: FullTextQuery, _ reader: IndexReader) throws {
    var phrases: [CompiledPhrase: Set<CompiledPhrase>] = [:]
    query.match.forEachPositivePhrase(columns: []) { group, _ in
      for (phrase, counted) in zip(group.phrases, group.counted) { phrases[counted, default: []].insert(phrase) }
    }
    // With one phrase there is nothing to choose; with hundreds, the better snippets are not worth the time that
    // computing the idfs takes.
    guard (2...PhraseIDFs.phraseLimit).contains(phrases.count) else { return }
    let statistics = try TermStatistics(reader)
    for (counted, variants) in phrases {
      // A word is at least as common as each of its terms in a column.
      idfs[counted] = try variants.compactMap { try PhraseIDFs.idf(of: $0, statistics) }.min()
    }
  }

  /// Returns the highest idf of the terms.
  private static func idf(of phrase: CompiledPhrase, _ statistics: TermStatistics) throws -> Double? {
    try phrase.positions.enumerated().map { position, forms in
      let term = CompiledPhrase(positions: [forms], isPrefix: phrase.isPrefix && position == phrase.positions.count - 1)
      return statistics.idf(documentFrequency: try statistics.documentFrequency(of: .phrase(term)))
    }.max()
  }

  private static let phraseLimit = 64

  /// Returns the idf of a phrase; 1 if it is unknown. It is positive so that common words count, too.
  subscript(_ phrase: CompiledPhrase) -> Double { max(idfs[phrase] ?? 1, 0.001) }
}
