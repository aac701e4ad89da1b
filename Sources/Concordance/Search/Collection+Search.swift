import DocumentStore
import GRDB
import JSONText
import QueryModel
import TextIndex

/// The result of a search: the hits of a page, the number of matches, and facets.
///
/// ```swift
/// let results = try pages.search("memory barrier")
/// print(results.total)  // 12, or 12+ if it was not counted to the end
/// for hit in results.hits { print(hit.rank, hit.id) }
/// ```
///
/// All of it is from one snapshot of the database.
public struct SearchResults: Sendable {
  /// The number of matching documents, exact or a lower bound, see ``SearchRequest/counting``. Of sorted hits, there
  /// may be more matches than can be paged through, see ``SearchRequest/sortedCount``.
  public let total: SearchTotal
  /// The requested facets, in the order of ``SearchRequest/facets``.
  public let facets: [Facet]
  /// The hits of the page, best first, or in the order of ``SearchRequest/sort``.
  public let hits: [SearchHit]
  /// Whether the query has no words to search for, such as `*` and `-draft`. The hits are then all documents that the
  /// conditions select, without those that the query excludes, ordered by id or ``SearchRequest/sort``. Their scores
  /// are 0.
  public let isUnranked: Bool
  /// A part of the query that was ignored, and why, in words for the user; nil if the whole query was used.
  public let notice: String?
  /// What was corrected or relaxed because too few documents contain all words; nil if the hits are those of the query
  /// as it was typed.
  public let relaxation: SearchRelaxation?
  /// The query with words replaced that are probably misspelt, although documents contain them; nil if there are none.
  ///
  /// The search used the words as they were typed; offer this query to the user. A word is replaced if the other word
  /// is in a hundred times as many documents, or occurs near the next word of the query.
  public let suggestedQuery: String?
}

extension Collection {
  /// Searches for a text as people type it, with the default options.
  ///
  /// ```swift
  /// for hit in try pages.search("memory barrier").hits { print(hit.rank, hit.id) }
  /// ```
  ///
  /// - Parameter query: any text, see ``SearchRequest/Syntax/box``.
  /// - Returns: the ten best hits, each with a snippet.
  /// - Throws: ``CBLError`` as ``search(_:)-(SearchRequest)``.
  public func search(_ query: String) throws -> SearchResults { try search(SearchRequest(query)) }

  /// Finds the documents that are most similar to a document of the collection. See ``SearchRequest/init(like:)``.
  ///
  /// - Parameters:
  ///   - documentID: the id of the document.
  ///   - limit: the maximum number of hits.
  /// - Throws: ``CBLError`` as ``search(_:)-(SearchRequest)``; ``CBLError/notFound`` if the document does not exist.
  public func search(like documentID: String, limit: Int = 10) throws -> SearchResults {
    var request = SearchRequest(like: documentID)
    request.limit = limit
    return try search(request)
  }

  /// Finds the documents that match a query best.
  ///
  /// ```swift
  /// for hit in try pages.search(SearchRequest("memory barrier")).hits {
  ///   print(hit.rank, hit.id, hit.snippets.first?.text ?? "")
  /// }
  /// ```
  ///
  /// If too few documents contain all words of a query of the search box, misspelt words are corrected, and if
  /// necessary documents with any of the words are returned. ``SearchResults/relaxation`` reports it, and
  /// ``SearchRequest/relaxes`` turns it off.
  ///
  /// All results are from one snapshot of the database.
  ///
  /// - Parameter request: the query and its options.
  /// - Returns: the hits of the page, facets, and the number of matches.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/missingIndex`` if the collection has no full-text index, or not the one of ``SearchRequest/index``.
  ///   - ``CBLError/invalidQuery`` for an unknown field, for an error in ``SearchRequest/where`` or
  ///     ``SearchRequest/sort``, and in the syntax of FTS5 for a query that cannot be parsed.
  ///   - ``CBLError/invalidQueryParam`` for a parameter without a value.
  ///   - ``CBLError/invalidParameter`` for a weight, path or number that is not allowed.
  ///   - ``CBLError/timeout`` after ``SearchRequest/timeout``.
  /// - Complexity: O(m) in the number of documents with the words when these are searched for the first time. Later
  ///   searches score only documents that can be among the best, until the index changes. Facets, sorting and
  ///   selections read a property of each matching document. A condition is tested on as many documents as it takes to
  ///   fill the page, or read from an index.
  public func search(_ request: SearchRequest) throws -> SearchResults {
    let start = ContinuousClock.now
    defer { engine.log.noteDuration(since: start, of: "search", text: request.query) }
    return try withPublicErrors {
      try reading(request) { reading in
        let db = reading.db
        let (search, run) = try prepare(request, reading)
        let found = try run.found()
        let idfs =
          request.snippetCount > 0 && !found.rows.isEmpty ? try PhraseIDFs(search.query, db) : PhraseIDFs()
        let highlighter = Highlighter(
          search.query, weights: request.ranking(for: search.query).weights, idfs: idfs)
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

  /// Returns the number of documents that match, exactly as ``SearchResults/total`` with
  /// ``SearchRequest/Counting/exact``. No document is scored.
  ///
  /// - Parameter request: the search; its page and order do not matter.
  /// - Throws: ``CBLError`` as ``search(_:)-(SearchRequest)``.
  public func count(matching request: SearchRequest) throws -> Int {
    try withPublicErrors {
      try reading(request) { reading in
        try prepare(request, reading).run.count()
      }
    }
  }

  /// Reads for a search, within its time limit.
  private func reading<T>(_ request: SearchRequest, _ body: (SearchTransaction) throws -> T) throws -> T {
    try Deadline.run(request.timeout, of: "search") { try engine.store.readForSearch(request, body) }
  }

  private func prepare(
    _ request: SearchRequest, _ reading: SearchTransaction
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
