public import GRDB

/// The idf of the phrases of a query, by which snippets are chosen.
public struct PhraseIDFs: Sendable {
  private var idfs: [CompiledPhrase: Double] = [:]

  /// All phrases count the same.
  public init() {}

  /// The idfs of a query's phrases: the highest idf of each phrase's terms, as in ``Ranking``.
  ///
  /// - Parameter db: a connection in a read transaction.
  /// - Complexity: that of reading the doclists of the query's terms, which are in memory where it was ranked just now.
  public init(_ query: FullTextQuery, _ db: Database) throws {
    var phrases: [CompiledPhrase: Set<CompiledPhrase>] = [:]
    query.match.forEachPositivePhrase(columns: []) { group, _ in
      for (phrase, counted) in zip(group.phrases, group.counted) { phrases[counted, default: []].insert(phrase) }
    }
    // One phrase alone, or hundreds: no choice, or one that costs more than it is worth.
    guard (2...PhraseIDFs.phraseLimit).contains(phrases.count) else { return }
    let statistics = try TermStatistics(query.index, db)
    for (counted, variants) in phrases {
      // A word is at least as common as each of the terms that it is somewhere.
      idfs[counted] = try variants.compactMap { try PhraseIDFs.idf(of: $0, statistics) }.min()
    }
  }

  /// The highest idf of the terms.
  private static func idf(of phrase: CompiledPhrase, _ statistics: TermStatistics) throws -> Double? {
    try phrase.positions.enumerated().map { position, forms in
      let term = CompiledPhrase(positions: [forms], isPrefix: phrase.isPrefix && position == phrase.positions.count - 1)
      return statistics.idf(documentFrequency: try statistics.documentFrequency(of: .phrase(term)))
    }.max()
  }

  private static let phraseLimit = 64

  /// The idf of a phrase: 1 if unknown. It is above 0, so that a common word still counts.
  subscript(_ phrase: CompiledPhrase) -> Double { max(idfs[phrase] ?? 1, 0.001) }
}
