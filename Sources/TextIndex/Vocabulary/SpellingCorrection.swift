public import QueryModel
import TextAnalysis

/// A misspelled word of a query and its probable correction.
public struct SpellingCorrection: Hashable, Sendable {
  /// The byte range of the misspelled word in the UTF-8 of the query.
  public let range: Range<Int>
  /// The word as typed.
  public let typed: String
  /// The word of the index that replaces it, folded.
  public let word: String
  /// Whether documents contain the word as typed, probably because their authors made the same typo.
  public let isKnown: Bool
}

extension IndexReader {
  /// Corrects the words of a query if no document contains all of them.
  ///
  /// | typed word | replacement |
  /// |---|---|
  /// | unknown | the likeliest similar word, preferably one that occurs near the adjacent words |
  /// | known | a far more common word that occurs near the adjacent words, see ``SpellingContext`` |
  /// | unknown identifier (`snake_case`) | one whose parts differ only by typos, see ``IdentifierSpelling`` |
  ///
  /// A word is known if documents contain it as typed, by its stem or by a synonym. Words with digits, other
  /// identifiers (`camelCase`, `a.b`), prefixes (`mem*`), words with `~` and excluded words are not corrected. A word
  /// that is searched for in some fields is replaced with a word from these fields. It is known if any field contains
  /// it, because its spelling is then correct.
  ///
  /// - Parameters:
  ///   - query: the parsed query with its spans.
  ///   - text: the text from which it was parsed.
  ///   - fields: the names of the searched fields; nil for all.
  /// - Returns: the corrections in the order of the text; none if the words of the index cannot be listed.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that is damaged or outdated.
  /// - Complexity: O(v) in the number of words of the index the first time, then a few milliseconds per word for
  ///   1,000,000 documents, plus a `NEAR` search for each pair of candidates.
  public func corrections(
    of query: MatchQuery, in text: String, fields: [String]? = nil
  ) throws -> [SpellingCorrection] {
    try index.requireCurrent()
    let words = try countedWords(of: query, in: text, fields: fields)
    guard !words.isEmpty, let finder = try WordFinder.ofListable(self) else { return [] }
    return try SpellingContext(words, finder, self).corrections()
  }

  /// Returns proposed corrections of a query if no document contains all of its words, likeliest first. The caller must
  /// check whether documents contain all words of a proposal; proposals that are known to match nothing are left out.
  ///
  /// The complexity is the same as for ``corrections(of:in:fields:)``.
  ///
  /// - Parameters:
  ///   - query: the parsed query with its spans.
  ///   - text: the text from which it was parsed.
  ///   - fields: the names of the searched fields; nil for all.
  /// - Returns: the proposals, each a list of corrections in the order of the text.
  /// - Throws: the same errors as ``corrections(of:in:fields:)``.
  public func correctionProposals(
    of query: MatchQuery, in text: String, fields: [String]? = nil
  ) throws -> [[SpellingCorrection]] {
    try index.requireCurrent()
    let words = try countedWords(of: query, in: text, fields: fields)
    guard !words.isEmpty, let finder = try WordFinder.ofListable(self) else { return [] }
    let context = try SpellingContext(words, finder, self)
    return context.hasUnknownWord && query.requiresAllPhrases ? [] : try context.proposals()
  }

  func countedWords(of query: MatchQuery, in text: String, fields: [String]?) throws -> [CountedWord] {
    try index.words(of: query, in: text, fields: fields).map {
      CountedWord(word: $0, documentCount: try FullTextQuery(.phrase(.word($0.typed)), in: index).matches(self).count)
    }
  }
}

extension StoredFullTextIndex {
  /// A word that may be corrected.
  struct Word {
    var range: Range<Int>
    var typed: String
    /// The folded forms of the word, one for each different analyzer of the fields.
    var words: [String]
    /// The stems of these forms.
    var stems: [String] = []
    /// The columns in which the word is searched for; nil for all.
    var columns: [Int]?
    /// Whether it is an identifier that consists of several parts: `snake_case`.
    var isName = false
  }

  /// The maximum number of words of a query that are corrected.
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
    for (part, columns) in parts where !part.isPrefix && !part.isFuzzy && columns?.isEmpty != true {
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
            // Analyzers may split the text differently.
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
  /// Returns the phrases that matching documents may contain, without operands of NOT, and the columns in which each is
  /// searched for; nil for all.
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
  /// Whether documents must contain all phrases of the query, except operands of NOT.
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
  /// Returns the byte range of the part's text in the text from which it was parsed, without quotation marks; nil if it
  /// is unknown.
  func textRange(in source: [UInt8]) -> Range<Int>? {
    guard let span, span.end <= source.count else { return nil }
    let opening = !isQuoted ? 0 : source[span.start] == UInt8(ascii: "\"") ? 1 : 3
    let range = span.start + opening..<min(span.end, span.start + opening + text.utf8.count)
    // The source differs if the text contains quotation marks, which are doubled in the source.
    return source[range].elementsEqual(text.utf8) ? range : nil
  }
}
