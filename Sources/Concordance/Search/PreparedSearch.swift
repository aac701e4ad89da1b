import DocumentStore
import JSONText
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

  private let matchCache: MatchCache
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
      try prepareSimilarity(to: id, request, of: reader, "\(compiler.record.name)")
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

  // MARK: The search box

  private func prepareBoxQuery(_ request: SearchRequest, _ compiler: SearchCompiler) throws {
    let reading = self.box.read(request.query)
    let box = reading.query
    let textNotice =
      literalNotice(box, in: request.query) ?? (reading.treatsTypeAsWord ? PreparedSearch.mixedTypesNotice : nil)
    guard let match = box.query, !request.browses else {
      notice = fieldNotice(box.excluded) ?? textNotice
      if box.onlyNegative || request.browses || reading.condition != nil {
        allDocumentRows = try rows(excluding: box.excluded, request, compiler)
      }
      return
    }
    // Also set if there are hits: they do not show that an exclusion or an operator was treated as text.
    notice = fieldNotice(box.excluded) ?? textNotice
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
    var text = request.query
    var relaxable = try RelaxableQuery(match, fields: request.fields, isRanked: request.isRanked, in: indexReader)
    var count = try count(relaxable.allWords, limit: relaxable.sufficientCount)
    var corrections: [SpellingCorrection] = []
    if let wanted = box.wanted, count == 0, joinedName == nil {
      for proposal in try indexReader.correctionProposals(of: wanted, in: request.query, fields: request.fields) {
        let correctedText = request.query.applying(proposal)
        let corrected = self.box.read(correctedText).query
        guard let query = corrected.query else { continue }
        let proposed = try RelaxableQuery(
          query, fields: request.fields, isRanked: request.isRanked, in: indexReader)
        let proposedCount = try self.count(proposed.allWords, limit: proposed.sufficientCount)
        // Words are corrected only if the corrected words together match a document, whether or not it passes the
        // filters.
        guard try proposedCount > 0 || matchCache.filter != nil && hasMatches(proposed.allWords) else { continue }
        (text, relaxable, count, corrections) = (correctedText, proposed, proposedCount, proposal)
        pathQuery = PathQuery(corrected.wanted, fields: request.fields, in: index)
        break
      }
      if corrections.isEmpty, !box.requiresAllWords,
        let partial = try partialCorrection(of: wanted, relaxable, request)
      {
        (text, relaxable, corrections) = partial
      }
    }
    query =
      box.requiresAllWords
      ? relaxable.allWords
      : matchesAny
        ? try relaxable.anyWord() ?? relaxable.allWords
        : try relaxable.chosen(allWordsCount: count) { try self.count($0, limit: $1) }
    addLimitNotice()
    matchesAnyWord = query != relaxable.allWords
    // If at least as many documents contain all words as users usually look at, the others follow them and do not need
    // a message.
    let isRelaxed = matchesAnyWord && !matchesAny && count < RelaxableQuery.sufficientCount
    if isRelaxed { pathQuery = nil }
    // Reports a relaxation only if the query that was chosen differs from the query as typed.
    if isRelaxed || !corrections.isEmpty {
      let shown = completingPhrase(in: text, isPhrase: !matchesAnyWord)
      relaxation = SearchRelaxation(shown, corrections, matchesAnyWord: isRelaxed)
    }
    if count == 0 || isRelaxed, notice == nil { notice = fieldNotice(box.wanted) }
    if let joinedName { query = query.union(joinedName) }
  }

  /// If no document contains any word of the query as typed, corrects the words that can be corrected: `evnt xq polcy`
  /// becomes `event xq policy`. Returns nil if no document contains any word of the corrected query either.
  private func partialCorrection(
    of wanted: MatchQuery, _ typed: RelaxableQuery, _ request: SearchRequest
  ) throws -> (text: String, query: RelaxableQuery, corrections: [SpellingCorrection])? {
    guard try count(typed.anyWord() ?? typed.allWords, limit: 1) == 0 else { return nil }
    let corrections = try indexReader.corrections(of: wanted, in: request.query, fields: request.fields)
    let text = request.query.applying(corrections)
    guard !corrections.isEmpty, let match = box.read(text).query.query else { return nil }
    let query = try RelaxableQuery(match, fields: request.fields, isRanked: request.isRanked, in: indexReader)
    guard let anyWord = try query.anyWord(), try count(anyWord, limit: 1) > 0 else { return nil }
    return (text, query, corrections)
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

  /// Whether a query matches any document, ignoring the filters.
  func hasMatches(_ query: FullTextQuery) throws -> Bool {
    try !matchCache.matches(of: query, excluding: excluded).matches.best(1).isEmpty
  }

  private func count(_ query: FullTextQuery, limit: Int) throws -> Int {
    try matchCache.count(query, limit: limit, excluding: excluded)
  }

  private func addLimitNotice() {
    guard query.limitsFuzzyTerms else { return }
    notice =
      "similar words are found only for the first \(FullTextQuery.maximumFuzzyWordCount) different words with ~; "
      + "the others are searched for as typed"
  }

  // MARK: Similar documents

  private func prepareSimilarity(
    to id: String, _ request: SearchRequest, of reader: DocumentReader, _ collection: String
  ) throws {
    guard let document = try reader.document(id: id) else {
      throw CBLError(CBLError.notFound, "there is no document \"\(id)\" in the collection \(collection)")
    }
    let terms = try TermCounter(index, fields: request.fields).count(document)
    excluded.append(document.rowID)
    query = try FullTextQuery(like: terms, fields: request.fields, in: indexReader)
    notice = "no distinctive word of the document \"\(id)\" occurs in another document"
    if !query.isEmpty { notice = nil }
  }

  /// Returns the query expanded with terms that are typical of its best hits (pseudo-relevance feedback). Only documents
  /// that pass the filters are hits.
  private func expanded(
    by feedback: RelevanceFeedback, _ request: SearchRequest, of reader: DocumentReader
  ) throws -> FullTextQuery {
    let settings = try feedback.settings()
    let counter = try TermCounter(index, fields: request.fields)
    var model = RelevanceModel(query, settings)
    let (matches, filtered) = try matches()
    let best =
      try filtered?.best(settings.documentCount, counting: false).rows ?? matches.best(settings.documentCount)
    for row in best {
      guard let stored = try reader.document(rowID: row.rowID) else { continue }
      model.add(try counter.count(stored), score: row.score)
    }
    return try model.expandedQuery(indexReader)
  }
}

extension TermCounter {
  fileprivate func count(_ document: StoredDocument) throws -> TermCounts {
    try JSONParser.withShared { parser in
      try document.body.withUnsafeBytes { try count(parser.parse($0)) }
    }
  }
}

extension SearchRequest {
  /// Whether only the best hits matter. They do not suffice for a sort order or facets, which also depend on documents
  /// with low scores.
  fileprivate var isRanked: Bool { sort == nil && facets.isEmpty }
}
