import DocumentStore
import GRDB
import JSONText
import QueryModel
import TextIndex

/// What a search found.
public struct SearchResults: Sendable {
  /// How many documents match, see ``SearchRequest/counting``. Where hits are sorted, there may be more than can be paged
  /// through, see ``SearchRequest/sortedCount``.
  public let total: SearchTotal
  /// The facets that were asked for, in their order.
  public let facets: [Facet]
  /// The hits, best first.
  public let hits: [SearchHit]
  /// Whether the query has no words to search for, as `*` and `-draft`: then the hits are all documents that are wanted, without
  /// those that it excludes, in the order of their ids or of ``SearchRequest/sort``. Their scores are 0.
  public let isUnranked: Bool
  /// What the query was understood not to say: nil when it was understood as it stands.
  public let notice: String?
  /// What was done because too few documents have all the words; nil when the hits are what was asked for.
  public let relaxation: SearchRelaxation?
  /// The query with words replaced that are probably misspelt, although documents have them, so that they were not changed: the word
  /// that takes their place is in a hundred times as many documents, or near the next word of the query. To be offered; nil where
  /// there are none.
  public let suggestedQuery: String?
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
  ///   an unknown field, for what is wrong in ``SearchRequest/where`` and ``SearchRequest/sort`` and, in the syntax of FTS5, for
  ///   what is no query, ``CBLError/invalidQueryParam`` for a parameter without a value, ``CBLError/invalidParameter`` for a
  ///   weight or a path.
  /// - Complexity: O(m) in the number of documents with the words when these are asked for the first time; then, as long as
  ///   the index does not change, only what can be among the best is scored. Facets, an order and selections read a property of
  ///   each document that matches; a condition, as many documents as it takes to fill the page, or what an index finds.
  public func search(_ request: SearchRequest) throws -> SearchResults {
    let start = ContinuousClock.now
    defer { engine.log.noteDuration(since: start, of: "search", text: request.query) }
    return try withPublicErrors {
      try reading(request) { reading in
        let db = reading.db
        let (search, run) = try prepare(request, reading)
        let found = try run.found()
        let rarities =
          request.snippetCount > 0 && !found.rows.isEmpty ? try PhraseRarities(search.query, db) : PhraseRarities()
        let highlighter = Highlighter(
          search.query, weights: request.ranking(for: search.query).weights, rarities: rarities)
        let reader = DocumentReader(record, db)
        let hits = try JSONParser.withShared { parser in
          try found.rows.enumerated().compactMap { number, row -> SearchHit? in
            try Interruption.check()
            guard let stored = try reader.document(rowID: row.rowID) else { return nil }
            return try stored.withRoot(parser) { root in
              let (matches, snippets) = try highlighter.highlight(
                root, snippetCount: request.snippetCount,
                snippetLength: min(max(request.snippetLength, 0), SearchRequest.maximumSnippetLength))
              return SearchHit(
                rank: request.offset + number + 1, score: row.score, document: Document(stored, in: self),
                matches: matches.map { SearchMatch($0) }, snippets: snippets.map { SearchSnippet($0) },
                explanation: request.explains ? try run.explanation(of: row) : nil)
            }
          }
        }
        return SearchResults(
          total: found.total, facets: found.facets, hits: hits, isUnranked: search.isBrowsing, notice: search.notice,
          relaxation: search.relaxation,
          suggestedQuery: try search.suggestedQuery(request, found: found.total))
      }
    }
  }

  /// The ids of the documents that match best: ``search(_:)-(SearchRequest)`` without documents, matches and snippets.
  func searchIDs(_ request: SearchRequest) throws -> [String] {
    try withPublicErrors {
      try reading(request) { reading in
        let reader = DocumentReader(record, reading.db)
        let rows = try prepare(request, reading).run.found().rows
        return try rows.compactMap { try reader.document(rowID: $0.rowID)?.id }
      }
    }
  }

  /// The number of documents that match, as ``SearchResults/total`` has it; none is scored.
  public func count(matching request: SearchRequest) throws -> Int {
    try withPublicErrors {
      try reading(request) { reading in
        try prepare(request, reading).run.count()
      }
    }
  }

  /// Reads for a search, within its time limit.
  private func reading<T>(_ request: SearchRequest, _ body: (SearchReading) throws -> T) throws -> T {
    try Deadline.run(request.timeout, of: "search") { try engine.store.readForSearch(body) }
  }

  private func prepare(
    _ request: SearchRequest, _ reading: SearchReading
  ) throws -> (search: PreparedSearch, run: SearchRun) {
    guard request.limit >= 0, request.offset >= 0 else {
      throw CBLError(CBLError.invalidParameter, "limit and offset of a search are not negative")
    }
    let db = reading.db
    let index = try fullTextIndex(named: request.index, db)
    let compiler = SearchCompiler(record: record, index: index.name, schema: try engine.schema(of: record, db))
    let isBox = request.like == nil && request.syntax == .box
    let box = SearchBox(of: index)
    let condition = try SearchCondition(
      request.where, and: isBox ? box.read(request.query).condition : nil, compiler, db)
    let search = try PreparedSearch(
      request, box, narrowedBy: SearchNarrowing(request, condition, compiler.schema), in: index,
      of: DocumentReader(record, db), compiler, reading)
    return (search, try SearchRun(request, search, condition, compiler, reading))
  }
}
