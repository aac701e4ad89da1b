import DocumentStore
import QueryModel
import TextIndex

/// A search request prepared in a read transaction: the final query, and the relaxation that led to it.
final class PreparedSearch {
  /// The full-text query; empty if there are no words to search for.
  private(set) var query: FullTextQuery
  /// Rows that do not match: expired documents, and the document to find similar documents for.
  private var excluded: [Int64]
  /// The notice about ignored parts of the query.
  private(set) var notice: String?
  /// Whether there are no words to search for, so that all documents match except those that the query excludes.
  var matchesAllDocuments: Bool { allDocumentRows != nil }
  /// The rows of all documents that the query does not exclude, in order; nil if there are words to search for.
  private var allDocumentRows: [Int64]?
  /// The relaxation, if too few documents contain all words.
  private(set) var relaxation: SearchRelaxation?
  /// Whether documents with only some of the words also match.
  private(set) var matchesAnyWord = false

  /// The query as a path query; nil if it does not name a file.
  private(set) var pathQuery: PathQuery?

  /// The rows of the files that define the name that is searched for, in ascending order.
  private(set) var definingRows: [Int64] = []

  let matchCache: MatchCache
  let box: SearchBox
  let reading: SearchTransaction
  let index: StoredFullTextIndex
  /// Reads the index in the transaction.
  let indexReader: IndexReader

  /// Prepares a request.
  ///
  /// - Parameters:
  ///   - filter: the filters of the search; nil for none.
  ///   - compiler: lists the documents of the collection.
  /// - Throws: ``CBLError/notFound`` if the document to find similar documents for does not exist.
  init(
    _ request: SearchRequest, _ box: SearchBox, filteredBy filter: HitFilter?, in index: StoredFullTextIndex,
    of reader: DocumentReader, _ compiler: SearchCompiler, _ reading: SearchTransaction
  ) throws {
    indexReader = index.reader(reading.db)
    matchCache = MatchCache(request, indexReader, filteredBy: filter, reading)
    self.reading = reading
    self.index = index
    self.box = box
    excluded = try reader.expiredRows()
    query = try FullTextQuery.empty(in: index)
    if let id = request.like {
      let similar = try similarDocuments(to: id, request, of: reader, "\(compiler.record.name)")
      excluded.append(similar.excludedRow)
      query = similar.query
      if query.isEmpty { notice = "no distinctive word of the document \"\(id)\" occurs in another document" }
    } else {
      switch request.syntax {
      case .fts5: query = try FullTextQuery(MatchParser().parse(request.query), fields: request.fields, in: index)
      case .box: try prepareBoxQuery(request, compiler)
      }
    }
    guard !query.isEmpty else {
      if matchesAllDocuments { return }
      notice = notice ?? "there is no word to search for in the query"
      return
    }
    if let feedback = request.feedback {
      query = try expanded(by: feedback, request, of: reader)
    }
  }

  /// Returns the matches of the search, and those that pass the filters; nil if there are no filters.
  func matches() throws -> (matches: MatchSet, filtered: FilteredMatches?) {
    try allDocumentRows.map { matchCache.matches(browsing: $0) } ?? matchCache.matches(of: query, excluding: excluded)
  }

  /// Whether a query matches any document, ignoring the filters.
  func hasMatches(_ query: FullTextQuery) throws -> Bool {
    try !matchCache.matches(of: query, excluding: excluded).matches.best(1).isEmpty
  }

  /// Returns the number of matches of a query that pass the filters. Counting may stop at a limit.
  func count(_ query: FullTextQuery, limit: Int) throws -> Int {
    try matchCache.count(query, limit: limit, excluding: excluded)
  }

  // MARK: The search box

