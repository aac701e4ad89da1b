import GRDB
import QueryModel
import TextIndex

/// A search request, understood.
struct PreparedSearch {
  /// What to search for; nil for nothing.
  var query: FullTextQuery?
  /// What the query was understood not to say.
  var notice: String?
  /// What was done since nothing matched.
  var relaxation: SearchRelaxation?
}

extension PreparedSearch {
  init(_ request: SearchRequest, in index: InvertedIndex, _ db: GRDB.Database) throws {
    switch request.syntax {
    case .fts5:
      self.init(try FullTextQuery(MatchParser().parse(request.query), fields: request.fields, in: index))
    case .box:
      let parsed = SearchBoxParser(fields: index.definition.fields.map(\.name)).parse(request.query)
      if let match = parsed.query {
        self.init(try FullTextQuery(match, fields: request.fields, skippingEmptyOperands: true, in: index, db))
      } else {
        self.init(nil, onlyNegative: parsed.onlyNegative)
      }
    }
  }

  private init(_ query: FullTextQuery?, onlyNegative: Bool = false) {
    guard let query, !query.isEmpty else {
      notice =
        onlyNegative
        ? "the query only says what is not wanted; add a word that is" : "there is no word to search for in the query"
      return
    }
    self.query = query
  }

  /// The second try of a search that found nothing: words that are in no document are corrected, and where still nothing
  /// matches all of them, any of them will do.
  ///
  /// - Parameter excluded: SQL that selects rows which are not to be found, or nil.
  /// - Returns: nil where nothing matches that way, either, or where the request does not want it.
  static func relaxed(
    _ request: SearchRequest, in index: InvertedIndex, _ db: GRDB.Database, excluding excluded: String?
  ) throws -> PreparedSearch? {
    guard request.relaxes, request.syntax == .box else { return nil }
    let parsed = SearchBoxParser(fields: index.definition.fields.map(\.name)).parse(request.query)
    guard let wanted = parsed.wanted else { return nil }
    let corrections = try index.corrections(of: wanted, in: request.query, db)
    var corrected = request
    corrected.query = request.query.applying(corrections)
    guard let query = try PreparedSearch(corrected, in: index, db).query else { return nil }
    func prepared(_ query: FullTextQuery, matchesAnyWord: Bool) throws -> PreparedSearch? {
      guard try query.count(db, excluding: excluded) > 0 else { return nil }
      let relaxation = SearchRelaxation(corrected.query, corrections, matchesAnyWord: matchesAnyWord)
      return PreparedSearch(query: query, notice: nil, relaxation: relaxation)
    }
    if !corrections.isEmpty, let search = try prepared(query, matchesAnyWord: false) { return search }
    return try query.matchingAnyWord.flatMap { try prepared($0, matchesAnyWord: true) }
  }
}

extension String {
  /// The text with its misspelt words replaced.
  fileprivate func applying(_ corrections: [SpellingCorrection]) -> String {
    let bytes = Array(utf8)
    var result: [UInt8] = []
    var position = 0
    for correction in corrections.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[position..<correction.range.lowerBound] + Array(correction.word.utf8)
      position = correction.range.upperBound
    }
    return String(decoding: result + bytes[position...], as: UTF8.self)
  }
}
