import GRDB

/// Counts the exact document and collection frequencies of terms in a transaction.
struct TermFrequencies {
  private let index: StoredFullTextIndex
  private let db: Database
  /// Nil if only FTS5 can read the index.
  let reader: PostingsReader?

  init(_ index: StoredFullTextIndex, _ db: Database) throws {
    self.index = index
    self.db = db
    reader = try index.readingDoclists { try PostingsReader(index, db) }
  }

  /// Returns the number of documents that match.
  func documentFrequency(of match: CompiledMatch) throws -> Int {
    // Most terms have one form, and their postings are cached.
    if let reader, case .phrase(let term) = match, term.positions.count == 1, term.positions[0].count == 1 {
      let form = term.positions[0][0]
      let count = try index.readingDoclists {
        try term.isPrefix
          ? reader.postings(prefix: form, withPositions: false).count : reader.documentFrequency(form)
      }
      if let count { return count }
    }
    return try FullTextQuery(compiled: match, in: index).matches(db).count
  }

  /// The document frequency of a term.
  ///
  /// - Parameters:
  ///   - columns: the columns that must contain it; nil for any.
  ///   - context: a further condition of the documents, see ``context(_:)``; nil for none.
  func documentFrequency(_ term: String, columns: [Int]? = nil, context: Context? = nil) throws -> Int {
    let phrase = CompiledMatch.phrase(CompiledPhrase(positions: [[term]]))
    let match = columns.map { CompiledMatch.columns($0, phrase) } ?? phrase
    switch context {
    case nil: return try documentFrequency(of: match)
    case .query(let query): return try documentFrequency(of: .and([query.match, match]))
    case .rows(let rows):
      // The same transaction has read the index for the rows.
      let search = try index.readingDoclists { try MatchSearch(match, in: index, db) }
      return search.map { $0.all(nil).intersection(rows).rows.count } ?? 0
    }
  }

  /// A condition of the documents in which terms are counted.
  enum Context {
    /// The documents that satisfy it, found once for all terms.
    case rows(RowScores)
    /// Only FTS5 can find the documents.
    case query(FullTextQuery)
  }

  /// Finds the documents of a context.
  ///
  /// - Complexity: O(m) in the number of documents.
  func context(_ query: FullTextQuery) throws -> Context {
    let search = try index.readingDoclists { try MatchSearch(query.match, in: index, db) }
    return search.map { .rows($0.all(nil)) } ?? .query(query)
  }

  /// The collection frequency of a term; nil if only FTS5 could count it.
  func occurrences(_ term: String, columns: [Int]? = nil) throws -> Int? {
    guard let reader else { return nil }
    let counts = try index.readingDoclists {
      try reader.postings(term, withPositions: false).occurrenceCounts(columnCount: reader.columnCount)
    }
    return counts.map { counts in (columns ?? Array(counts.indices)).reduce(0) { $0 + counts[$1] } }
  }
}

extension Postings {
  /// The collection frequency of the term in each column.
  func occurrenceCounts(columnCount: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: columnCount)
    for number in 0..<count { Frequencies.forEach(frequencies[number], overflow) { counts[$0] += Int($1) } }
    return counts
  }
}
