public import GRDB
public import QueryModel
import TextAnalysis

extension StoredFullTextIndex {
  /// Returns the words of a query that may be misspelt although documents contain them.
  ///
  /// A word is doubtful if one edit turns it into a word that ``RealWordErrorRule/requiredRatio`` times as many
  /// documents contain, or into one that occurs near the next word of the query, see ``SpellingContext``. The query is
  /// not changed; the user is asked. Of the 8,145 words of the Cranfield collection, 23 are doubtful, and four of them
  /// are correct (`curtain`, because a hundred documents contain `certain`).
  ///
  /// - Parameters:
  ///   - query: the parsed query with its spans.
  ///   - text: the text from which it was parsed.
  ///   - fields: the names of the searched fields; nil for all.
  ///   - db: a connection in a read transaction.
  /// - Returns: the probable corrections in the order of the text; none if the words of the index cannot be listed.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that is damaged or outdated.
  /// - Complexity: as ``corrections(of:in:fields:_:)``.
  public func doubts(
    about query: MatchQuery, in text: String, fields: [String]? = nil, _ db: Database
  ) throws -> [SpellingCorrection] {
    try requireCurrent()
    // The other word cannot be in more documents than there are. Listing the words of an index takes longer than most
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

/// Decides whether an existing word is a typing error. The conditions are such that correct words are rarely one edit
/// from a common word.
enum RealWordErrorRule {
  /// The minimum ratio of the document frequencies.
  static let requiredRatio = 100
  /// The maximum number of similar words that are examined.
  static let candidateCount = 8
  /// Short words often differ in one letter: `paint` and `point`.
  private static let substitutionLength = 7
  static let minimumLength = 5

  /// Returns whether a word is likely to be another one with an error: one edit, but neither of the first letter nor at
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
