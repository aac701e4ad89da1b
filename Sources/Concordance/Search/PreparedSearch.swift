import DocumentStore
import GRDB
import JSONText
import QueryModel
import TextIndex

/// A search request prepared in a read transaction: the final query, and the relaxation that led to it.
struct PreparedSearch {
  /// The full-text query; empty if there are no words to search for.
  private(set) var query: FullTextQuery
  /// Rows that do not match: expired documents, and the document to find similar documents for.
  private var excluded: [Int64]
  /// The notice about ignored parts of the query.
  private(set) var notice: String?
  /// Whether there are no words to search for, so that all documents match except those that the query excludes.
  var isBrowsing: Bool { browsedRows != nil }
  /// The rows of these documents, in order.
  private var browsedRows: [Int64]?
  /// The relaxation, if too few documents contain all words.
  private(set) var relaxation: SearchRelaxation?

  /// The query as a path query; nil if it does not name a file.
  private(set) var pathQuery: PathQuery?

  private let considered: MatchMemo
  let box: SearchBox
  let reading: SearchTransaction
  let index: StoredFullTextIndex

  /// Prepares a request.
  ///
  /// - Parameters:
  ///   - narrowing: the filters of the search; nil for none.
  ///   - compiler: lists the documents of the collection.
  /// - Throws: ``CBLError/notFound`` if the document to find similar documents for does not exist.
  init(
    _ request: SearchRequest, _ box: SearchBox, narrowedBy narrowing: SearchNarrowing?, in index: StoredFullTextIndex,
    of reader: DocumentReader, _ compiler: SearchCompiler, _ reading: SearchTransaction
  ) throws {
    considered = MatchMemo(request, narrowedBy: narrowing, reading)
    self.reading = reading
    self.index = index
    self.box = box
    let db = reading.db
    excluded = try reader.expiredRows()
    query = try FullTextQuery(.nothing, in: index)
    if let id = request.like {
      try seek(like: id, request, in: index, of: reader, "\(compiler.record.name)", db)
    } else {
      switch request.syntax {
      case .fts5: query = try FullTextQuery(MatchParser().parse(request.query), fields: request.fields, in: index)
      case .box: try seek(request, in: index, compiler, db)
      }
    }
    guard !query.isEmpty else {
      if isBrowsing { return }
      notice = notice ?? "there is no word to search for in the query"
      return
    }
    if let feedback = request.feedback {
      query = try expanded(by: feedback, request, in: index, of: reader, db)
    }
  }

  /// The documents that the search matches, and of these the ones that are wanted; nil for all.
  func matches() throws -> (matches: MatchSet, filtered: FilteredMatches?) {
    try browsedRows.map { considered.matches(browsing: $0) } ?? considered.matches(of: query, excluding: excluded)
  }

  // MARK: The search box

  private mutating func seek(
    _ request: SearchRequest, in index: StoredFullTextIndex, _ compiler: SearchCompiler, _ db: GRDB.Database
  ) throws {
    let reading = self.box.read(request.query)
    let box = reading.query
    let textNotice = literalNotice(box) ?? (reading.hasMixedTypes ? PreparedSearch.mixedTypesNotice : nil)
    guard let match = box.query, !request.browses else {
      notice = fieldNotice(box.excluded) ?? textNotice
      if box.onlyNegative || request.browses || reading.condition != nil {
        browsedRows = try rows(excluding: box.excluded, request, compiler, db)
      }
      return
    }
    // That nothing was left out cannot be seen from the hits.
    notice = fieldNotice(box.excluded) ?? textNotice
    pathQuery = PathQuery(box.wanted, fields: request.fields, in: index)
    guard request.relaxes else {
      query = try FullTextQuery(match, fields: request.fields, skippingEmptyOperands: true, in: index, db)
      noticeLimits()
      return
    }
    var text = request.query
    var relaxable = try RelaxableQuery(match, fields: request.fields, in: index, db)
    var count = try count(relaxable.allWords, limit: relaxable.sufficientCount)
    var corrections: [SpellingCorrection] = []
    if let wanted = box.wanted, count == 0 {
      for proposal in try index.correctionProposals(of: wanted, in: request.query, fields: request.fields, db) {
        let correctedText = request.query.applying(proposal)
        let corrected = self.box.read(correctedText).query
        guard let query = corrected.query else { continue }
        let proposed = try RelaxableQuery(query, fields: request.fields, in: index, db)
        let proposedCount = try self.count(proposed.allWords, limit: proposed.sufficientCount)
        // Words are corrected only if the corrected words together match a document, whether or not it passes the
        // filters.
        guard try proposedCount > 0 || considered.narrowing != nil && hasMatches(proposed.allWords) else { continue }
        (text, relaxable, count, corrections) = (correctedText, proposed, proposedCount, proposal)
        pathQuery = PathQuery(corrected.wanted, fields: request.fields, in: index)
        break
      }
      if corrections.isEmpty, !box.requiresAllWords,
        let partial = try partialCorrection(of: wanted, relaxable, request, db)
      {
        (text, relaxable, corrections) = partial
      }
    }
    query =
      box.requiresAllWords
      ? relaxable.allWords : try relaxable.chosen(allWordsCount: count) { try self.count($0, limit: $1) }
    noticeLimits()
    let matchesAnyWord = query != relaxable.allWords
    if matchesAnyWord { pathQuery = nil }
    // Reports a relaxation only if the query that was chosen differs from the query as typed.
    if matchesAnyWord || !corrections.isEmpty {
      relaxation = SearchRelaxation(text, corrections, matchesAnyWord: matchesAnyWord)
    }
    if count == 0 || matchesAnyWord, notice == nil { notice = fieldNotice(box.wanted) }
  }

