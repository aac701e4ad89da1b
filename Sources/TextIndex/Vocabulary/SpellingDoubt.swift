public import GRDB
public import QueryModel
import TextAnalysis

extension InvertedIndex {
  /// Words of a query that may be misspelt although a document has them: a typing error of its author.
  ///
  /// A word is doubted that stands in a single document, when one that an edit makes of it stands in
  /// ``SpellingDoubt/requiredRatio`` times as many. They are for asking, not for changing the query: of the 8,145 words of the
  /// Cranfield collection 23 are doubted, and four of them are right (`curtain`, where a hundred documents have `certain`).
  ///
  /// - Parameters:
  ///   - query: the query as a parser made it, with its spans.
  ///   - text: the text that it was parsed from.
  ///   - fields: names of the fields that it is sought in; nil for all.
  ///   - db: a connection in a read transaction.
  /// - Returns: what was probably meant, in the order of the text; none where the words of the index cannot be listed.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that is damaged or outdated.
  /// - Complexity: as ``corrections(of:in:fields:_:)``.
  public func doubts(
    about query: MatchQuery, in text: String, fields: [String]? = nil, _ db: Database
  ) throws -> [SpellingCorrection] {
    try requireCurrent()
    let rare = try words(of: query, in: text, fields: fields).filter {
      try FullTextQuery(.phrase(.word($0.typed)), in: self).count(db) == 1
    }
    guard !rare.isEmpty, let finder = try WordFinder.ofListable(self, db) else { return [] }
    return try rare.compactMap { word in
      let meant = try word.words.lazy.compactMap { folded in
        let typed = Array(folded.unicodeScalars)
        return try finder.words(for: folded, columns: word.columns, limit: SpellingDoubt.candidateCount).first {
          try SpellingDoubt.isTypingError(typed, of: Array($0.unicodeScalars))
            && finder.counter.documentFrequency($0, columns: word.columns) >= SpellingDoubt.requiredRatio
        }
      }.first
      return meant.map { SpellingCorrection(range: word.range, typed: word.typed, word: $0) }
    }
  }
}

/// When a word that exists is taken for a typing error: where right words are hardly ever an edit away from a common one.
enum SpellingDoubt {
  /// How many times as many documents must have the other word.
  static let requiredRatio = 100
  /// How many words close to one are looked at.
  static let candidateCount = 8
  /// Short words with another letter are other words: `paint` and `point`.
  private static let substitutionLength = 7
  private static let minimumLength = 5

  /// Whether a word is likely to be another one with an error in it: one edit, but not of the first letter, and not at the end, where
  /// words are inflected.
  static func isTypingError(_ typed: [Unicode.Scalar], of word: [Unicode.Scalar]) -> Bool {
    guard min(typed.count, word.count) >= minimumLength, typed.first == word.first else { return false }
    let start = zip(typed, word).prefix { $0 == $1 }.count
    let end = zip(typed.reversed(), word.reversed()).prefix { $0 == $1 }.count
    guard start < min(typed.count, word.count), end > 0 else { return false }
    switch typed.count - word.count {
    case 0:
      let differing = typed.count - start - end
      let isSwap = differing == 2 && typed[start] == word[start + 1] && typed[start + 1] == word[start]
      return isSwap || differing == 1 && typed.count >= substitutionLength
    case 1, -1: return start + end >= min(typed.count, word.count)
    default: return false
    }
  }
}
