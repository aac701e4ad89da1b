import SQLiteAccess
import TextIndex

/// `concordance_matches(rows, row)`: whether a row is among the documents that a full-text query matches, for a MATCH below OR
/// and NOT. What is bound is that of ``MatchTableFunction``.
final class MatchFunction: SQLFunction {
  static let name = "concordance_matches"

  override func call(_ arguments: SQLArguments, _ result: SQLResult) {
    // A join without a partner has no row.
    guard arguments[1].type == .integer else { return result.setNull() }
    do {
      let isMatch = try MatchTableFunction.matches(arguments[0])?.contains(row: arguments[1].int64) ?? false
      result.set(isMatch ? 1 : 0 as Int64)
    } catch {
      result.set(error)
    }
  }
}
