import SQLiteAccess
import TextIndex

/// `concordance_hits(rows)`: a table of the documents that match a full-text query.
///
/// ```sql
/// SELECT d.id FROM concordance_hits(?1) AS h JOIN documents AS d ON d.rowid = h.doc ORDER BY h.score DESC LIMIT 10
/// ```
///
/// The bound object is a `MatchSet`, which reads the index while the statement runs. If the rows are sorted by score,
/// it first finds the best few matches, then more as rows are read, and finally all. A LIMIT therefore stops the search
/// early, regardless of the other conditions of the statement.
final class MatchTableFunction: TableValuedFunction {
  static let name = "concordance_hits"
  static let pointerType: StaticString = "concordance_hits"

  static let documentColumn: Int32 = 0
  static let scoreColumn: Int32 = 1
  private static let inputColumn: Int32 = 2

  /// The flags in the number of a plan.
  private static let hasDocument: Int32 = 1
  private static let isByScore: Int32 = 2
  private static let readsScore: Int32 = 4

  init() { super.init(columns: "doc INTEGER, score REAL, input HIDDEN") }

  /// Returns the matches that are bound to an argument.
  static func matches(_ argument: SQLArgument) -> MatchSet? {
    argument.object(pointerType) as? MatchSet
  }

  override func choose(_ plan: RowTablePlan) -> Bool {
    plan.setEstimate(cost: 1000, rows: 1000)
    for equality in plan.equalities {
      if equality.column == MatchTableFunction.inputColumn {
        guard equality.isUsable else { return false }
        plan.use(equality, argument: 1, isExact: true)
      } else if equality.column == MatchTableFunction.documentColumn, equality.isUsable,
        plan.number & MatchTableFunction.hasDocument == 0
      {
        // SQLite still compares the value, since a number with a fraction is not a rowid.
        plan.use(equality, argument: 2, isExact: false)
        plan.number |= MatchTableFunction.hasDocument
        plan.setEstimate(cost: 10, rows: 1)
      }
    }
    if plan.reads(MatchTableFunction.scoreColumn) { plan.number |= MatchTableFunction.readsScore }
    if plan.isOrdered(descendingBy: MatchTableFunction.scoreColumn) {
      plan.number |= MatchTableFunction.isByScore
      plan.setOrdered()
    }
    return true
  }

  override func rows(plan: Int32, _ arguments: SQLArguments) throws -> RowIterator? {
    guard let input = arguments.first, let matches = MatchTableFunction.matches(input) else { return nil }
    func all() throws -> MatchedRows {
      try plan & MatchTableFunction.readsScore != 0 ? matches.scoredRows() : matches.rows()
    }
    guard plan & MatchTableFunction.hasDocument != 0, arguments.count > 1 else {
      return try plan & MatchTableFunction.isByScore != 0 ? RankedMatchIterator(matches) : MatchIterator(all())
    }
    let all = try all()
    return MatchIterator(all, number: all.number(ofRow: arguments[1].int64))
  }
}

/// Iterates over matches in the order of their rows, or over a single match.
private final class MatchIterator: RowIterator {
  private let rows: MatchedRows
  private let end: Int
  private var number: Int

  init(_ rows: MatchedRows) {
    self.rows = rows
    (number, end) = (0, rows.count)
  }

  init(_ rows: MatchedRows, number: Int?) {
    self.rows = rows
    self.number = number ?? 0
    end = number.map { $0 + 1 } ?? 0
  }

  override var isAtEnd: Bool { number >= end }
  override var rowID: Int64 { isAtEnd ? 0 : rows.rowID(number) }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    switch column {
    case MatchTableFunction.documentColumn: result.set(.integer(rowID), .exact)
    case MatchTableFunction.scoreColumn: result.set(.double(isAtEnd ? 0 : rows.score(number)), .exact)
    default: result.set(.missing, .exact)
    }
  }

  override func advance() { number += 1 }
}

/// `concordance_matches(rows, row)`: whether a row is a match of a full-text query, for MATCH inside OR and NOT. The
/// bound object is the same as for ``MatchTableFunction``.
final class MatchFunction: SQLFunction {
  static let name = "concordance_matches"

  override func call(_ arguments: SQLArguments, _ result: SQLResult) {
    // In a left join without a match, the row is NULL.
    guard arguments[1].type == .integer else { return result.setNull() }
    do {
      let isMatch = try MatchTableFunction.matches(arguments[0])?.contains(row: arguments[1].int64) ?? false
      result.set(isMatch ? 1 : 0 as Int64)
    } catch {
      result.set(error)
    }
  }
}
