public import GRDB
public import QueryModel
import TextAnalysis

/// A misspelt word of a query and the word that was probably meant.
public struct SpellingCorrection: Hashable, Sendable {
  /// The bytes of the misspelt word in the UTF-8 of the query.
  public let range: Range<Int>
  /// The word as it was typed.
  public let typed: String
  /// The word of the index that replaces it, folded.
  public let word: String
  /// Whether documents have the word as it was typed: a typing error of their authors.
  public let isKnown: Bool
}

extension StoredFullTextIndex {
  /// Corrects the words of a query that no document has all of.
  ///
  /// | the word as it was typed | becomes |
  /// |---|---|
  /// | in no document | the likeliest word; if one is found beside the words next to it, that one |
  /// | in documents | a word that is far more common and is found beside the words next to it, see ``SpellingContext`` |
  /// | an identifier (`snake_case`) in no document | one with the same parts but for typing errors, see ``IdentifierSpelling`` |
  ///
  /// A word is in a document as it was typed, by its stem or by a synonym. Left alone are words with digits, other
  /// names of programs (`camelCase`, `a.b`), beginnings (`mem*`), what already asks for typing errors (`word~`), and
  /// what is excluded. A word that is searched for in some fields only becomes one that is in these; it counts as known
  /// wherever it is, since it is spelt correctly then.
  ///
  /// - Parameters:
  ///   - query: the query as a parser made it, with its spans.
  ///   - text: the text that it was parsed from.
  ///   - fields: names of the fields that it is searched for in; nil for all.
  ///   - db: a connection in a read transaction.
  /// - Returns: the corrections in the order of the text; none where the words of the index cannot be listed.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that is damaged or outdated.
  /// - Complexity: O(v) in the number of words of the index the first time, then a few milliseconds a word for
  ///   1,000,000, and as much as a search by ``NEAR`` for each pair of words that may have been meant.
  public func corrections(
    of query: MatchQuery, in text: String, fields: [String]? = nil, _ db: Database
  ) throws -> [SpellingCorrection] {
    try requireCurrent()
    let words = try countedWords(of: query, in: text, fields: fields, db)
    guard !words.isEmpty, let finder = try WordFinder.ofListable(self, db) else { return [] }
    return try SpellingContext(words, self, finder, db).corrections()
  }

  /// What may have been meant by a query that no document has all words of, the likeliest first. Whether documents have
  /// all words of a proposal is for the caller to find out; one of which that is known not to be so is left out.
  ///
  /// Parameters, errors and complexity are those of ``corrections(of:in:fields:_:)``.
  public func correctionProposals(
    of query: MatchQuery, in text: String, fields: [String]? = nil, _ db: Database
  ) throws -> [[SpellingCorrection]] {
    try requireCurrent()
    let words = try countedWords(of: query, in: text, fields: fields, db)
    guard !words.isEmpty, let finder = try WordFinder.ofListable(self, db) else { return [] }
    let context = try SpellingContext(words, self, finder, db)
    return context.hasUnknownWord && query.requiresAllPhrases ? [] : try context.proposals()
  }

  func countedWords(of query: MatchQuery, in text: String, fields: [String]?, _ db: Database) throws -> [CountedWord] {
    try words(of: query, in: text, fields: fields).map {
      CountedWord(word: $0, documentCount: try FullTextQuery(.phrase(.word($0.typed)), in: self).matches(db).count)
    }
  }

  /// A word that may be corrected.
  struct Word {
    var range: Range<Int>
    var typed: String
    /// The word folded, and its stems, in each of the ways that fields are analysed in.
    var words: [String]
    var stems: [String] = []
    /// Where it is searched for; nil for anywhere.
    var columns: [Int]?
    /// Whether it is an identifier of several parts: `snake_case`.
    var isName = false
  }

  /// Nobody corrects more words by hand, either.
  private static let maximumWordCount = 64

