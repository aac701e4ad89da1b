import DocumentStore
import GRDB
import JSONText
import QueryModel
import TextIndex

/// What a search found.
public struct SearchResults {
  /// The hits, best first.
  public let hits: [SearchHit]
  /// What the query was understood not to say: nil when it was understood as it stands.
  public let notice: String?
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
  /// Everything in the results comes from one state of the database.
  ///
  /// - Throws: ``CBLError``: ``CBLError/missingIndex`` where there is no full-text index, ``CBLError/invalidQuery`` for
  ///   an unknown field and, in the syntax of FTS5, for what is no query, ``CBLError/invalidParameter`` for a weight.
  /// - Complexity: O(m) in the number of documents with the words when these are asked for the first time; then, as long as
  ///   the index does not change, only what can be among the best is scored.
  public func search(_ request: SearchRequest) throws -> SearchResults {
    try withPublicErrors {
      try engine.store.readIndexes { db in
        let (query, notice) = try prepare(request, db)
        guard let query else { return SearchResults(hits: [], notice: notice) }
        let reader = DocumentReader(record, db)
        let rows = try query.ranked(
          db, limit: request.limit, offset: request.offset, ranking: request.ranking,
          excluding: reader.expiredRows())
        guard !rows.isEmpty else { return SearchResults(hits: [], notice: notice) }
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
        return SearchResults(hits: hits, notice: notice)
      }
    }
  }

  /// The number of documents that match a query; none is scored.
  public func count(matching request: SearchRequest) throws -> Int {
    try withPublicErrors {
      try engine.store.readIndexes { db in
        try prepare(request, db).query?.count(db, excluding: DocumentReader(record, db).expiredRows()) ?? 0
      }
    }
  }

  private func prepare(
    _ request: SearchRequest, _ db: GRDB.Database
  ) throws -> (query: FullTextQuery?, notice: String?) {
    guard request.limit >= 0, request.offset >= 0 else {
      throw CBLError(CBLError.invalidParameter, "limit and offset of a search are not negative")
    }
    let index = try fullTextIndex(named: request.index, db)
    switch request.syntax {
    case .fts5:
      let query = try FullTextQuery(MatchParser().parse(request.query), fields: request.fields, in: index)
      return query.isEmpty ? (nil, "there is no word to search for in the query") : (query, nil)
    case .box:
      let fields = index.definition.fields.map(\.name)
      let parsed = SearchBoxParser(fields: fields).parse(request.query)
      guard let match = parsed.query else {
        let reason =
          parsed.onlyNegative
          ? "the query only says what is not wanted; add a word that is" : "there is no word to search for in the query"
        return (nil, reason)
      }
      let query = try FullTextQuery(
        match, fields: request.fields, skippingEmptyOperands: true, in: index)
      return query.isEmpty ? (nil, "there is no word to search for in the query") : (query, nil)
    }
  }
}
