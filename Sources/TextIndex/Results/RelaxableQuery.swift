public import GRDB
public import QueryModel

/// A query of a search box: documents with all of its words, and where these are too few, those with some of them.
///
/// Documents with all words come first, ranked among themselves; behind them come the others, by the sum of what each word that
/// they hold counts. That happens when
/// - no document has all words, or
/// - the query has at least ``sentenceLength`` words and fewer than ``sufficientCount`` documents have all of them: who types a
///   sentence describes what is sought, and does not list what must be there.
///
/// Neither depends on how many hits are asked for, so that pages and counts agree.
///
/// Where some words are enough,
/// - the function words of the index's language (``QueryTerm/isFunctionWord``) are passed over, unless there are no others:
///   a document that shares `what are the` with the query answers nothing;
/// - a bare word of several terms (`boundary-layer`) is that many words; what stands between quotation marks stays a phrase;
/// - what is excluded stays excluded.
///
/// ```swift
/// let query = try RelaxableQuery(box, in: index)
/// let hits = try query.ranked(db, limit: 10)
/// if hits.isRelaxed { print("not all of these have all words") }
/// ```
public struct RelaxableQuery: Sendable {
  /// The query whose words must all be there.
  public let allWords: FullTextQuery
  private let query: MatchQuery
  private let fields: [String]?
  /// How many documents with all words are enough.
  private let sufficientCount: Int

  /// From how many words on a query is taken for a sentence.
  public static let sentenceLength = 5
  /// How many documents with all words of a sentence are enough: what people look through.
  public static let sufficientCount = 10

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - query: what ``SearchBoxParser`` made.
  ///   - fields: names of the fields that it is sought in; nil for all.
  ///   - index: where.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt.
  public init(_ query: MatchQuery, fields: [String]? = nil, in index: InvertedIndex) throws {
    allWords = try FullTextQuery(query, fields: fields, skippingEmptyOperands: true, in: index)
    (self.query, self.fields) = (query, fields)
    sufficientCount =
      allWords.match.operandCount < RelaxableQuery.sentenceLength ? 1 : RelaxableQuery.sufficientCount
  }

  /// Whether there is nothing to look for: the query has no word.
  public var isEmpty: Bool { allWords.isEmpty }

  /// The query of which one word must be there; nil where that is the same. It is made when it is asked for: most
  /// searches do not need it.
  public func anyWord() throws -> FullTextQuery? {
    let relaxed = try FullTextQuery(
      query, fields: fields, skippingEmptyOperands: true, relaxing: true, in: allWords.index)
    return relaxed.match == allWords.match ? nil : relaxed
  }

  /// What was found.
  public struct Hits: Sendable {
    /// The matches, best first; the scores of those with all words and of the others are two sequences.
    public let rows: [RankedRow]
    /// Whether documents without all words were looked for, and found.
    public let isRelaxed: Bool
    /// The query that finds all of them, for highlights.
    public let query: FullTextQuery

    /// Puts hits together.
    public init(rows: [RankedRow], isRelaxed: Bool, query: FullTextQuery) {
      (self.rows, self.isRelaxed, self.query) = (rows, isRelaxed, query)
    }
  }

  /// The best matches, best first.
  ///
  /// Parameters, errors and complexity are those of ``FullTextQuery/ranked(_:limit:offset:ranking:excluding:)``.
  public func ranked(
    _ db: Database, limit: Int, offset: Int = 0, ranking: Ranking = Ranking(),
    excluding excluded: String? = nil
  ) throws -> Hits {
    guard limit > 0 else { return Hits(rows: [], isRelaxed: false, query: allWords) }
    let offset = max(0, offset)
    let (sum, overflows) = limit.addingReportingOverflow(offset)
    let needed = overflows ? Int.max : sum
    let best = try allWords.ranked(db, limit: max(needed, sufficientCount), ranking: ranking, excluding: excluded)
    guard best.count < sufficientCount, let anyWord = try anyWord() else {
      return Hits(rows: Array(best.prefix(needed).dropFirst(offset)), isRelaxed: false, query: allWords)
    }
    // With fewer than were asked for, these are all that have all words.
    let known = best.map { "SELECT \($0.rowID)" }
    let others = try anyWord.ranked(
      db, limit: max(needed, sufficientCount) - best.count, ranking: ranking,
      excluding: known.isEmpty ? excluded : ([excluded].compactMap { $0 } + known).joined(separator: " UNION ALL "))
    return Hits(
      rows: Array((best + others).prefix(needed).dropFirst(offset)), isRelaxed: !others.isEmpty, query: anyWord)
  }

  /// The number of documents that ``ranked(_:limit:offset:ranking:excluding:)`` would find without a limit.
  public func count(_ db: Database, excluding excluded: String? = nil) throws -> Int {
    let count = try allWords.count(db, excluding: excluded)
    guard count < sufficientCount, let anyWord = try anyWord() else { return count }
    return try anyWord.count(db, excluding: excluded)
  }
}

extension CompiledMatch {
  /// How many words or phrases a document must match by.
  fileprivate var operandCount: Int {
    switch self {
    case .nothing: 0
    case .phrase, .near, .or: 1
    case .and(let operands): operands.reduce(0) { $0 + $1.operandCount }
    case .not(let operand, _), .columns(_, let operand), .weighted(let operand, _): operand.operandCount
    }
  }
}
