import GRDB

/// Counts the documents and the places of terms, exactly, in a transaction.
struct TermFrequencies {
  private let index: InvertedIndex
  private let db: Database
  /// Nil where only FTS5 can read the index.
  let reader: PostingsReader?

  init(_ index: InvertedIndex, _ db: Database) throws {
    self.index = index
    self.db = db
    reader = try index.readingDoclists { try PostingsReader(index, db) }
  }

  /// In how many documents a term stands.
  ///
  /// - Parameters:
  ///   - columns: where it must stand; nil for anywhere.
  ///   - context: what the documents must match as well, or nil.
  func documentFrequency(_ term: String, columns: [Int]? = nil, context: FullTextQuery? = nil) throws -> Int {
    if columns == nil, context == nil, let reader {
      let count = try index.readingDoclists { try reader.postings(term, withPositions: false).count }
      if let count { return count }
    }
    let phrase = CompiledMatch.phrase(CompiledPhrase(positions: [[term]]))
    let match = columns.map { CompiledMatch.columns($0, phrase) } ?? phrase
    let whole = context.map { CompiledMatch.and([$0.match, match]) } ?? match
    return try FullTextQuery(compiled: whole, in: index).count(db)
  }

  /// How often a term stands in all documents together; nil where only FTS5 could count.
  func occurrences(_ term: String, columns: [Int]? = nil) throws -> Int? {
    guard let reader else { return nil }
    let counts = try index.readingDoclists {
      try reader.postings(term, withPositions: false).occurrenceCounts(columnCount: reader.columnCount)
    }
    return counts.map { counts in (columns ?? Array(counts.indices)).reduce(0) { $0 + counts[$1] } }
  }
}

extension Postings {
  /// How often the term stands in each column, over all documents.
  func occurrenceCounts(columnCount: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: columnCount)
    for number in 0..<count { Frequencies.forEach(frequencies[number], spill) { counts[$0] += Int($1) } }
    return counts
  }
}
