import DocumentStore
import GRDB
import QueryModel
import Relevance
import TextIndex

extension Collection {
  /// Searches for a query as it is typed into a search box, with the default options.
  ///
  /// ```swift
  /// for hit in try pages.search("memory barrier").hits { print(hit.rank, hit.id) }
  /// ```
  ///
  /// - Parameter query: any text; see ``SearchRequest/Syntax/box``.
  /// - Returns: the ten best hits, each with a snippet.
  /// - Throws: the same errors as ``search(_:)-(SearchRequest)``.
  public func search(_ query: String) throws -> SearchResults { try search(SearchRequest(query)) }

  /// Finds the documents that are most similar to a document of the collection. See ``SearchRequest/init(like:)``.
  ///
  /// - Parameters:
  ///   - documentID: the id of the document.
  ///   - limit: the maximum number of hits.
  /// - Throws: the same errors as ``search(_:)-(SearchRequest)``; ``CBLError/notFound`` if the document does not exist.
  public func search(like documentID: String, limit: Int = 10) throws -> SearchResults {
    var request = SearchRequest(like: documentID)
    request.limit = limit
    return try search(request)
  }

  /// Finds the documents that best match a query.
  ///
  /// ```swift
  /// for hit in try pages.search(SearchRequest("memory barrier")).hits {
  ///   print(hit.rank, hit.id, hit.snippets.first?.text ?? "")
  /// }
  /// ```
  ///
  /// If too few documents contain all words of a search-box query, misspelt words are corrected, and if necessary
  /// documents with any of the words are returned. ``SearchResults/relaxation`` reports these changes, and
  /// ``SearchRequest/relaxes`` turns them off.
  ///
  /// All results are from one snapshot of the database.
  ///
  /// - Parameter request: the query and its options.
  /// - Returns: the hits of the page, facets, and the number of matches.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/missingIndex`` if the collection has no full-text index, or no index with the name
  ///     ``SearchRequest/index``.
  ///   - ``CBLError/invalidQuery`` for an unknown field, for an error in ``SearchRequest/where`` or
  ///     ``SearchRequest/sort``, if the distinct values of the facets take too much memory, and with
  ///     ``SearchRequest/Syntax/fts5`` for a query that cannot be parsed.
  ///   - ``CBLError/invalidQueryParam`` for a parameter without a value.
  ///   - ``CBLError/invalidParameter`` for an invalid weight, path or number, such as a negative limit or more than 100
  ///     snippets.
  ///   - ``CBLError/timeout`` after ``SearchRequest/timeout``.
  /// - Complexity: O(m) in the number of documents that contain the words, when the words are searched for the first
  ///   time. Until the index changes, later searches score only documents that can be among the best. Facets, sorting
  ///   and selections read a property of each matching document. A condition is tested on as many documents as it takes
  ///   to fill the page, or evaluated with an index.
  public func search(_ request: SearchRequest) throws -> SearchResults {
    let start = ContinuousClock.now
    defer { engine.log.noteDuration(since: start, of: "search", text: request.query) }
    let storage = request.explains ? engine.store.remote : nil
    let before = storage?.roundTripCount ?? 0
    var results = try withPublicErrors {
      try reading(request) { reading in
        let missing = try request.allowsPartialResults ? engine.store.missingServers(reading.db) : []
        let (search, run, found, duplicates) = try missing.reportingMissing(request.like) {
          try find(request, reading)
        }
        let hits = try hits(
          duplicates?.rows ?? found.rows, of: search, run, request, reading, duplicates: duplicates?.duplicates ?? [:])
        return SearchResults(
          total: missing.isEmpty ? found.total : found.total.asLowerBound, facets: found.facets, hits: hits,
          duplicateGroups: duplicates?.groups ?? [],
          isUnranked: search.matchesAllDocuments,
          notice: search.notice,
          relaxation: search.relaxation, matchesAnyWord: search.matchesAnyWord,
          suggestedQuery: try search.suggestedQuery(request, found: found.total),
          server: try storage.map { _ in try run.serverReading() }, missingServers: missing)
      }
    }
    results.server?.roundTripCount = (storage?.roundTripCount ?? 0) - before
    return results
  }

  /// Returns the ids of the documents that match best, with their scores: ``search(_:)-(SearchRequest)`` without
  /// documents, matches and snippets.
  func rankedHits(_ request: SearchRequest) throws -> [EvaluationRun.Hit] {
    try withPublicErrors {
      try reading(request) { reading in
        let reader = DocumentReader(record, reading.db)
        let rows = try prepare(request, reading).run.found().rows
        let ids = try reader.ids(ofRows: rows.map(\.rowID))
        return rows.compactMap { row in ids[row.rowID].map { EvaluationRun.Hit($0, score: row.score) } }
      }
    }
  }

  /// Returns the exact number of documents that match: ``SearchResults/total`` of a search with
  /// ``SearchRequest/Counting/exact``. No document is scored.
  ///
  /// ``SearchRequest/limit`` and ``SearchRequest/offset`` have no effect on the number. ``SearchRequest/sort`` and
  /// ``SearchRequest/facets`` can change it: a query of three words or more is then relaxed only if fewer than ten
  /// documents match, instead of fewer than 1,000; see ``SearchRequest/relaxes``.
  ///
  /// - Parameter request: the search.
  /// - Throws: the same errors as ``search(_:)-(SearchRequest)``.
  public func count(matching request: SearchRequest) throws -> Int {
    try withPublicErrors {
      try reading(request) { reading in
        try prepare(request, reading).run.count()
      }
    }
  }

