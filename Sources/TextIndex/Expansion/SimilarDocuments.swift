extension FullTextQuery {
  /// Creates a query for documents similar to a given one: documents that share its most distinctive words.
  ///
  /// The query consists of the words with the highest tf·idf, the frequency of a word in the document times its idf.
  /// The tf·idf, scaled to a maximum of 1, is also the weight of each word in scores. Function words are excluded, as
  /// are words that no other document contains and words in more than half of the documents (a quarter if the index has
  /// no language). The query has at most 25 words, as in Lucene's MoreLikeThis, which also selects by tf·idf. The
  /// document itself is the best match; exclude its row.
  ///
  /// - Parameters:
  ///   - terms: the terms of the document.
  ///   - fields: names of the fields to search in; nil for all.
  ///   - reader: the index to search.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt or is damaged.
  /// - Complexity: O(p) in the number of postings of all words of the document, which are read for their document
  ///   frequencies. A ``TermCounter`` limits the text to 64 KiB.
  public init(like terms: TermCounts, fields: [String]? = nil, in reader: IndexReader) throws {
    let index = reader.index
    try index.requireCurrent()
    let statistics = try TermStatistics(reader)
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

  /// The maximum number of words in the query.
  private static let similarTermLimit = 25
}
