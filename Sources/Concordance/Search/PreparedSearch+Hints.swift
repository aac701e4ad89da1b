import QueryModel
import TextIndex

extension PreparedSearch {
  /// Returns the notice that a word of a query looks like a field but is treated as text, and why; nil if there is no
  /// such word.
  func fieldNotice(_ query: MatchQuery?) -> String? {
    let names = index.definition.fields.map(\.name)
    for word in query?.fieldLikeWords ?? [] {
      let name = word.name
      let isKnown = names.contains { $0.lowercased() == name.lowercased() }
      switch (isKnown, word.hasText) {
      case (false, true):
        return "the index \"\(index.name)\" has no field \"\(name)\", so \(name): is treated as text; it has "
          + names.joined(separator: ", ")
      case (true, true): return "\(name): is read as text because it follows another field"
      case (true, false):
        return "\(name): is read as text because a space follows its colon; remove the space"
      case (false, false): continue
      }
    }
    return nil
  }

  /// Above this number of matches, no spelling is suggested: finding similar words takes longer than most searches.
  private static let fewDocuments = 20

  static let mixedTypesNotice =
    "type: is searched for as a word because OR joins it with words; write it next to them: (red OR green) type:md"

  /// Returns the notice that operators or brackets of a query were treated as text; nil if none were.
  ///
  /// - Parameter text: the text of the query.
  func literalNotice(_ box: SearchBoxQuery, in text: String) -> String? {
    guard !box.literals.isEmpty else { return nil }
    let isBalanced = text.count { $0 == "(" } == text.count { $0 == ")" }
    return box.literals.map { literal in
      let reason =
        switch literal {
        case "(", ")":
          isBalanced
            ? "it does not enclose terms" : "it has no \"\(literal == "(" ? ")" : "(")\""
        case "NOT": "no term follows it"
        default: "it does not join two terms"
        }
      return "\"\(literal)\" was treated as text, because \(reason)"
    }
    .joined(separator: "; ")
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
