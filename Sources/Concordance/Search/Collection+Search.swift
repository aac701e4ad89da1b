import DocumentStore
import GRDB
import JSONText
import TextIndex

/// What a search found.
public struct SearchResults {
  /// The hits, best first.
  public let hits: [SearchHit]
  /// What the query was understood not to say: nil when it was understood as it stands.
  public let notice: String?
  /// What was done because no document had all the words; nil when the hits are what was asked for.
  public let relaxation: SearchRelaxation?
}

extension Collection {
  /// Searches with the defaults. See ``search(_:)-(SearchRequest)``.
  public func search(_ query: String) throws -> SearchResults { try search(SearchRequest(query)) }

  /// Finds the documents that match a query best.
  ///
  /// ```swift
  /// for hit in try pages.search("memory barrier").hits {
  ///   print(hit.rank, hit.id, hit.snippets.first?.text ?? "")
  /// }
  /// ```
  ///
  /// When no document has all the words of a search box, misspelt ones are corrected, and if need be any of them will do. The
  /// results say so, and ``SearchRequest/relaxes`` turns it off.
  ///
  /// Everything in the results comes from one state of the database.
  ///
  /// - Throws: ``CBLError``: ``CBLError/missingIndex`` where there is no full-text index, ``CBLError/invalidQuery`` for
  ///   an unknown field and, in the syntax of FTS5, for what is no query, ``CBLError/invalidParameter`` for a weight.
  /// - Complexity: O(m) in the number of documents with the words when these are asked for the first time; then, as long as
  ///   the index does not change, only what can be among the best is scored.
  public func search(_ request: SearchRequest) throws -> SearchResults {
    try withPublicErrors {
      try engine.store.readIndexes { db in
        let reader = DocumentReader(record, db)
        let (prepared, rows) = try matches(request, reader, db)
        guard let query = prepared.query, !rows.isEmpty else {
          return SearchResults(hits: [], notice: prepared.notice, relaxation: nil)
        }
        let highlighter = Highlighter(query, weights: request.weights)
        let hits = try JSONParser.withShared { parser in
          try rows.enumerated().compactMap { number, row -> SearchHit? in
            guard let stored = try reader.document(rowID: row.rowID) else { return nil }
            return try stored.body.withUnsafeBytes { bytes in
              let (matches, snippets) = try highlighter.highlight(
                parser.parse(bytes), snippetCount: request.snippetCount,
                snippetLength: min(max(request.snippetLength, 0), SearchRequest.maximumSnippetLength))
              return SearchHit(
                rank: request.offset + number + 1, score: row.score, document: Document(stored, in: self),
                matches: matches.map { SearchMatch($0) }, snippets: snippets.map { SearchSnippet($0) })
            }
          }
        }
        return SearchResults(hits: hits, notice: prepared.notice, relaxation: prepared.relaxation)
      }
    }
  }

  /// The number of documents that ``search(_:)-(SearchRequest)`` would find without a limit; none is scored.
  public func count(matching request: SearchRequest) throws -> Int {
    try withPublicErrors {
      try engine.store.readIndexes { db in
        let index = try requestedIndex(request, db)
        guard let query = try PreparedSearch(request, in: index, db).query else { return 0 }
        let excluded = try DocumentReader(record, db).expiredRows()
        let count = try query.count(db, excluding: excluded)
        guard count == 0 else { return count }
        return try PreparedSearch.relaxed(request, in: index, db, excluding: excluded)?.query?
          .count(db, excluding: excluded) ?? 0
      }
    }
  }

  /// The best rows, by a second try where the first finds nothing at all.
  private func matches(
    _ request: SearchRequest, _ reader: DocumentReader, _ db: GRDB.Database
  ) throws -> (PreparedSearch, [RankedRow]) {
    let index = try requestedIndex(request, db)
    let excluded = try reader.expiredRows()
    func rows(_ query: FullTextQuery) throws -> [RankedRow] {
      try query.ranked(
        db, limit: request.limit, offset: request.offset, ranking: request.ranking, excluding: excluded)
    }
    let prepared = try PreparedSearch(request, in: index, db)
    guard let query = prepared.query else { return (prepared, []) }
    let found = try rows(query)
    let isBehindTheLast = try found.isEmpty && query.count(db, excluding: excluded) > 0
    guard found.isEmpty, !isBehindTheLast,
      let relaxed = try PreparedSearch.relaxed(request, in: index, db, excluding: excluded), let second = relaxed.query
    else { return (prepared, found) }
    return (relaxed, try rows(second))
  }

  private func requestedIndex(_ request: SearchRequest, _ db: GRDB.Database) throws -> InvertedIndex {
    guard request.limit >= 0, request.offset >= 0 else {
      throw CBLError(CBLError.invalidParameter, "limit and offset of a search are not negative")
    }
    return try fullTextIndex(named: request.index, db)
  }
}
