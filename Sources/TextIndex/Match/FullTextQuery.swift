public import QueryModel

/// A match expression prepared for one index: parsed, analyzed and resolved.
///
/// It can be run any number of times, on any thread, while the index exists.
public struct FullTextQuery: Equatable, Sendable {
  let index: StoredFullTextIndex
  private(set) var match: CompiledMatch
  /// The expression whose successive words the sequential dependence model scores as pairs: the query before feedback,
  /// with repeated words where they were typed, and without synonyms.
  var windowSource = CompiledMatch.nothing
  /// A factor of the weights of these pairs.
  var windowWeight = 1.0
  /// Whether the query has more words with `~` than ``maximumFuzzyWordCount``; the remaining ones match exactly.
  public private(set) var limitsFuzzyTerms = false

  /// The maximum number of distinct words with `~` that are looked up.
  public static let maximumFuzzyWordCount = FuzzyExpansions.maximumWordCount

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - fields: names of the fields to search; nil for all.
  ///   - skippingEmptyOperands: whether an operand without words, such as `!`, is skipped. Otherwise it matches
  ///     nothing, as in FTS5 query syntax.
  ///   - relaxing: whether a document that contains any one of the words matches; see ``RelaxableQuery``.
  ///   - index: the index to search. Words with `~` match exactly.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt.
  public init(
    _ query: MatchQuery, fields: [String]? = nil, skippingEmptyOperands: Bool = false, relaxing: Bool = false,
    in index: StoredFullTextIndex
  ) throws {
    try self.init(
      query, fields: fields, skippingEmptyOperands: skippingEmptyOperands, relaxing: relaxing, in: index,
      FuzzyExpansions(index))
  }

  /// Prepares a query in which words with `~` also match similar words of the index; see
  /// ``init(_:fields:skippingEmptyOperands:relaxing:in:)-(_,_,_,_,StoredFullTextIndex)``.
  ///
  /// - Parameter reader: the index that is searched and in which similar words are looked up.
  /// - Throws: ``TextIndexError`` for an unknown field, or for an index that must be rebuilt or is damaged.
  public init(
    _ query: MatchQuery, fields: [String]? = nil, skippingEmptyOperands: Bool = false, relaxing: Bool = false,
    in reader: IndexReader
  ) throws {
    try self.init(
      query, fields: fields, skippingEmptyOperands: skippingEmptyOperands, relaxing: relaxing, in: reader.index,
      FuzzyExpansions(reader))
  }

  /// Prepares a query with similar words that were looked up for another form of it.
  init(
    _ query: MatchQuery, fields: [String]?, skippingEmptyOperands: Bool, relaxing: Bool, in index: StoredFullTextIndex,
    _ fuzzyExpansions: FuzzyExpansions
  ) throws {
    try index.requireCurrent()
    let compiler = MatchCompiler(
      index, skippingEmptyOperands: skippingEmptyOperands, relaxing: relaxing, fuzzyExpansions)
    let compiled = try compiler.compile(query, fields: fields)
    self.init(compiled: compiled.mergingRepetitions, in: index)
    windowSource = compiled
    if compiler.hasSynonyms {
      // A word and its synonyms are not successive words.
      compiler.addsSynonyms = false
      windowSource = try compiler.compile(query, fields: fields)
    }
    limitsFuzzyTerms = fuzzyExpansions.isTruncated
  }

  /// Returns whether two queries are equal and search the same index.
  public static func == (one: FullTextQuery, other: FullTextQuery) -> Bool {
    one.index.id == other.index.id && one.match == other.match && one.windowSource == other.windowSource
      && one.windowWeight == other.windowWeight
  }

  /// Returns a query that matches nothing.
  ///
  /// - Throws: ``TextIndexError`` for an index that must be rebuilt.
  public static func empty(in index: StoredFullTextIndex) throws -> FullTextQuery {
    try index.requireCurrent()
    return FullTextQuery(compiled: .nothing, in: index)
  }

  init(compiled match: CompiledMatch, in index: StoredFullTextIndex) {
    self.index = index
    self.match = match
  }

  /// Returns the query for documents that this query or another query of the same index finds. The scores of a document
  /// that both find are added.
  public func union(_ other: FullTextQuery) -> FullTextQuery {
    var union = self
    union.match = .anyFlattened([match, other.match])
    return union
  }

  /// Whether the query has no words.
  public var isEmpty: Bool { match == .nothing }

  /// The ranking in the definition of the index.
  public var defaultRanking: Ranking { index.definition.ranking }
}
