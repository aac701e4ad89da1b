import GRDBSQLite
import TextIndex

/// `concordance_matches(rows, row)`: whether a row is among the documents that a full-text query matches, for a MATCH below OR
/// and NOT. What is bound is that of ``MatchTableFunction``.
enum MatchFunction {
  static let name = "concordance_matches"

  static func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, name, 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
      { context, _, arguments in
        // A join without a partner has no row.
        guard let arguments, sqlite3_value_type(arguments[1]) == SQLITE_INTEGER else {
          return sqlite3_result_null(context)
        }
        let isMatch =
          MatchTableFunction.matches(arguments[0])?.unscored.number(ofRow: sqlite3_value_int64(arguments[1])) != nil
        sqlite3_result_int(context, isMatch ? 1 : 0)
      }, nil, nil, nil)
  }
}
