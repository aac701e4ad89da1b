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
  /// What was done because too few documents have all the words; nil when the hits are what was asked for.
  public let relaxation: SearchRelaxation?
}

extension Collection {
  /// Searches with the defaults. See ``search(_:)-(SearchRequest)``.
  public func search(_ query: String) throws -> SearchResults { try search(SearchRequest(query)) }

  /// Finds the documents that are most like one of the collection. See ``SearchRequest/init(like:)``.
  ///
  /// - Throws: ``CBLError/notFound`` when there is no such document, and as ``search(_:)-(SearchRequest)``.
  public func search(like documentID: String, limit: Int = 10) throws -> SearchResults {
    var request = SearchRequest(like: documentID)
    request.limit = limit
    return try search(request)
  }

  /// Finds the documents that match a query best.
  ///
  /// ```swift
  /// for hit in try pages.search("memory barrier").hits {
  ///   print(hit.rank, hit.id, hit.snippets.first?.text ?? "")
  /// }
  /// ```
  ///
  /// When too few documents have all the words of a search box, misspelt ones are corrected, and if need be some of them will do.
  /// The results say so, and ``SearchRequest/relaxes`` turns it off.
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
        let search = try prepare(request, reader, db)
        guard let query = search.query else {
          return SearchResults(hits: [], notice: search.notice, relaxation: nil)
        }
        let rows = try query.ranked(
          db, limit: request.limit, offset: request.offset, ranking: request.ranking, excluding: search.excluded)
        let rarities = request.snippetCount > 0 && !rows.isEmpty ? try PhraseRarities(query, db) : PhraseRarities()
        let highlighter = Highlighter(query, weights: request.weights, rarities: rarities)
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
        return SearchResults(hits: hits, notice: search.notice, relaxation: search.relaxation)
      }
    }
  }

  /// The ids of the documents that match best: ``search(_:)-(SearchRequest)`` without documents, matches and snippets.
  func searchIDs(_ request: SearchRequest) throws -> [String] {
    try withPublicErrors {
      try engine.store.readIndexes { db in
        let reader = DocumentReader(record, db)
        let search = try prepare(request, reader, db)
        let rows = try search.query?.ranked(
          db, limit: request.limit, offset: request.offset, ranking: request.ranking, excluding: search.excluded)
        return try (rows ?? []).compactMap { try reader.document(rowID: $0.rowID)?.id }
      }
    }
  }

  /// The number of documents that match a query; none is scored.
  public func count(matching request: SearchRequest) throws -> Int {
    try withPublicErrors {
      try engine.store.readIndexes { db in
        let search = try prepare(request, DocumentReader(record, db), db)
        return try search.query?.count(db, excluding: search.excluded) ?? 0
      }
    }
  }

  private func prepare(
    _ request: SearchRequest, _ reader: DocumentReader, _ db: GRDB.Database
  ) throws -> PreparedSearch {
    guard request.limit >= 0, request.offset >= 0 else {
      throw CBLError(CBLError.invalidParameter, "limit and offset of a search are not negative")
    }
    return try PreparedSearch(request, in: fullTextIndex(named: request.index, db), of: reader, fullName, db)
  }
}
