public import GRDB
public import SQLiteAccess

/// The statement of a query over some rows of its first source.
struct RestrictedStatement: Sendable {
  /// The parameter that the rows are bound to, behind those of the query.
  let parameter: Int
  /// The column of the statement that tells the row.
  let row: String
  /// The conditions of the query that are tested on each row.
  let conditions: [String]
  /// What is around the conditions.
  let statement: StatementText

  /// The statement.
  var sql: String {
    statement.sql(where: ["\(row) IN (\(RowIDBlob.selection(parameter: parameter)))"] + conditions)
  }
}

extension CompiledQuery {
  /// The statement over the rows that ``CandidateFinder`` has found, bound to all but the parameters of the query; nil for a
  /// query without ``candidates``.
  public func statement(over rows: [Int64], cached: Bool, in db: Database) throws -> SQLStatement? {
    guard let restricted else { return nil }
    let sql = restricted.sql
    let statement = try QueryCompilationError.namingLimits {
      try cached ? SQLStatement(cached: sql, in: db) : SQLStatement(sql: sql, in: db)
    }
    statement.bind(Int32(restricted.parameter), copying: RowIDBlob.blob(of: rows), asText: false)
    return statement
  }
}
