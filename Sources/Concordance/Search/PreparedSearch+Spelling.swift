import QueryModel
import TextIndex

/// The words of a search, as typed or corrected.
struct SearchWording {
  /// The text of the query.
  let text: String
  /// The query for the words.
  let query: RelaxableQuery
  /// The number of documents with all words that pass the filters. Counting may stop at
  /// ``RelaxableQuery/sufficientCount``.
  let allWordsCount: Int
  /// The words that may also be the name of a file.
  let pathTerms: MatchQuery?
  /// The words that were replaced.
  var corrections: [SpellingCorrection] = []
}

extension PreparedSearch {
  /// Returns the words of a search, as typed or corrected.
  ///
  /// - Parameters:
  ///   - match: the query for the words.
  ///   - box: the search-box query for `text`.
  ///   - text: the text of the query.
  ///   - corrections: the words that were replaced.
  func wording(
    of match: MatchQuery, _ box: SearchBoxQuery, _ request: SearchRequest, text: String,
    corrections: [SpellingCorrection] = []
  ) throws -> SearchWording {
    let query = try RelaxableQuery(match, fields: request.fields, isRanked: request.isRanked, in: indexReader)
    return SearchWording(
      text: text, query: query, allWordsCount: try count(query.allWords, limit: query.sufficientCount),
      pathTerms: box.wanted, corrections: corrections)
  }

  /// Corrects words of a query for which no document contains all words. Returns `typed` if there is no correction with
  /// which documents are found.
  ///
  /// - Parameters:
  ///   - wanted: the query without its exclusions.
  ///   - isPartial: whether corrections are also used if no document contains all of the corrected words.
  func correctSpelling(
    of wanted: MatchQuery, _ typed: SearchWording, isPartial: Bool, _ request: SearchRequest
  ) throws -> SearchWording {
    for proposal in try indexReader.correctionProposals(of: wanted, in: request.query, fields: request.fields) {
      let text = request.query.applying(proposal)
      let box = self.box.read(text).query
      guard let match = box.query else { continue }
      let corrected = try wording(of: match, box, request, text: text, corrections: proposal)
      // Words are corrected only if the corrected words together match a document, whether or not it passes the
      // filters.
      guard try corrected.allWordsCount > 0 || matchCache.filter != nil && hasMatches(corrected.query.allWords) else {
        continue
      }
      return corrected
    }
    guard isPartial else { return typed }
    return try partialCorrection(of: wanted, typed, request) ?? typed
  }

  /// If no document contains any word of the query as typed, corrects the words that can be corrected: `evnt xq polcy`
  /// becomes `event xq policy`. Returns nil if no document contains any word of the corrected query either.
  private func partialCorrection(
    of wanted: MatchQuery, _ typed: SearchWording, _ request: SearchRequest
  ) throws -> SearchWording? {
    guard try count(typed.query.anyWord() ?? typed.query.allWords, limit: 1) == 0 else { return nil }
    let corrections = try indexReader.corrections(of: wanted, in: request.query, fields: request.fields)
    let text = request.query.applying(corrections)
    guard !corrections.isEmpty, let match = box.read(text).query.query else { return nil }
    let query = try RelaxableQuery(match, fields: request.fields, isRanked: request.isRanked, in: indexReader)
    guard let anyWord = try query.anyWord(), try count(anyWord, limit: 1) > 0 else { return nil }
    return SearchWording(
      text: text, query: query, allWordsCount: typed.allWordsCount, pathTerms: typed.pathTerms,
      corrections: corrections)
  }

  /// Above this number of matches, no spelling is suggested: finding similar words takes longer than most searches.
  private static let fewDocuments = 20

  /// Returns the query with replacements for words that a document contains but that are probably misspelt; nil if
  /// there are no such words.
  ///
  /// - Parameter total: the number of matching documents.
  func suggestedQuery(_ request: SearchRequest, found total: SearchTotal) throws -> String? {
    guard request.like == nil, request.syntax == .box, request.relaxes, relaxation?.corrections.isEmpty ?? true,
      total.value <= PreparedSearch.fewDocuments || relaxation != nil
    else { return nil }
    guard let wanted = box.read(request.query).query.wanted else { return nil }
    let errors = try indexReader.probableRealWordErrors(in: wanted, text: request.query, fields: request.fields)
    guard !errors.isEmpty else { return nil }
    let text = request.query.applying(errors)
    guard let match = box.read(text).query.query else { return nil }
    let suggested = try FullTextQuery(
      match, fields: request.fields, skippingEmptyOperands: true, in: indexReader)
    return try hasMatches(suggested) ? text : nil
  }

  /// Returns the text of a relaxed query without an unmatched quotation mark. An unclosed phrase is searched for as a
  /// phrase or, if any word of the query is enough, as words.
  func completingPhrase(in text: String, isPhrase: Bool) -> String {
    let parts = box.read(text).query.wanted?.phrases.flatMap(\.parts) ?? []
    guard let span = parts.first(where: \.isUnclosed)?.span else { return text }
    var bytes = Array(text.utf8)
    if isPhrase {
      bytes.insert(UInt8(ascii: "\""), at: span.end)
    } else {
      let length = bytes[span.start] == UInt8(ascii: "\"") ? 1 : "“".utf8.count
      bytes.removeSubrange(span.start..<span.start + length)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension SearchRequest {
  /// Whether only the best hits matter. They do not suffice for a sort order or facets, which also depend on documents
  /// with low scores.
  fileprivate var isRanked: Bool { sort == nil && facets.isEmpty }
}

extension String {
  /// Returns the query with its misspelt words replaced.
  func applying(_ corrections: [SpellingCorrection]) -> String {
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
