public import DocumentStore
public import GRDB

/// The statement of a query over some rows of its first source.
struct RestrictedStatement: Sendable {
  /// The parameter that the rows are bound to, behind those of the query.
  let parameter: Int
  let sql: String
}

extension CompiledQuery {
  /// The statement over the rows that ``CandidateFinder`` has found, bound to all but the parameters of the query; nil for a
  /// query without ``candidates``.
  public func statement(over rows: [Int64], cached: Bool, in db: Database) throws -> SQLStatement? {
    guard let restricted else { return nil }
    let statement = try QueryCompilationError.namingLimits {
      try cached ? SQLStatement(cached: restricted.sql, in: db) : SQLStatement(sql: restricted.sql, in: db)
    }
    statement.bind(Int32(restricted.parameter), copying: RowSet.blob(of: rows), asText: false)
    return statement
  }
}