  /// Calls `body` in the read transaction of a search, within the time limit of the search.
  private func reading<T>(_ request: SearchRequest, _ body: (SearchTransaction) throws -> T) throws -> T {
    try Deadline.run(request.timeout, of: "search") {
      do { return try engine.store.readForSearch(request, body) } catch let error as TextIndexError
        where error.kind == .segmentMissing
      {
        // The segment may have been merged since its index was read. A batch would see the same state again.
        guard let storage = engine.store.remote, !engine.store.isWriting else { throw error }
        storage.discardCaches()
        return try engine.store.readForSearch(request, body)
      } catch let error as StoreError
        where error.kind == .connectionLost && request.allowsPartialResults && !engine.store.isFile
        && !engine.store.isWriting
      {
        // A server may have stopped during the search. The next transaction does not reach it and leaves it out.
        return try engine.store.readForSearch(request, body)
      }
    }
  }

  /// Runs a search. If the request asks for duplicates, increasing numbers of matches are examined until the page is
  /// full.
  private func find(
    _ request: SearchRequest, _ reading: SearchTransaction
  ) throws -> (PreparedSearch, SearchRun, SearchRun.Found, DuplicateSearch?) {
    guard request.groupsDuplicates || request.duplicateGroupCount > 0 else {
      let (search, run) = try prepare(request, reading)
      return (search, run, try run.found(), nil)
    }
    guard request.limit >= 0, request.offset >= 0, request.duplicateGroupCount >= 0 else {
      throw CBLError(
        CBLError.invalidParameter, "the limit, offset and number of groups of a search must not be negative")
    }
    let maximum = SearchRequest.maximumDuplicateCount
    var examined = request.duplicateGroupCount > 0 ? maximum : min(max(request.neededCount, 50), maximum / 2) * 2
    let reader = DocumentReader(record, reading.db)
    while true {
      var wider = request
      // A page with duplicates may be after the matches that are compared.
      wider.limit = request.groupsDuplicates ? examined : max(examined, request.neededCount)
      wider.offset = 0
      let (search, run) = try prepare(wider, reading)
      let found = try run.found()
      let duplicates = try DuplicateSearch(request, among: Array(found.rows.prefix(examined)), reader)
      let isFilled = duplicates.rows.count >= request.limit || found.rows.count < examined || examined >= maximum
      guard isFilled else {
        examined = min(examined * 4, maximum)
        continue
      }
      guard request.groupsDuplicates else {
        var page = found
        page.rows = Array(found.rows.dropFirst(request.offset).prefix(request.limit))
        return (search, run, page, DuplicateSearch(groups: duplicates.groups, rows: page.rows))
      }
      return (search, run, found, duplicates)
    }
  }

  /// Reads the documents of the rows of a page.
  ///
  /// - Parameter duplicates: the ids of the duplicates of rows.
  private func hits(
    _ rows: [RankedRow], of search: PreparedSearch, _ run: SearchRun, _ request: SearchRequest,
    _ reading: SearchTransaction, duplicates: [Int64: [String]]
  ) throws -> [SearchHit] {
    let analysis = try HitAnalysis(request, search, hasHits: !rows.isEmpty)
    var hits: [SearchHit] = []
    hits.reserveCapacity(rows.count)
    var budget = request.documentBudget
    try DocumentReader(record, reading.db).forEach(inRows: rows.map { $0.rowID }) { number, stored in
      try Interruption.check()
      let keepsDocument = budget.map { $0 >= stored.body.count } ?? true
      if keepsDocument, let rest = budget { budget = rest - stored.body.count }
      let (text, snippets) = try analysis.analyze(stored, immediately: !keepsDocument)
      hits.append(
        SearchHit(
          rank: request.offset + number + 1, score: rows[number].score,
          document: Document(keepsDocument ? stored : stored.withoutProperties, in: self), hasDocument: keepsDocument,
          text: text, snippets: snippets, explanation: request.explains ? try run.explanation(of: rows[number]) : nil,
          duplicates: duplicates[rows[number].rowID] ?? []))
    }
    return hits
  }

  private func prepare(
    _ request: SearchRequest, _ reading: SearchTransaction
  ) throws -> (search: PreparedSearch, run: SearchRun) {
    guard request.limit >= 0, request.offset >= 0 else {
      throw CBLError(CBLError.invalidParameter, "the limit and offset of a search must not be negative")
    }
    guard (0...SearchRequest.maximumSnippetCount).contains(request.snippetCount) else {
      throw CBLError(
        CBLError.invalidParameter,
        "the number of snippets of a search is \(request.snippetCount); use 0 to \(SearchRequest.maximumSnippetCount)")
    }
    guard (0...SearchRequest.maximumSnippetLength).contains(request.snippetLength) else {
      throw CBLError(
        CBLError.invalidParameter,
        "the length of the snippets of a search is \(request.snippetLength); use 0 to "
          + "\(SearchRequest.maximumSnippetLength)")
    }
    let db = reading.db
    let indexes = try engine.indexes(of: record, db)
    let index = try fullTextIndex(named: request.index, in: indexes)
    let compiler = SearchCompiler(record: record, index: index.name, schema: indexes.schema)
    let isBox = request.like == nil && request.syntax == .box
    let box = indexes.searchBox(of: index)
    let condition = try SearchCondition(
      request.where, and: isBox ? box.read(request.query).condition : nil, compiler, db)
    let search = try PreparedSearch(
      request, box, filteredBy: HitFilter(request, condition, compiler.schema), in: index,
      of: DocumentReader(record, db), compiler, reading)
    return (search, try SearchRun(request, search, condition, compiler, reading))
  }
}
