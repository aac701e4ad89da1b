public import GRDB
public import QueryModel

/// A query of a search box: for documents with all of its words or, if there are too few, for documents with some of
/// them.
///
/// Some of the words are enough if
/// - no document contains all of them, or
/// - the query has at least ``sentenceLength`` words, including stop words, and fewer than ``sufficientCount``
///   documents contain all of them: a long query describes a topic, and a relevant document need not contain each word.
///
/// Neither depends on the number of requested hits, so pages and counts agree.
///
/// If some words are enough,
/// - function words of the index's language (``QueryTerm/isFunctionWord``) do not count, unless there are no others: a
///   document that only contains `what are the` is not relevant;
/// - a bare word of several terms (`boundary-layer`) is several words, and so is a phrase without a closing quotation
///   mark; a complete phrase stays a phrase;
/// - excluded words and phrases stay excluded;
/// - operands with a field (`path:net`, `title:(boundary layer)`) stay required if there are also words without a
///   field. If the whole query is one field, one of the words in its parentheses is enough.
///
/// ```swift
/// let query = try RelaxableQuery(box, in: index, db).chosen(db)
/// let hits = try query.matches(db).best(10)
/// ```
public struct RelaxableQuery {
  /// The query for documents with all words.
  public let allWords: FullTextQuery
  private let query: MatchQuery
  private let fields: [String]?
  private let approximations: Approximations
  /// The number of documents with all words that is sufficient.
  public let sufficientCount: Int

  /// The minimum number of words of a query that is treated as a sentence.
  public static let sentenceLength = 3
  /// The number of documents with all words that is sufficient for a sentence: about as many as people look through.
  public static let sufficientCount = 10

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - query: the result of ``SearchBoxParser``.
  ///   - fields: names of the fields to search; nil for all.
  ///   - index: the index to search.
  ///   - db: a connection in a read transaction, for words that may be misspelt.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt.
  public init(_ query: MatchQuery, fields: [String]? = nil, in index: StoredFullTextIndex, _ db: Database) throws {
    approximations = Approximations(index, db)
    allWords = try FullTextQuery(
      query, fields: fields, skippingEmptyOperands: true, relaxing: false, in: index, approximations)
    (self.query, self.fields) = (query, fields)
    let compiler = MatchCompiler(index, skippingEmptyOperands: true, approximations)
    let isSentence = compiler.wordCount(query) >= RelaxableQuery.sentenceLength
    sufficientCount = isSentence ? RelaxableQuery.sufficientCount : 1
  }

  /// Whether the query has no words.
  public var isEmpty: Bool { allWords.isEmpty }

  /// The query for documents with any of the words; nil if it is the same. Most searches do not need it.
  public func anyWord() throws -> FullTextQuery? {
    let relaxed = try FullTextQuery(
      query, fields: fields, skippingEmptyOperands: true, relaxing: true, in: allWords.index, approximations)
    return relaxed.match == allWords.match ? nil : relaxed
  }

  /// Returns the query to run: ``anyWord()`` if it has more matches and too few documents contain all words.
  public func chosen(_ db: Database, excluding excluded: [Int64] = []) throws -> FullTextQuery {
    func count(_ query: FullTextQuery, limit: Int) throws -> Int {
      try query.matches(db, excluding: excluded).best(limit).count
    }
    return try chosen(allWordsCount: count(allWords, limit: sufficientCount), counting: count)
  }

  /// Returns the query to run if only some documents are considered.
  ///
  /// - Parameters:
  ///   - count: the number of considered documents that contain all words; it need not exceed ``sufficientCount``.
  ///   - counting: returns the number of considered documents that a query finds, counted up to a limit.
  public func chosen(
    allWordsCount count: Int, counting: (FullTextQuery, _ limit: Int) throws -> Int
  ) throws -> FullTextQuery {
    guard count < sufficientCount, let anyWord = try anyWord() else { return allWords }
    return try counting(anyWord, count + 1) > count ? anyWord : allWords
  }
}
