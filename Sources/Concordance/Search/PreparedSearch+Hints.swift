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
  func literalNotice(_ box: SearchBoxQuery) -> String? {
    guard !box.literals.isEmpty else { return nil }
    return
      "\(box.literals.joined(separator: ", ")): treated as text; AND and OR join two terms, NOT precedes one, and "
      + "brackets enclose terms"
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
