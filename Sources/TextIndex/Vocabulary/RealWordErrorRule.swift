public import GRDB
public import QueryModel
import TextAnalysis

extension StoredFullTextIndex {
  /// Words of a query that may be misspelt although documents have them: a typing error of their authors.
  ///
  /// A word is doubted if an edit makes another one of it that ``RealWordErrorRule/requiredRatio`` times as many
  /// documents have, or one that is found near the next word of the query, see ``SpellingContext``. Doubts are for
  /// asking, not for changing the query: of the 8,145 words of the Cranfield collection 23 are doubted, and four of
  /// them are right (`curtain`, where a hundred documents have `certain`).
  ///
  /// - Parameters:
  ///   - query: the query as a parser made it, with its spans.
  ///   - text: the text that it was parsed from.
  ///   - fields: names of the fields that it is searched for in; nil for all.
  ///   - db: a connection in a read transaction.
  /// - Returns: what was probably meant, in the order of the text; none where the words of the index cannot be listed.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that is damaged or outdated.
  /// - Complexity: as ``corrections(of:in:fields:_:)``.
  public func doubts(
    about query: MatchQuery, in text: String, fields: [String]? = nil, _ db: Database
  ) throws -> [SpellingCorrection] {
    try requireCurrent()
    // More documents than there are cannot have another word. Listing the words of an index takes longer than most
    // searches.
    let documentCount = try readingDoclists { try Int(clamping: table.totals(db).rowCount) } ?? 0
    let maximumCount = documentCount / RealWordErrorRule.requiredRatio
    func isDoubtful(_ counted: CountedWord) -> Bool {
      counted.documentCount > 0 && counted.documentCount <= maximumCount && !counted.word.isName
        && counted.word.typed.unicodeScalars.count >= RealWordErrorRule.minimumLength
    }
    let words = try countedWords(of: query, in: text, fields: fields, db).filter { $0.documentCount > 0 }
    guard words.contains(where: isDoubtful), let finder = try WordFinder.ofListable(self, db) else { return [] }
    let inContext = try SpellingContext(words, maximumCount: maximumCount, self, finder, db).corrections()
    return try words.compactMap { counted in
      let word = counted.word
      if let known = inContext.first(where: { $0.range == word.range }) { return known }
      guard isDoubtful(counted) else { return nil }
      let meant = try finder.commonWords(
        for: word, ratio: RealWordErrorRule.requiredRatio, documentCount: counted.documentCount
      ).first
      return meant.map { SpellingCorrection(range: word.range, typed: word.typed, word: $0, isKnown: true) }
    }
  }
}

/// When a word that exists is taken for a typing error: where right words are hardly ever an edit away from a common
/// one.
enum RealWordErrorRule {
  /// How many times as many documents must have the other word.
  static let requiredRatio = 100
  /// How many words close to one are looked at.
  static let candidateCount = 8
  /// Short words with another letter are other words: `paint` and `point`.
  private static let substitutionLength = 7
  static let minimumLength = 5

  /// Whether a word is likely to be another one with an error in it: one edit, but not of the first letter, and not at
  /// the end, where words are inflected.
  static func isTypingError(
    _ typed: [Unicode.Scalar], of word: [Unicode.Scalar], minimumLength: Int = RealWordErrorRule.minimumLength
  ) -> Bool {
    guard min(typed.count, word.count) >= minimumLength, typed.first == word.first else { return false }
    let start = zip(typed, word).prefix { $0 == $1 }.count
    let end = zip(typed.reversed(), word.reversed()).prefix { $0 == $1 }.count
    guard start < min(typed.count, word.count), end > 0 else { return false }
    switch typed.count - word.count {
    case 0:
      if SpellingErrorModel.isSwap(typed, of: word) { return true }
      let differing = typed.count - start - end
      return differing == 1 && typed.count >= substitutionLength
    case 1, -1: return start + end >= min(typed.count, word.count)
    default: return false
    }
  }
}
