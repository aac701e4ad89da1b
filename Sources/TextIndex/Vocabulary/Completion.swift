public import GRDB
import QueryModel
import TextAnalysis

/// A query with its last word completed.
public struct Completion: Hashable, Sendable {
  /// The whole query.
  public let text: String
  /// The word that its last one became, folded.
  public let word: String
  /// The number of documents with the word itself, not only another form of it, and with all words before it.
  public let documentCount: Int
}

extension StoredFullTextIndex {
  /// Completes the last word of what is being typed into a search box.
  ///
  /// - Parameters:
  ///   - text: what was typed so far. After a space there is no word to complete.
  ///   - fields: names of the fields that words are taken from; nil for all.
  ///   - limit: how many at most.
  ///   - db: a connection in a read transaction.
  /// - Returns: the completions that most documents match, the words before included. Where no word of the index begins
  ///   like the last one, those that it may be the beginning of with a typing error in it.
  /// - Throws: ``TextIndexError`` for an unknown field, and for an index that is damaged, outdated or cannot be read.
  /// - Complexity: O(v + l * d) in the number of words with the beginning, in the limit, and in the number of documents
  ///   with a word. In fields with a language, words are distinguished from stems: each word that shares the first
  ///   letters with one of those shown is stemmed once.
  public func completions(
    of text: String, fields: [String]? = nil, limit: Int, _ db: Database
  ) throws -> [Completion] {
    try requireCurrent()
    let columns = try fields.map { try $0.map { try requiredColumn($0) } }
    guard limit > 0 else { return [] }
    // Mostly one: fields that are analysed in different ways may fold a word differently.
    let lasts = try lastWords(of: text, columns: columns)
    guard let first = lasts.first else { return [] }
    let head = String(decoding: text.utf8.prefix(first.start), as: UTF8.self)
    // In a phrase that is being typed, the words before it must precede it.
    let isPhrase = lastPart(of: text)?.part.isUnclosed ?? false
    let context = try context(isPhrase ? text + "\"*" : head, fields: fields)
    let words = try WordFinder(self, db)
    func found(misspelled: Bool = false, _ context: FullTextQuery?) throws -> [(word: String, count: Int)] {
      let found = try lasts.map {
        try words.completions($0.folded, misspelled: misspelled, columns: $0.columns, context: context, limit: limit)
      }
      return found.count == 1 ? found[0] : StoredFullTextIndex.best(limit, of: found.joined())
    }
    var completions = try found(context)
    if isPhrase {
      if completions.isEmpty { completions = try found(misspelled: true, self.context(head, fields: fields)) }
      completions = try counted(completions, asEndOf: head, fields: fields, db)
    } else {
      // No document has all of it. What was typed may still become a query for some of it.
      if completions.isEmpty, context != nil { completions = try found(nil) }
      if completions.isEmpty { completions = try found(misspelled: true, context) }
    }
    return completions.map { Completion(text: head + $0.word, word: $0.word, documentCount: $0.count) }
  }

  /// The words of the most documents, each once.
  private static func best(
    _ limit: Int, of words: some Sequence<(word: String, count: Int)>
  ) -> [(word: String, count: Int)] {
    let counts = Dictionary(words.map { ($0.word, $0.count) }, uniquingKeysWith: max)
    return Array(
      counts.map { (word: $0.key, count: $0.value) }.sorted { ($0.count, $1.word) > ($1.count, $0.word) }.prefix(limit))
  }

  /// The words with which a phrase is found, and in how many documents it is.
  private func counted(
    _ words: [(word: String, count: Int)], asEndOf head: String, fields: [String]?, _ db: Database
  ) throws -> [(word: String, count: Int)] {
    let counted = try words.compactMap { found -> (word: String, count: Int)? in
      guard let count = try context(head + found.word + "\"", fields: fields)?.matches(db).count, count > 0 else {
        return nil
      }
      return (found.word, count)
    }
    return counted.sorted { ($0.count, $1.word) > ($1.count, $0.word) }
  }

  /// What the words before ask for; nil for nothing.
  private func context(_ head: String, fields: [String]?) throws -> FullTextQuery? {
    guard let query = SearchBoxParser(fields: definition.fields.map(\.name)).parse(head).query else { return nil }
    let compiled = try FullTextQuery(query, fields: fields, skippingEmptyOperands: true, in: self)
    return compiled.isEmpty ? nil : compiled
  }

  /// The word that the text ends with: where it begins, its folded form, and the columns where that is what they hold;
  /// nil for all.
  private typealias LastWord = (start: Int, folded: String, columns: [Int]?)

  /// The last word in each form that the columns have for it.
  private func lastWords(of text: String, columns: [Int]?) throws -> [LastWord] {
    guard let (part, range, field) = lastPart(of: text) else { return [] }
    let columns = try field.map { [try requiredColumn($0)] } ?? columns
    let tokenizers = GroupTokenizers(self)
    var words: [LastWord] = []
    for group in tokenizers.numbers(withColumnsIn: columns) {
      guard let term = tokenizers[group].queryTerms(part.text, prefix: true).last, term.end == range.count else {
        continue
      }
      let start = range.lowerBound + term.start
      // What one way of analysis takes apart, another may leave whole; the query is the same in front of it.
      guard words.allSatisfy({ $0.start == start }) else { continue }
      let own = groups[group].columns
      if let known = words.firstIndex(where: { $0.folded == term.forms[0] }) {
        words[known].columns?.append(contentsOf: own)
      } else {
        words.append((start, term.forms[0], own))
      }
    }
    // With one form it is searched for in all its columns; otherwise each form in its columns.
    if words.count == 1 { words[0].columns = columns }
    guard words.count > 1, let columns else { return words }
    return words.map { word in
      (word.start, word.folded, word.columns.map { $0.filter(columns.contains) })
    }
  }

  /// The part of the query that the text ends with: its range, and the field before it.
  private func lastPart(of text: String) -> (part: MatchPhrase.Part, range: Range<Int>, field: String?)? {
    let bytes = Array(text.utf8)
    let parsed = SearchBoxParser(fields: definition.fields.map(\.name)).parse(text)
    var found: (part: MatchPhrase.Part, range: Range<Int>, field: String?)?
    parsed.wanted?.visit { node in
      var (operand, field): (MatchQuery, String?) = (node, nil)
      if case .fields(let filter, let inner) = node { (operand, field) = (inner, filter.names.first?.name) }
      for part in operand.ownPhrases.flatMap(\.parts) where !part.isPrefix && !part.isApproximate {
        guard let range = part.textRange(in: bytes), range.upperBound == bytes.count, found == nil else { continue }
        found = (part, range, field)
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
