import QueryModel
import TextAnalysis

/// A query with its last word completed.
public struct Completion: Hashable, Sendable {
  /// The whole query.
  public let text: String
  /// The completed word, folded.
  public let word: String
  /// The number of documents that contain the word itself, not only another form of it, and all words before it.
  public let documentCount: Int
}

extension IndexReader {
  /// Completes the last word of a query that is being typed into a search box.
  ///
  /// - Parameters:
  ///   - text: the text so far. After a space there is no word to complete.
  ///   - fields: the names of the fields whose words are suggested; nil for all.
  ///   - limit: the maximum number of completions.
  /// - Returns: the completions that match the most documents together with the preceding words. If no word of the
  ///   index begins with the last word, words that begin with a similar prefix.
  /// - Throws: ``TextIndexError`` for an unknown field, and for an index that is damaged, outdated or cannot be read.
  /// - Complexity: O(v + l * d) in the number of words with the prefix, the limit, and the number of documents with a
  ///   word. In fields with a language, words are distinguished from stems: each word that shares the first letters
  ///   with a completion is stemmed once.
  public func completions(
    of text: String, fields: [String]? = nil, limit: Int
  ) throws -> [Completion] {
    try index.requireCurrent()
    let columns = try fields.map { try $0.map { try index.requiredColumn($0) } }
    guard limit > 0 else { return [] }
    // There is usually one form, but fields with different analyzers may fold a word differently.
    let lasts = try lastWords(of: text, columns: columns)
    guard let first = lasts.first else { return [] }
    let head = String(decoding: text.utf8.prefix(first.start), as: UTF8.self)
    // In a phrase that is being typed, the preceding words must be adjacent to the completion.
    let isPhrase = lastPart(of: text)?.part.isUnclosed ?? false
    let context = try context(isPhrase ? text + "\"*" : head, fields: fields)
    let words = try WordFinder(self)
    func found(misspelled: Bool = false, _ context: FullTextQuery?) throws -> [(word: String, count: Int)] {
      let found = try lasts.map {
        try words.completions($0.folded, misspelled: misspelled, columns: $0.columns, context: context, limit: limit)
      }
      return found.count == 1 ? found[0] : IndexReader.best(limit, of: found.joined())
    }
    var completions = try found(context)
    if isPhrase {
      if completions.isEmpty { completions = try found(misspelled: true, self.context(head, fields: fields)) }
      completions = try counted(completions, asEndOf: head, fields: fields)
    } else {
      // No document contains all words, but the completed query may be relaxed.
      if completions.isEmpty, context != nil { completions = try found(nil) }
      if completions.isEmpty { completions = try found(misspelled: true, context) }
    }
    return completions.map {
      Completion(text: head + IndexReader.typed($0.word), word: $0.word, documentCount: $0.count)
    }
  }

  /// Returns the words with the highest document frequencies, each once.
  private static func best(
    _ limit: Int, of words: some Sequence<(word: String, count: Int)>
  ) -> [(word: String, count: Int)] {
    let counts = Dictionary(words.map { ($0.word, $0.count) }, uniquingKeysWith: max)
    return Array(
      counts.map { (word: $0.key, count: $0.value) }.sorted { ($0.count, $1.word) > ($1.count, $0.word) }.prefix(limit))
  }

  /// Returns a word as text of a query. In a Hebrew acronym, `"` is replaced with the gershayim that it stands for,
  /// because a quotation mark can also begin or end a phrase.
  private static func typed(_ word: String) -> String {
    guard word.utf8.contains(UInt8(ascii: "\"")) else { return word }
    let scalars = Array(word.unicodeScalars)
    func isHebrew(_ index: Int) -> Bool {
      scalars.indices.contains(index) && (0x5D0...0x5EA).contains(scalars[index].value)
    }
    var text = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      text.append(scalar == "\"" && isHebrew(index - 1) && isHebrew(index + 1) ? "\u{5F4}" : scalar)
    }
    return String(text)
  }

  /// Returns the words that complete a phrase of the index, with the document frequencies of the phrases.
  private func counted(
    _ words: [(word: String, count: Int)], asEndOf head: String, fields: [String]?
  ) throws -> [(word: String, count: Int)] {
    let counted = try words.compactMap { found -> (word: String, count: Int)? in
      let phrase = head + IndexReader.typed(found.word) + "\""
      guard let count = try context(phrase, fields: fields)?.matches(self).count, count > 0 else { return nil }
      return (found.word, count)
    }
    return counted.sorted { ($0.count, $1.word) > ($1.count, $0.word) }
  }

  /// Returns the query for the preceding words; nil if there are none.
  private func context(_ head: String, fields: [String]?) throws -> FullTextQuery? {
    guard let query = SearchBoxParser(fields: index.definition.fields.map(\.name)).parse(head).query else { return nil }
    let compiled = try FullTextQuery(query, fields: fields, skippingEmptyOperands: true, in: index)
    return compiled.isEmpty ? nil : compiled
  }

  /// The last word of the text: its offset, its folded form, and the columns with this form; nil for all columns.
  private typealias LastWord = (start: Int, folded: String, columns: [Int]?)

  /// Returns the last word in each form that the analyzers of the columns produce.
  private func lastWords(of text: String, columns: [Int]?) throws -> [LastWord] {
    guard let (part, range, field) = lastPart(of: text) else { return [] }
    let columns = try field.map { [try index.requiredColumn($0)] } ?? columns
    let tokenizers = GroupTokenizers(index)
    var words: [LastWord] = []
    for group in tokenizers.numbers(withColumnsIn: columns) {
      guard let term = tokenizers[group].queryTerms(part.text, prefix: true).last, term.end == range.count else {
        continue
      }
      let start = range.lowerBound + term.start
      // Analyzers may split the text differently, but the text before the word must be the same.
      guard words.allSatisfy({ $0.start == start }) else { continue }
      let own = index.groups[group].columns
      if let known = words.firstIndex(where: { $0.folded == term.forms[0] }) {
        words[known].columns?.append(contentsOf: own)
      } else {
        words.append((start, term.forms[0], own))
      }
    }
    // A single form is searched for in all requested columns, several forms each in their own columns.
    if words.count == 1 { words[0].columns = columns }
    guard words.count > 1, let columns else { return words }
    return words.map { word in
      (word.start, word.folded, word.columns.map { $0.filter(columns.contains) })
    }
  }

  /// Returns the part of the query at the end of the text, with its range and its field.
  private func lastPart(of text: String) -> (part: MatchPhrase.Part, range: Range<Int>, field: String?)? {
    let bytes = Array(text.utf8)
    let parsed = SearchBoxParser(fields: index.definition.fields.map(\.name)).parse(text)
    var found: (part: MatchPhrase.Part, range: Range<Int>, field: String?)?
    parsed.wanted?.visit { node in
      var (operand, field): (MatchQuery, String?) = (node, nil)
      if case .fields(let filter, let inner) = node { (operand, field) = (inner, filter.names.first?.name) }
      for part in operand.ownPhrases.flatMap(\.parts) where !part.isPrefix && !part.isFuzzy {
        guard let range = part.textRange(in: bytes), range.upperBound == bytes.count, found == nil else { continue }
        found = (part, range, field)
      }
    }
    return found
  }
}

extension MatchQuery {
  /// The phrases of this node, without those of its operands.
  fileprivate var ownPhrases: [MatchPhrase] {
    switch self {
    case .phrase(let phrase): [phrase]
    case .words(let phrases), .near(let phrases, _): phrases
    case .nothing, .and, .or, .not, .fields: []
    }
  }
}