  /// Corrects the words that can be corrected if no document has any word of the query as typed: `evnt xq polcy`
  /// becomes `event xq policy`. Returns nil if that finds nothing either.
  private func partialCorrection(
    of wanted: MatchQuery, _ typed: RelaxableQuery, _ request: SearchRequest, _ db: GRDB.Database
  ) throws -> (text: String, query: RelaxableQuery, corrections: [SpellingCorrection])? {
    guard try count(typed.anyWord() ?? typed.allWords, limit: 1) == 0 else { return nil }
    let corrections = try index.corrections(of: wanted, in: request.query, fields: request.fields, db)
    let text = request.query.applying(corrections)
    guard !corrections.isEmpty, let match = box.read(text).query.query else { return nil }
    let query = try RelaxableQuery(match, fields: request.fields, in: index, db)
    guard let anyWord = try query.anyWord(), try count(anyWord, limit: 1) > 0 else { return nil }
    return (text, query, corrections)
  }

  /// The rows of all documents without those that match a query; nil for a query without words.
  private func rows(
    excluding unwanted: MatchQuery?, _ request: SearchRequest, _ compiler: SearchCompiler, _ db: GRDB.Database
  ) throws -> [Int64]? {
    let all = try compiler.allRows(db)
    guard let unwanted else { return all }
    let excluding = try FullTextQuery(
      unwanted, fields: request.fields, skippingEmptyOperands: true, in: index, db)
    if excluding.isEmpty { return nil }
    let excluded = try excluding.matches(db)
    return try all.filter { try !excluded.contains(row: $0) }
  }

  /// Whether a query matches any document, ignoring the filters.
  func hasMatches(_ query: FullTextQuery) throws -> Bool {
    try !considered.matches(of: query, excluding: excluded).matches.best(1).isEmpty
  }

  private func count(_ query: FullTextQuery, limit: Int) throws -> Int {
    try considered.count(query, limit: limit, excluding: excluded)
  }

  private mutating func noticeLimits() {
    guard query.limitsApproximations else { return }
    notice =
      "typing errors are looked for in the first \(FullTextQuery.maximumApproximateWordCount) different words with ~; "
      + "the others count as they are written"
  }

  // MARK: Similar documents

  private mutating func seek(
    like id: String, _ request: SearchRequest, in index: StoredFullTextIndex, of reader: DocumentReader,
    _ collection: String,
    _ db: GRDB.Database
  ) throws {
    guard let document = try reader.document(id: id) else {
      throw CBLError(CBLError.notFound, "there is no document \"\(id)\" in the collection \(collection)")
    }
    let terms = try TermCounter(index, fields: request.fields).count(document)
    excluded.append(document.rowID)
    query = try FullTextQuery(like: terms, fields: request.fields, in: index, db)
    notice = "no distinctive word of the document \"\(id)\" occurs in another document"
    if !query.isEmpty { notice = nil }
  }

  /// The same search, expanded with terms that are typical of its best hits (pseudo-relevance feedback).
  private func expanded(
    by feedback: RelevanceFeedback, _ request: SearchRequest, in index: StoredFullTextIndex,
    of reader: DocumentReader, _ db: GRDB.Database
  ) throws -> FullTextQuery {
    let settings = try feedback.settings()
    let counter = try TermCounter(index, fields: request.fields)
    var model = RelevanceModel(query, settings)
    for row in try matches().matches.best(settings.documentCount) {
      guard let stored = try reader.document(rowID: row.rowID) else { continue }
      model.add(try counter.count(stored), score: row.score)
    }
    return try model.expandedQuery(db)
  }
}

extension TermCounter {
  fileprivate func count(_ document: StoredDocument) throws -> TermCounts {
    try JSONParser.withShared { parser in
      try document.body.withUnsafeBytes { try count(parser.parse($0)) }
    }
  }
}
