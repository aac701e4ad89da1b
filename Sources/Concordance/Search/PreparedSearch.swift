import DocumentStore
import GRDB
import JSONText
import QueryModel
import TextIndex

/// A search request, understood in a read transaction: what is looked for, and what was done to find something.
struct PreparedSearch {
  /// What to search for; empty for nothing.
  private(set) var query: FullTextQuery
  /// SQL that selects rows which are not to be found, or nil.
  private(set) var excluded: String?
  /// What the request was understood not to say.
  private(set) var notice: String?
  /// What was done since too few documents have all words.
  private(set) var relaxation: SearchRelaxation?

  private let considered: ConsideredMatches
  let reading: SearchReading
  let index: InvertedIndex

  /// Understands a request.
  ///
  /// - Parameters:
  ///   - narrowing: which documents are wanted; nil for all.
  ///   - collection: the name of the collection, for errors.
  /// - Throws: ``CBLError/notFound`` when there is no document that others shall be like.
  init(
    _ request: SearchRequest, narrowedBy narrowing: SearchNarrowing?, in index: InvertedIndex,
    of reader: DocumentReader, _ collection: String, _ reading: SearchReading
  ) throws {
    considered = ConsideredMatches(request, narrowedBy: narrowing, reading)
    self.reading = reading
    self.index = index
    let db = reading.db
    excluded = try reader.expiredRows()
    query = try FullTextQuery(.nothing, in: index)
    if let id = request.like {
      try seek(like: id, request, in: index, of: reader, collection, db)
    } else {
      switch request.syntax {
      case .fts5: query = try FullTextQuery(MatchParser().parse(request.query), fields: request.fields, in: index)
      case .box: try seek(request, in: index, db)
      }
    }
    guard !query.isEmpty else {
      notice = notice ?? "there is no word to search for in the query"
      return
    }
    if let feedback = request.feedback {
      query = try expanded(by: feedback, request, in: index, of: reader, db)
    }
  }

  /// The documents that the search matches, and of these the ones that are wanted; nil for all.
  func matches() throws -> (matches: MatchLookup, filtered: FilteredMatches?) {
    try considered.matches(of: query, excluding: excluded)
  }

  // MARK: The search box

  private mutating func seek(_ request: SearchRequest, in index: InvertedIndex, _ db: GRDB.Database) throws {
    let parser = SearchBoxParser(fields: index.definition.fields.map(\.name))
    let box = parser.parse(request.query)
    guard let match = box.query else {
      if box.onlyNegative { notice = "the query only says what is not wanted; add a word that is" }
      return
    }
    // That nothing was left out cannot be seen from the hits.
    notice = fieldNotice(box.excluded)
    guard request.relaxes else {
      query = try FullTextQuery(match, fields: request.fields, skippingEmptyOperands: true, in: index, db)
      noticeLimits()
      return
    }
    var text = request.query
    var relaxable = try RelaxableQuery(match, fields: request.fields, in: index, db)
    var count = try count(relaxable.allWords, limit: relaxable.sufficientCount)
    var corrections: [SpellingCorrection] = []
    // A word that no document has is the first suspect.
    if let wanted = box.wanted, count == 0 {
      corrections = try index.corrections(of: wanted, in: request.query, fields: request.fields, db)
    }
    if !corrections.isEmpty {
      text = request.query.applying(corrections)
      relaxable = try RelaxableQuery(
        parser.parse(text).query ?? match, fields: request.fields, in: index, db)
      count = try self.count(relaxable.allWords, limit: relaxable.sufficientCount)
    }
    query = try relaxable.chosen(allWordsCount: count) { try self.count($0, limit: $1) }
    noticeLimits()
    let matchesAnyWord = query.expression != relaxable.allWords.expression
    // Some of the words are taken only where that finds more.
    if try matchesAnyWord || !corrections.isEmpty && (count > 0 || considered.narrowing != nil && hasMatches()) {
      relaxation = SearchRelaxation(text, corrections, matchesAnyWord: matchesAnyWord)
    }
    if count == 0 || matchesAnyWord, notice == nil { notice = fieldNotice(box.wanted) }
  }

  /// Whether the query finds any document, wanted or not.
  private func hasMatches() throws -> Bool { try !matches().matches.best(1).isEmpty }

  private func count(_ query: FullTextQuery, limit: Int) throws -> Int {
    try considered.count(query, limit: limit, excluding: excluded)
  }

  private mutating func noticeLimits() {
    guard query.limitsApproximations else { return }
    notice =
      "typing errors are looked for in the first \(FullTextQuery.maximumApproximateWordCount) different words with ~; "
      + "the others count as they are written"
  }

  // MARK: Documents like others

  private mutating func seek(
    like id: String, _ request: SearchRequest, in index: InvertedIndex, of reader: DocumentReader, _ collection: String,
    _ db: GRDB.Database
  ) throws {
    guard let document = try reader.document(id: id) else {
      throw CBLError(CBLError.notFound, "there is no document \"\(id)\" in the collection \(collection)")
    }
    let terms = try TermCounter(index, fields: request.fields).count(document)
    excluded = ([excluded].compactMap { $0 } + ["SELECT \(document.rowID)"]).joined(separator: " UNION ALL ")
    query = try FullTextQuery(like: terms, fields: request.fields, in: index, db)
    notice = "no telling word of the document \"\(id)\" is in another one"
    if !query.isEmpty { notice = nil }
  }

  /// The same search with the words added that are typical of its best hits.
  private func expanded(
    by feedback: RelevanceFeedback, _ request: SearchRequest, in index: InvertedIndex,
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
