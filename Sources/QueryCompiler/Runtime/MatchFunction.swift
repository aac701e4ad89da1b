import SQLiteAccess
import TextIndex

/// `concordance_matches(rows, row)`: whether a row is among the documents that a full-text query matches, for a MATCH below OR
/// and NOT. What is bound is that of ``MatchTableFunction``.
final class MatchFunction: SQLFunction {
  static let name = "concordance_matches"

  override func call(_ arguments: SQLArguments, _ result: SQLResult) {
    // A join without a partner has no row.
    guard arguments[1].type == .integer else { return result.setNull() }
    let isMatch = MatchTableFunction.matches(arguments[0])?.unscored.number(ofRow: arguments[1].int64) != nil
    result.set(isMatch ? 1 : 0 as Int64)
  }
}
