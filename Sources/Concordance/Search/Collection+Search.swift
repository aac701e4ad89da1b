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
  /// Whether some of the documents lack words of the query: no document has all of them, or hardly any has all words of a
  /// sentence. Documents with all words come first; their scores and those of the others are two sequences.
  public let isRelaxed: Bool
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
        let (search, notice) = try prepare(request, reader, db)
        guard let search else { return SearchResults(hits: [], notice: notice, isRelaxed: false) }
        let found = try search.ranked(db, limit: request.limit, offset: request.offset, request.ranking)
        let (rows, query, isRelaxed) = (found.rows, found.query, found.isRelaxed)
        guard !rows.isEmpty else { return SearchResults(hits: [], notice: notice, isRelaxed: isRelaxed) }
        let rarities = request.snippetCount > 0 ? try PhraseRarities(query, db) : PhraseRarities()
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
        return SearchResults(hits: hits, notice: notice, isRelaxed: isRelaxed)
      }
    }
  }

  /// The ids of the documents that match best: ``search(_:)-(SearchRequest)`` without documents, matches and snippets.
  func searchIDs(_ request: SearchRequest) throws -> [String] {
    try withPublicErrors {
      try engine.store.readIndexes { db in
        let reader = DocumentReader(record, db)
        guard let search = try prepare(request, reader, db).search else { return [] }
        let rows = try search.ranked(db, limit: request.limit, offset: request.offset, request.ranking).rows
        return try rows.compactMap { try reader.document(rowID: $0.rowID)?.id }
      }
    }
  }

  /// The number of documents that match a query; none is scored.
  public func count(matching request: SearchRequest) throws -> Int {
    try withPublicErrors {
      try engine.store.readIndexes { db in
        try prepare(request, DocumentReader(record, db), db).search?.count(db) ?? 0
      }
    }
  }

  private func prepare(
    _ request: SearchRequest, _ reader: DocumentReader, _ db: GRDB.Database
  ) throws -> (search: PreparedSearch?, notice: String?) {
    guard request.limit >= 0, request.offset >= 0 else {
      throw CBLError(CBLError.invalidParameter, "limit and offset of a search are not negative")
    }
    let index = try fullTextIndex(named: request.index, db)
    let (search, notice) = try prepare(request, index, reader, db)
    guard let search else { return (nil, notice) }
    guard !search.isEmpty else { return (nil, "there is no word to search for in the query") }
    guard let feedback = request.feedback else { return (search, notice) }
    let expanded = try search.expanded(
      by: feedback, fields: request.fields, request.ranking, in: index, of: reader, db)
    return (expanded, notice)
  }

  private func prepare(
    _ request: SearchRequest, _ index: InvertedIndex, _ reader: DocumentReader, _ db: GRDB.Database
  ) throws -> (search: PreparedSearch?, notice: String?) {
    let expired = try reader.expiredRows()
    if let id = request.like {
      let search = try PreparedSearch(like: id, fields: request.fields, in: index, of: reader, fullName, db)
      return search.isEmpty ? (nil, "no word of the document \"\(id)\" is in another one") : (search, nil)
    }
    switch request.syntax {
    case .fts5:
      let query = try FullTextQuery(MatchParser().parse(request.query), fields: request.fields, in: index)
      return (PreparedSearch(query, excluding: expired), nil)
    case .box:
      let fields = index.definition.fields.map(\.name)
      let parsed = SearchBoxParser(fields: fields).parse(request.query)
      guard let match = parsed.query else {
        let reason =
          parsed.onlyNegative
          ? "the query only says what is not wanted; add a word that is" : "there is no word to search for in the query"
        return (nil, reason)
      }
      return (PreparedSearch(try RelaxableQuery(match, fields: request.fields, in: index), excluding: expired), nil)
    }
  }
}
