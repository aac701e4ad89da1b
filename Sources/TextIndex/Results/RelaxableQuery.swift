public import GRDB
public import QueryModel

/// A query of a search box: for documents with all of its words, and where these are too few, for those with some of
/// them.
///
/// Some of the words are enough when
/// - no document has all of them, or
/// - the query has at least ``sentenceLength`` words, stop words among them, and fewer than ``sufficientCount``
///   documents have all of them: a long query describes a need; not every word has to match.
///
/// Neither depends on how many hits are asked for, so that pages and counts agree.
///
/// Where some words are enough,
/// - the function words of the index's language (``QueryTerm/isFunctionWord``) are passed over, unless there are no
///   others: a document that shares `what are the` with the query answers nothing;
/// - a bare word of several terms (`boundary-layer`) is that many words, and so is a phrase whose second quotation mark
///   is missing; quoted text stays a phrase;
/// - excluded words and phrases stay excluded;
/// - what is asked of fields (`path:net`, `title:(boundary layer)`) stays required beside words. Alone, one of the
///   words between the brackets of a field is enough.
///
/// ```swift
/// let query = try RelaxableQuery(box, in: index, db).chosen(db)
/// let hits = try query.matches(db).best(10)
/// ```
public struct RelaxableQuery {
  /// The query whose words must all be there.
  public let allWords: FullTextQuery
  private let query: MatchQuery
  private let fields: [String]?
  private let approximations: Approximations
  /// How many documents with all words are enough.
  public let sufficientCount: Int

  /// From how many words on a query is taken for a sentence.
  public static let sentenceLength = 5
  /// How many documents with all words of a sentence are enough: what people look through.
  public static let sufficientCount = 10

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - query: the result of ``SearchBoxParser``.
  ///   - fields: names of the fields to search; nil for all.
  ///   - index: where.
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

  /// Whether there is nothing to look for: the query has no word.
  public var isEmpty: Bool { allWords.isEmpty }

  /// The query of which one word must be there; nil where that is the same. Most searches do not need it.
  public func anyWord() throws -> FullTextQuery? {
    let relaxed = try FullTextQuery(
      query, fields: fields, skippingEmptyOperands: true, relaxing: true, in: allWords.index, approximations)
    return relaxed.match == allWords.match ? nil : relaxed
  }

  /// The query to run: ``anyWord()`` where that finds more, and too few documents have all words.
  public func chosen(_ db: Database, excluding excluded: [Int64] = []) throws -> FullTextQuery {
    func count(_ query: FullTextQuery, limit: Int) throws -> Int {
      try query.matches(db, excluding: excluded).best(limit).count
    }
    return try chosen(allWordsCount: count(allWords, limit: sufficientCount), counting: count)
  }

  /// The query to run, where only some documents are wanted.
  ///
  /// - Parameters:
  ///   - count: how many of these have all words; with ``sufficientCount`` more need not be counted.
  ///   - counting: tells how many of these a query finds, but need not count beyond a limit.
  public func chosen(
    allWordsCount count: Int, counting: (FullTextQuery, _ limit: Int) throws -> Int
  ) throws -> FullTextQuery {
    guard count < sufficientCount, let anyWord = try anyWord() else { return allWords }
    return try counting(anyWord, count + 1) > count ? anyWord : allWords
  }
}
