import SQLiteAccess
import TextIndex

/// `concordance_matches(rows, row)`: whether a row is a match of a full-text query, for MATCH inside OR and NOT. The
/// bound object is the same as for ``MatchTableFunction``.
final class MatchFunction: SQLFunction {
  static let name = "concordance_matches"

  override func call(_ arguments: SQLArguments, _ result: SQLResult) {
    // A left join without a match has no row.
    guard arguments[1].type == .integer else { return result.setNull() }
    do {
      let isMatch = try MatchTableFunction.matches(arguments[0])?.contains(row: arguments[1].int64) ?? false
      result.set(isMatch ? 1 : 0 as Int64)
    } catch {
      result.set(error)
    }
  }
}