  func words(of query: MatchQuery, in text: String, fields: [String]?) throws -> [Word] {
    let bytes = Array(text.utf8)
    let tokenizers = GroupTokenizers(self)
    let buffer = TokenBuffer()
    var words: [Word] = []
    let columns = try fields?.map { try requiredColumn($0) }
    let parts = try query.wantedPhrases(in: self, columns).flatMap { phrase, columns in
      phrase.parts.map { (part: $0, columns: columns) }
    }
    for (part, columns) in parts where !part.isPrefix && !part.isApproximate && columns?.isEmpty != true {
      if words.count == StoredFullTextIndex.maximumWordCount { break }
      guard let range = part.textRange(in: bytes) else { continue }
      let first = words.count
      for group in groups.indices {
        buffer.removeAll()
        bytes[range].withUnsafeBytes { tokenizers[group].tokenize($0, into: buffer) }
        for token in buffer.tokens {
          let term = String(decoding: buffer.term(token), as: UTF8.self)
          let wordRange = range.lowerBound + Int(token.start)..<range.lowerBound + Int(token.end)
          if wordRange == range, IdentifierSpelling.isName(term) {
            words.removeSubrange(first...)
            words.append(
              Word(
                range: wordRange, typed: String(decoding: bytes[wordRange], as: UTF8.self), words: [term],
                columns: columns,
                isName: true))
          } else if let known = words[first...].lastIndex(where: { $0.range == wordRange }) {
            words[known].add(term, isStem: token.isColocated)
          } else if !token.isColocated, words.count < StoredFullTextIndex.maximumWordCount,
            CorrectableText.isWord(at: wordRange, in: bytes, within: range),
            // What one way of analysis has taken apart, another may have left whole.
            group == 0 || !words[first...].contains(where: { $0.range.overlaps(wordRange) })
          {
            let typed = String(decoding: bytes[wordRange], as: UTF8.self)
            words.append(Word(range: wordRange, typed: typed, words: [term], columns: columns))
          }
        }
      }
    }
    words.sort { $0.range.lowerBound < $1.range.lowerBound }
    return Array(words.prefix(StoredFullTextIndex.maximumWordCount))
  }
}

extension StoredFullTextIndex.Word {
  fileprivate mutating func add(_ term: String, isStem: Bool) {
    if isStem {
      if !stems.contains(term) { stems.append(term) }
    } else if !words.contains(term) {
      words.append(term)
    }
  }
}

extension MatchQuery {
  /// The phrases that matching documents may contain, without those on the right side of NOT, and the columns that are
  /// searched for each in: nil for all.
  fileprivate func wantedPhrases(
    in index: StoredFullTextIndex, _ columns: [Int]?
  ) throws -> [(phrase: MatchPhrase, columns: [Int]?)] {
    switch self {
    case .nothing: return []
    case .phrase(let phrase): return [(phrase, columns)]
    case .words(let phrases), .near(let phrases, _): return phrases.map { ($0, columns) }
    case .and(let operands), .or(let operands): return try operands.flatMap { try $0.wantedPhrases(in: index, columns) }
    case .not(let operand, _): return try operand.wantedPhrases(in: index, columns)
    case .fields(let filter, let operand):
      let inner = try index.columns(filter).filter { columns?.contains($0) ?? true }
      return try operand.wantedPhrases(in: index, inner)
    }
  }
}

extension MatchQuery {
  /// Whether documents must have all phrases of the query, but those below the right side of NOT.
  fileprivate var requiresAllPhrases: Bool {
    switch self {
    case .nothing, .phrase, .words, .near: true
    case .and(let operands): operands.allSatisfy(\.requiresAllPhrases)
    case .or(let operands): operands.count < 2
    case .not(let operand, _), .fields(_, let operand): operand.requiresAllPhrases
    }
  }
}

extension MatchPhrase.Part {
  /// The bytes of the part's text in the text that it was parsed from, its quotation marks left out.
  func textRange(in source: [UInt8]) -> Range<Int>? {
    guard let span, span.end <= source.count else { return nil }
    let opening = !isQuoted ? 0 : source[span.start] == UInt8(ascii: "\"") ? 1 : 3
    let range = span.start + opening..<min(span.end, span.start + opening + text.utf8.count)
    // Text with doubled quotation marks has another form there.
    return source[range].elementsEqual(text.utf8) ? range : nil
  }
}
