public import GRDB
public import QueryModel

/// A match expression made ready for one index: parsed, analysed, resolved.
///
/// It may be run any number of times, in any thread, while the index exists.
public struct FullTextQuery: Equatable, Sendable {
  let index: StoredFullTextIndex
  let match: CompiledMatch
  /// Whether more words may be misspelt (`word~`) than are looked up; the others count as they are written.
  public private(set) var limitsApproximations = false

  /// How many different words of a query may be misspelt.
  public static let maximumApproximateWordCount = Approximations.maximumWordCount

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - fields: names of the fields to search; nil for all.
  ///   - skippingEmptyOperands: whether an operand without any word, such as `!`, is passed over. Otherwise it matches
  ///     nothing, as in FTS5's language.
  ///   - relaxing: whether one of the words is enough, see ``RelaxableQuery``.
  ///   - index: where.
  ///   - db: a connection in a read transaction, for words that may be misspelt; nil where there are none.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt.
  public init(
    _ query: MatchQuery, fields: [String]? = nil, skippingEmptyOperands: Bool = false, relaxing: Bool = false,
    in index: StoredFullTextIndex, _ db: Database? = nil
  ) throws {
    try self.init(
      query, fields: fields, skippingEmptyOperands: skippingEmptyOperands, relaxing: relaxing, in: index,
      Approximations(index, db))
  }

  /// The same with words that were looked up for another form of the query.
  init(
    _ query: MatchQuery, fields: [String]?, skippingEmptyOperands: Bool, relaxing: Bool, in index: StoredFullTextIndex,
    _ approximations: Approximations
  ) throws {
    try index.requireCurrent()
    let compiler = MatchCompiler(
      index, skippingEmptyOperands: skippingEmptyOperands, relaxing: relaxing, approximations)
    self.init(compiled: try compiler.compile(query, fields: fields), in: index)
    limitsApproximations = approximations.areLimited
  }

  /// Whether two queries look for the same in the same index.
  public static func == (one: FullTextQuery, other: FullTextQuery) -> Bool {
    one.index.id == other.index.id && one.match == other.match
  }

  init(compiled match: CompiledMatch, in index: StoredFullTextIndex) {
    self.index = index
    self.match = match
  }

  /// The query in the language of FTS5, written each time: only the FTS5 fallback needs it.
  public var expression: String { FTS5Expression(match).text }

  /// Whether there is nothing to look for: the query has no word.
  public var isEmpty: Bool { match == .nothing }

  /// The name of the index.
  public var indexName: String { index.name }

  /// How the definition of the index says that hits are ranked.
  public var defaultRanking: Ranking { index.definition.ranking }
}
