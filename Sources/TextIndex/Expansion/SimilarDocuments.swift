public import GRDB

extension FullTextQuery {
  /// A query for documents like another one: those that share its most telling words.
  ///
  /// The words are those with the highest tf·idf, the frequency of a word in the document times its idf, and tf·idf is also
  /// the weight of each in the scores; the largest is 1. Left out are function words, words that no other document has, and those
  /// in more than half of the documents, without a language in more than a quarter.
  /// A query has 25 words at most, as that of Lucene's MoreLikeThis, which chooses by tf·idf too. The document itself is the most
  /// similar one: leave its row out.
  ///
  /// - Parameters:
  ///   - terms: the terms of the document.
  ///   - fields: names of the fields to search in; nil for all.
  ///   - index: where.
  ///   - db: a connection in a read transaction.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt or is damaged.
  /// - Complexity: the doclist of every word of the document is read: which are rare is known from nothing else. A ``TermCounter``
  ///   takes no more than 64 KiB of text.
  public init(like terms: TermCounts, fields: [String]? = nil, in index: StoredFullTextIndex, _ db: Database) throws {
    try index.requireCurrent()
    let statistics = try TermStatistics(index, db)
    var weighted: [(term: QueriedTerm, weight: Double)] = []
    for (term, count) in terms.counts {
      let frequency = try statistics.documentFrequency(of: term.match)
      if frequency > 1, statistics.isDiscriminative(documentFrequency: frequency) {
        weighted.append((term, Double(count) * statistics.idf(documentFrequency: frequency)))
      }
    }
    weighted.sort { ($0.weight, $1.term.text) > ($1.weight, $0.term.text) }
    let largest = weighted.first?.weight ?? 1
    let match = CompiledMatch.any(
      weighted.prefix(FullTextQuery.similarTermLimit).map { .weighted($0.term.match, $0.weight / largest) })
    let columns = try fields?.map { try index.requiredColumn($0) }
    self.init(compiled: columns.map { match == .nothing ? .nothing : .columns($0, match) } ?? match, in: index)
  }

  /// How many words of a document a query is made of.
  private static let similarTermLimit = 25
}
