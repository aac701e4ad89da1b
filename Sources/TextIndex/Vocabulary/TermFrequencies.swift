import DocumentStore

/// Counts the exact document and collection frequencies of terms in a transaction.
struct TermFrequencies {
  private let reader: IndexReader

  init(_ reader: IndexReader) { self.reader = reader }

  /// Returns the number of documents that match.
  func documentFrequency(of match: CompiledMatch) throws -> Int {
    // Most terms have one form, and their postings are cached.
    if case .phrase(let term) = match, term.positions.count == 1, term.positions[0].count == 1 {
      let form = term.positions[0][0]
      let count = try reader.reading {
        try term.isPrefix ? $0.postings(prefix: form, withPositions: false).count : $0.documentFrequency(form)
      }
      if let count { return count }
    }
    return try FullTextQuery(compiled: match, in: reader.index).matches(reader).count
  }

  /// Returns the document frequency of a term.
  ///
  /// - Parameters:
  ///   - columns: the columns that must contain it; nil for any.
  ///   - context: an additional condition on the documents (see ``context(_:)``); nil for none.
  func documentFrequency(_ term: String, columns: [Int]? = nil, context: Context? = nil) throws -> Int {
    let phrase = CompiledMatch.phrase(CompiledPhrase(positions: [[term]]))
    let match = columns.map { CompiledMatch.columns($0, phrase) } ?? phrase
    switch context {
    case nil: return try documentFrequency(of: match)
    case .query(let query): return try documentFrequency(of: .and([query.match, match]))
    case .rows(let rows):
      // The rows were read from this index in the same transaction, so the search is not nil.
      let search = try reader.reading { try MatchSearch(match, $0) }
      let count = search.map { $0.all(nil).intersection(rows).rows.count } ?? 0
      // The search may have ended early.
      try LongCall.check()
      return count
    }
  }

  /// A condition on the documents in which terms are counted.
  enum Context {
    /// The documents that satisfy it, found once for all terms.
    case rows(RowScores)
    /// The query, if only FTS5 can find the documents.
    case query(FullTextQuery)
  }

  /// Finds the documents of a context.
  ///
  /// - Complexity: O(m) in the number of documents.
  func context(_ query: FullTextQuery) throws -> Context {
    let search = try reader.reading { try MatchSearch(query.match, $0) }
    let context = search.map { Context.rows($0.all(nil)) } ?? .query(query)
    try LongCall.check()
    return context
  }

  /// Returns the collection frequency of a term; nil if only FTS5 can read the index.
  func occurrences(_ term: String, columns: [Int]? = nil) throws -> Int? {
    let counts = try reader.reading {
      try $0.postings(term, withPositions: false).occurrenceCounts(columnCount: $0.columnCount)
    }
    return counts.map { counts in (columns ?? Array(counts.indices)).reduce(0) { $0 + counts[$1] } }
  }
}

extension Postings {
  /// Returns the collection frequency of the term in each column.
  func occurrenceCounts(columnCount: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: columnCount)
    for number in 0..<count { Frequencies.forEach(frequencies[number], overflow) { counts[$0] += Int($1) } }
    return counts
  }
}
