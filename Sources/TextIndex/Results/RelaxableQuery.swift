public import QueryModel

/// A query from a search box. It finds documents with all of its words or, if there are too few, documents with some of
/// them.
///
/// Some of the words are enough if
/// - no document contains all of them, or
/// - the query has at least ``sentenceLength`` words, including stop words, and fewer than ``sufficientRankedCount``
///   documents contain all of them: a long query describes a topic, and a relevant document need not contain each word.
///   If the hits are not ranked but sorted or counted, ``sufficientCount`` documents are enough, because documents with
///   only some of the words do not come last.
///
/// Neither condition depends on the number of requested hits, so pages and counts agree.
///
/// If some words are enough,
/// - function words of the index's language (``QueryTerm/isLanguageStopWord``) are ignored, unless there are no other
///   words: a document that contains only `what are the` is not relevant;
/// - a bare word of several terms (`boundary-layer`) is several words, and so is a phrase without a closing quotation
///   mark; a complete phrase remains a phrase;
/// - excluded words and phrases remain excluded;
/// - operands with a field (`path:net`, `title:(boundary layer)`) remain required if there are also words without a
///   field. If the whole query is limited to one field, one of the words in its parentheses is enough.
///
/// ```swift
/// let reader = index.reader(db)
/// let relaxable = try RelaxableQuery(box, in: reader)
/// let count = try relaxable.allWords.matches(reader).best(relaxable.sufficientCount).count
/// let query = try relaxable.chosen(allWordsCount: count) { try $0.matches(reader).best($1).count }
/// let hits = try query.matches(reader).best(10)
/// ```
public struct RelaxableQuery {
  /// The query for documents with all words.
  public let allWords: FullTextQuery
  private let query: MatchQuery
  private let fields: [String]?
  private let fuzzyExpansions: FuzzyExpansions
  /// The number of documents with all words that is sufficient.
  public let sufficientCount: Int

  /// The minimum number of words of a query that is treated as a sentence.
  public static let sentenceLength = 3
  /// The number of documents with all words that is sufficient for a sentence if hits are sorted or counted: about as
  /// many as people look at.
  public static let sufficientCount = 10
  /// The number of documents with all words that is sufficient for a sentence if hits are ranked: the depth at which
  /// rankings are usually evaluated. Otherwise, a relevant document that lacks one of the words would not be found at
  /// all.
  public static let sufficientRankedCount = 1000

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - query: the result of ``SearchBoxParser``.
  ///   - fields: names of the fields to search; nil for all.
  ///   - isRanked: whether only the best hits matter, not the order or the number of all hits.
  ///   - reader: the index that is searched and in which similar words are looked up.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt.
  public init(_ query: MatchQuery, fields: [String]? = nil, isRanked: Bool = true, in reader: IndexReader) throws {
    fuzzyExpansions = FuzzyExpansions(reader)
    allWords = try FullTextQuery(
      query, fields: fields, skippingEmptyOperands: true, relaxing: false, in: reader.index, fuzzyExpansions)
    (self.query, self.fields) = (query, fields)
    let compiler = MatchCompiler(reader.index, skippingEmptyOperands: true, fuzzyExpansions)
    let isSentence = compiler.wordCount(query) >= RelaxableQuery.sentenceLength
    sufficientCount =
      !isSentence ? 1 : isRanked ? RelaxableQuery.sufficientRankedCount : RelaxableQuery.sufficientCount
  }

  /// Returns the query for documents with any of the words; nil if it is the same as ``allWords``.
  ///
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt.
  public func anyWord() throws -> FullTextQuery? {
    let relaxed = try FullTextQuery(
      query, fields: fields, skippingEmptyOperands: true, relaxing: true, in: allWords.index, fuzzyExpansions)
    return relaxed.match == allWords.match ? nil : relaxed
  }

  /// Returns the query to run: ``anyWord()`` if it has more matches and too few of the considered documents contain all
  /// words.
  ///
  /// - Parameters:
  ///   - count: the number of considered documents that contain all words; it need not exceed ``sufficientCount``.
  ///   - counting: returns the number of considered documents that a query finds, counted up to a limit.
  /// - Throws: the errors of `counting`; ``TextIndexError`` for an index that must be rebuilt.
  public func chosen(
    allWordsCount count: Int, counting: (FullTextQuery, _ limit: Int) throws -> Int
  ) throws -> FullTextQuery {
    guard count < sufficientCount, let anyWord = try anyWord() else { return allWords }
    return try counting(anyWord, count + 1) > count ? anyWord : allWords
  }
}
