public import GRDB
public import SQLiteAccess

/// The statement of a query restricted to given rows of its first source.
struct RestrictedStatement: Sendable {
  /// The parameter that the rows are bound to, after those of the query.
  let parameter: Int
  /// The column that contains the rowid.
  let row: String
  /// The conditions of the query that are tested on each row.
  let conditions: [String]
  /// The statement without these conditions.
  let statement: StatementText

  /// The SQL with the restriction.
  var sql: String {
    statement.sql(where: ["\(row) IN (\(RowIDBlob.selection(parameter: parameter)))"] + conditions)
  }
}

extension CompiledQuery {
  /// Returns the statement restricted to rows that ``CandidateFinder`` has found. The rows are bound; the parameters of
  /// the query are not. Returns nil if the query has no ``candidates``.
  public func statement(over rows: [Int64], cached: Bool, in db: Database) throws -> SQLStatement? {
    guard let restricted else { return nil }
    let sql = restricted.sql
    let statement = try QueryCompilationError.convertingLimitErrors {
      try SQLStatement(sql: sql, cached: cached, in: db)
    }
    statement.bind(Int32(restricted.parameter), copying: RowIDBlob.blob(of: rows), asText: false)
    return statement
  }
}
