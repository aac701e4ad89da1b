public import TextIndex

/// A query made ready to run: SQL, what to bind, and what its columns are called.
///
/// It may be run any number of times, in any thread, as long as the catalog of the file is the one it was compiled for.
/// Every column of the result is in the exact encoding, see ``ColumnValue``.
public struct CompiledQuery: Sendable {
  /// The statement.
  public let sql: String
  /// What to bind, the first to `?1`.
  public let bindings: [QueryBinding]
  /// The names of the columns.
  public let columnNames: [String]
  /// The names of the parameters that must be set, sorted.
  public let parameterNames: [String]
  /// The full-text indexes that are asked, by id.
  public let fullTextIndexes: [Int64: StoredFullTextIndex]
  /// How the rows of the first source may be found before the statement runs; nil where there is nothing to gain.
  public let rowFilter: RowFilter?
  /// What pattern indexes know of the rows of the first source; nil where no condition asks them.
  public let candidates: RowCandidates?
  /// The statement over some rows of the first source; nil without ``candidates``.
  let restricted: RestrictedStatement?
  /// How it is run, in words.
  public let plan: QueryPlan
}
