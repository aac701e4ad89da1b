public import TextIndex

/// A query that is ready to run: its SQL, its bindings and its column names.
///
/// It may be run any number of times and on any thread until the catalog of the file changes. Every column of the
/// result uses the exact encoding; see ``ColumnValue``.
public struct CompiledQuery: Sendable {
  /// The statement.
  public let sql: String
  /// The values to bind; the first one is bound to `?1`.
  public let bindings: [QueryBinding]
  /// The names of the columns.
  public let columnNames: [String]
  /// The names of the parameters that must be set, sorted.
  public let parameterNames: [String]
  /// The full-text indexes that the query reads, by id.
  public let fullTextIndexes: [Int64: StoredFullTextIndex]
  /// Finds the rows of the first source before the statement runs; nil if this is not faster.
  public let rowFilter: RowFilter?
  /// The candidate rows of the first source that indexes provide at run time; nil if no condition uses such an index.
  public let candidates: RowCandidates?
  /// The statement restricted to given rows of the first source; nil without ``candidates``.
  let restricted: RestrictedStatement?
  /// The query plan, for `explain`.
  public let plan: QueryPlan

  /// Whether the query reads indexes whose changes are buffered in memory during a transaction.
  public var readsBufferedIndexes: Bool { !fullTextIndexes.isEmpty || candidates?.probes.isEmpty == false }
}
