public import QueryModel
import TextAnalysis

extension IndexReader {
  /// Returns the words of a query that may be misspelled although documents contain them.
  ///
  /// A word is a probable error if one edit turns it into a word that ``RealWordErrorRule/requiredRatio`` times as many
  /// documents contain, or into one that occurs near the next word of the query; see ``SpellingContext``. The query is
  /// not changed; the caller asks the user. Of the 8,145 words of the Cranfield collection, 23 are reported, of which
  /// four are correct (such as `curtain`, because a hundred documents contain `certain`).
  ///
  /// - Parameters:
  ///   - query: the parsed query with its spans.
  ///   - text: the text from which it was parsed.
  ///   - fields: the names of the searched fields; nil for all.
  /// - Returns: the probable corrections in the order of the text; none if the words of the index cannot be listed.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that is damaged or outdated.
  /// - Complexity: the same as for ``corrections(of:in:fields:)``.
  public func probableRealWordErrors(
    in query: MatchQuery, text: String, fields: [String]? = nil
  ) throws -> [SpellingCorrection] {
    try index.requireCurrent()
    // No correction can occur in more documents than the index contains, so more frequent words are not checked.
    // Listing the words of an index takes longer than most searches.
    let maximumCount = try documentCount() / RealWordErrorRule.requiredRatio
    func isProbableError(_ counted: CountedWord) -> Bool {
      counted.documentCount > 0 && counted.documentCount <= maximumCount && !counted.word.isName
        && counted.word.typed.unicodeScalars.count >= RealWordErrorRule.minimumLength
    }
    let words = try countedWords(of: query, in: text, fields: fields).filter { $0.documentCount > 0 }
    guard words.contains(where: isProbableError), let finder = try WordFinder.ofListable(self) else { return [] }
    let inContext = try SpellingContext(words, maximumCount: maximumCount, finder, self).corrections()
    return try words.compactMap { counted in
      let word = counted.word
      if let known = inContext.first(where: { $0.range == word.range }) { return known }
      guard isProbableError(counted) else { return nil }
      let correction = try finder.commonWords(
        for: word, ratio: RealWordErrorRule.requiredRatio, documentCount: counted.documentCount
      ).first
      return correction.map { SpellingCorrection(range: word.range, typed: word.typed, word: $0, isKnown: true) }
    }
  }
}

/// Decides whether an existing word is a typo. The conditions are chosen so that correct words rarely satisfy them.
enum RealWordErrorRule {
  /// The minimum ratio of the document frequencies.
  static let requiredRatio = 100
  /// The maximum number of similar words that are examined.
  static let candidateCount = 8
  /// The minimum length of words with a wrong letter. Shorter words often differ in one letter: `paint` and `point`.
  private static let substitutionLength = 7
  /// The minimum length of words with a typo.
  static let minimumLength = 5

  /// Returns whether a word is likely to be a misspelling of another one: they differ by one edit, but neither in the
  /// first letter nor at the end, where words are inflected.
  static func isTypo(
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
