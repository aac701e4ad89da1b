import DocumentStore
import GRDB
import JSONText
import QueryModel
import TextIndex

/// What a search found.
public struct SearchResults {
  /// How many documents match, see ``SearchRequest/counting``.
  public let total: SearchTotal
  /// The facets that were asked for, in their order.
  public let facets: [Facet]
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
  ///   an unknown field, for what is wrong in ``SearchRequest/where`` and ``SearchRequest/sort`` and, in the syntax of FTS5, for
  ///   what is no query, ``CBLError/invalidQueryParam`` for a parameter without a value, ``CBLError/invalidParameter`` for a
  ///   weight or a path.
  /// - Complexity: O(m) in the number of documents with the words when these are asked for the first time; then, as long as
  ///   the index does not change, only what can be among the best is scored. Facets, an order and selections read a property of
  ///   each document that matches; a condition, as many documents as it takes to fill the page, or what an index finds.
  public func search(_ request: SearchRequest) throws -> SearchResults {
    try withPublicErrors {
      try engine.store.readForSearch { reading in
        let db = reading.db
        let (query, notice) = try prepare(request, db)
        let run = try run(request, query, reading)
        let found = try run.found()
        let highlighter = Highlighter(query, weights: ranking(request, query).weights)
        let reader = DocumentReader(record, db)
        let hits = try JSONParser.withShared { parser in
          try found.rows.enumerated().compactMap { number, row -> SearchHit? in
            guard let stored = try reader.document(rowID: row.rowID) else { return nil }
            return try stored.body.withUnsafeBytes { bytes in
              let (matches, snippets) = try highlighter.highlight(
                parser.parse(bytes), snippetCount: request.snippetCount,
                snippetLength: min(max(request.snippetLength, 0), SearchRequest.maximumSnippetLength))
              return SearchHit(
                rank: request.offset + number + 1, score: row.score, document: Document(stored, in: self),
                matches: matches.map { SearchMatch($0) }, snippets: snippets.map { SearchSnippet($0) },
                explanation: request.explains ? run.explanation(of: row) : nil)
            }
          }
        }
        return SearchResults(total: found.total, facets: found.facets, hits: hits, notice: notice)
      }
    }
  }

  /// The number of documents that match a query; none is scored.
  public func count(matching request: SearchRequest) throws -> Int {
    try withPublicErrors {
      try engine.store.readForSearch { reading in
        try run(request, prepare(request, reading.db).query, reading).count()
      }
    }
  }

  private func run(_ request: SearchRequest, _ query: FullTextQuery, _ reading: SearchReading) throws -> SearchRun {
    let matches = try query.matches(
      reading.db, ranking: ranking(request, query), excluding: DocumentReader(record, reading.db).expiredRows())
    let compiler = SearchCompiler(
      record: record, index: query.indexName, schema: try engine.schema(of: record, reading.db))
    return SearchRun(request, matches, compiler, reading)
  }

  private func ranking(_ request: SearchRequest, _ query: FullTextQuery) -> Ranking {
    query.defaultRanking.overridden(k1: request.k1, b: request.b, weights: request.weights)
  }

  private func prepare(
    _ request: SearchRequest, _ db: GRDB.Database
  ) throws -> (query: FullTextQuery, notice: String?) {
    guard request.limit >= 0, request.offset >= 0 else {
      throw CBLError(CBLError.invalidParameter, "limit and offset of a search are not negative")
    }
    let index = try fullTextIndex(named: request.index, db)
    let match: MatchQuery
    var notice = "there is no word to search for in the query"
    switch request.syntax {
    case .fts5: match = try MatchParser().parse(request.query)
    case .box:
      let parsed = SearchBoxParser(fields: index.definition.fields.map(\.name)).parse(request.query)
      match = parsed.query ?? .nothing
      if parsed.onlyNegative { notice = "the query only says what is not wanted; add a word that is" }
    }
    let query = try FullTextQuery(
      match, fields: request.fields, skippingEmptyOperands: request.syntax == .box, in: index)
    return (query, query.isEmpty ? notice : nil)
  }
}