  private func prepareBoxQuery(_ request: SearchRequest, _ compiler: SearchCompiler) throws {
    let reading = self.box.read(request.query)
    let box = reading.query
    // Also set if there are hits: they do not show that an exclusion or an operator was treated as text.
    notice =
      fieldNotice(box.excluded) ?? literalNotice(box, in: request.query)
      ?? (reading.treatsTypeAsWord ? PreparedSearch.mixedTypesNotice : nil)
    guard let match = box.query, !request.browses else {
      if box.onlyNegative || request.browses || reading.condition != nil {
        allDocumentRows = try rows(excluding: box.excluded, request, compiler)
      }
      return
    }
    pathQuery = PathQuery(box.wanted, fields: request.fields, in: index)
    let definition = DefinitionQuery(box.wanted, fields: request.fields, in: index)
    definingRows = try definition?.rows(in: indexReader) ?? []
    let matchesAny = request.matching == .any && !box.requiresAllWords
    guard request.relaxes else {
      query = try FullTextQuery(match, fields: request.fields, skippingEmptyOperands: true, in: indexReader)
      if matchesAny, let anyWord = try RelaxableQuery(match, fields: request.fields, in: indexReader).anyWord() {
        (query, matchesAnyWord) = (anyWord, true)
      }
      addLimitNotice()
      return
    }
    let joinedName =
      definingRows.isEmpty || box.excluded != nil || box.requiresAllWords
      ? nil : try definition?.joinedQuery(in: indexReader)
    var wording = try self.wording(of: match, box, request, text: request.query)
    if let wanted = box.wanted, wording.allWordsCount == 0, joinedName == nil {
      wording = try correctSpelling(of: wanted, wording, isPartial: !box.requiresAllWords, request)
      if !wording.corrections.isEmpty {
        pathQuery = PathQuery(wording.pathTerms, fields: request.fields, in: index)
      }
    }
    try chooseQuery(wording, box, matchesAny: matchesAny)
    if let joinedName { query = query.union(joinedName) }
  }

  /// Chooses between the documents with all words and those with any of them, and reports a relaxation or a correction.
  private func chooseQuery(_ wording: SearchWording, _ box: SearchBoxQuery, matchesAny: Bool) throws {
    let relaxable = wording.query
    query =
      box.requiresAllWords
      ? relaxable.allWords
      : matchesAny
        ? try relaxable.anyWord() ?? relaxable.allWords
        : try relaxable.chosen(allWordsCount: wording.allWordsCount) { try count($0, limit: $1) }
    matchesAnyWord = query != relaxable.allWords
    // If at least as many documents contain all words as users usually look at, the others follow them and do not need
    // a message.
    let isRelaxed = matchesAnyWord && !matchesAny && wording.allWordsCount < RelaxableQuery.sufficientCount
    if isRelaxed { pathQuery = nil }
    // Reports a relaxation only if the query that was chosen differs from the query as typed.
    if isRelaxed || !wording.corrections.isEmpty {
      let shown = completingPhrase(in: wording.text, isPhrase: !matchesAnyWord)
      relaxation = SearchRelaxation(shown, wording.corrections, matchesAnyWord: isRelaxed)
    }
    if wording.allWordsCount == 0 || isRelaxed, notice == nil { notice = fieldNotice(box.wanted) }
    addLimitNotice()
  }

  /// Adds the notice about words with `~` to the notice that is already set.
  private func addLimitNotice() {
    guard let limitNotice else { return }
    notice = [notice, limitNotice].compactMap { $0 }.joined(separator: "; ")
  }

  /// Returns the rows of all documents except those that match a query; nil if this query has no words.
  private func rows(
    excluding unwanted: MatchQuery?, _ request: SearchRequest, _ compiler: SearchCompiler
  ) throws -> [Int64]? {
    let all = try compiler.allRows(reading.db)
    guard let unwanted else { return all }
    let excluding = try FullTextQuery(
      unwanted, fields: request.fields, skippingEmptyOperands: true, in: indexReader)
    if excluding.isEmpty { return nil }
    let excluded = try excluding.matches(indexReader)
    return try all.filter { try !excluded.contains(row: $0) }
  }
}
