public import GRDB
import QueryModel
import TextAnalysis

/// A query with its last word completed.
public struct Completion: Hashable, Sendable {
  /// The whole query.
  public let text: String
  /// The word that its last one became, folded.
  public let word: String
  /// The number of documents with the word and with all words before it.
  public let documentCount: Int
}

extension InvertedIndex {
  /// Completes the last word of what is being typed into a search box.
  ///
  /// - Parameters:
  ///   - text: what was typed so far. Behind a space there is no word to complete.
  ///   - fields: names of the fields that words are taken from; nil for all.
  ///   - limit: how many at most.
  ///   - db: a connection in a read transaction.
  /// - Returns: the completions that most documents match, the words before included. Where no word of the index begins like
  ///   the last one, those that it may be the beginning of with a typing error in it.
  /// - Throws: ``TextIndexError`` for an unknown field, and for an index that is damaged, outdated or cannot be read.
  /// - Complexity: O(v) in the number of words with the beginning.
  public func completions(
    of text: String, fields: [String]? = nil, limit: Int, _ db: Database
  ) throws -> [Completion] {
    try requireCurrent()
    var columns = try fields.map { try $0.map { try requiredColumn($0) } }
    guard limit > 0, let last = lastWord(of: text) else { return [] }
    if let field = last.field { columns = [try requiredColumn(field)] }
    let head = String(decoding: text.utf8.prefix(last.start), as: UTF8.self)
    let context = try context(head, fields: fields)
    let words = try WordFinder(self, db)
    var completions = try words.completions(last.folded, columns: columns, context: context, limit: limit)
    if completions.isEmpty, context != nil {
      // No document has all of it. What was typed may still become a query for some of it.
      completions = try words.completions(last.folded, columns: columns, context: nil, limit: limit)
    }
    if completions.isEmpty {
      completions = try words.completions(
        last.folded, misspelt: true, columns: columns, context: context, limit: limit)
    }
    return completions.map { Completion(text: head + $0.word, word: $0.word, documentCount: $0.count) }
  }

  /// What the words before ask for; nil for nothing.
  private func context(_ head: String, fields: [String]?) throws -> FullTextQuery? {
    guard let query = SearchBoxParser(fields: definition.fields.map(\.name)).parse(head).query else { return nil }
    let compiled = try FullTextQuery(query, fields: fields, skippingEmptyOperands: true, in: self)
    return compiled.isEmpty ? nil : compiled
  }

  /// The word that the text ends with: where it begins, its folded form, and the field before it.
  private func lastWord(of text: String) -> (start: Int, folded: String, field: String?)? {
    let bytes = Array(text.utf8)
    let parsed = SearchBoxParser(fields: definition.fields.map(\.name)).parse(text)
    var found: (start: Int, folded: String, field: String?)?
    parsed.wanted?.visit { node in
      var (operand, field): (MatchQuery, String?) = (node, nil)
      if case .fields(let filter, let inner) = node { (operand, field) = (inner, filter.names.first?.name) }
      for part in operand.ownPhrases.flatMap(\.parts) where !part.isPrefix && !part.isApproximate {
        guard let range = part.textRange(in: bytes), range.upperBound == bytes.count, found == nil else { continue }
        let tokenizer = analyzer.takeTokenizer()
        defer { analyzer.giveBack(tokenizer) }
        guard let term = tokenizer.queryTerms(part.text, prefix: true).last, term.end == range.count else { continue }
        found = (range.lowerBound + term.start, term.forms[0], field)
      }
    }
    return found
  }
}

extension MatchQuery {
  /// The phrases of this node, not those of its operands.
  fileprivate var ownPhrases: [MatchPhrase] {
    switch self {
    case .phrase(let phrase): [phrase]
    case .words(let phrases), .near(let phrases, _): phrases
    case .nothing, .and, .or, .not, .fields: []
    }
  }
}
