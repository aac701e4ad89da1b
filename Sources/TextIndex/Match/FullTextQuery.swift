public import GRDB
public import QueryModel

/// A match expression prepared for one index: parsed, analyzed and resolved.
///
/// It can be run any number of times, on any thread, while the index exists.
public struct FullTextQuery: Equatable, Sendable {
  let index: StoredFullTextIndex
  let match: CompiledMatch
  /// Whether the query has more words with `~` than are looked up; the others match as they are written.
  public private(set) var limitsApproximations = false

  /// The maximum number of distinct words with `~` that are looked up.
  public static let maximumApproximateWordCount = Approximations.maximumWordCount

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - fields: names of the fields to search; nil for all.
  ///   - skippingEmptyOperands: whether an operand without words, such as `!`, is skipped. Otherwise it matches
  ///     nothing, as in FTS5's language.
  ///   - relaxing: whether one of the words is enough, see ``RelaxableQuery``.
  ///   - index: the index to search.
  ///   - db: a connection in a read transaction, for words with `~`; nil if there are none.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt.
  public init(
    _ query: MatchQuery, fields: [String]? = nil, skippingEmptyOperands: Bool = false, relaxing: Bool = false,
    in index: StoredFullTextIndex, _ db: Database? = nil
  ) throws {
    try self.init(
      query, fields: fields, skippingEmptyOperands: skippingEmptyOperands, relaxing: relaxing, in: index,
      Approximations(index, db))
  }

  /// Prepares a query with words that were looked up for another form of it.
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

  /// Returns whether two queries are equal and search the same index.
  public static func == (one: FullTextQuery, other: FullTextQuery) -> Bool {
    one.index.id == other.index.id && one.match == other.match
  }

  init(compiled match: CompiledMatch, in index: StoredFullTextIndex) {
    self.index = index
    self.match = match
  }

  /// The query in FTS5's language, rendered each time because only the FTS5 fallback needs it.
  public var expression: String { FTS5Expression(match).text }

  /// Whether the query has no words.
  public var isEmpty: Bool { match == .nothing }

  /// The name of the index.
  public var indexName: String { index.name }

  /// The ranking in the definition of the index.
  public var defaultRanking: Ranking { index.definition.ranking }
}
