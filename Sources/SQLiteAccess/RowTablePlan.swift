import GRDBSQLite

/// A plan for reading a ``TableValuedFunction``: which constraints of the statement it uses, and what it costs.
///
/// See "The xBestIndex Method", <https://www.sqlite.org/vtab.html#the_xbestindex_method>. A plan is valid while it is chosen.
public struct RowTablePlan {
  /// A constraint `column = value`.
  public struct Equality {
    /// The column.
    public let column: Int32
    /// Whether the value is known when the table is read.
    public let isUsable: Bool
    fileprivate let index: Int
  }

  private let info: UnsafeMutablePointer<sqlite3_index_info>

  init(_ info: UnsafeMutablePointer<sqlite3_index_info>) { self.info = info }

  /// The constraints of this form.
  public var equalities: [Equality] {
    (0..<Int(info.pointee.nConstraint)).compactMap { index in
      let constraint = info.pointee.aConstraint[index]
      guard constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else { return nil }
      return Equality(column: constraint.iColumn, isUsable: constraint.usable != 0, index: index)
    }
  }

  /// Uses a constraint.
  ///
  /// - Parameters:
  ///   - equality: one of ``equalities``.
  ///   - argument: the number of its value among the arguments, from 1.
  ///   - isExact: whether SQLite need not compare the value again.
  public func use(_ equality: Equality, argument: Int32, isExact: Bool) {
    info.pointee.aConstraintUsage[equality.index].argvIndex = argument
    info.pointee.aConstraintUsage[equality.index].omit = isExact ? 1 : 0
  }

  /// Uses the first constraint on a hidden column as the only argument. Without one, the table has no rows.
  ///
  /// - Parameters:
  ///   - column: the hidden column.
  ///   - rows: about how many rows there are.
  /// - Returns: false if its value is not known yet.
  public func useArgument(_ column: Int32, rows: Int64) -> Bool {
    guard let argument = equalities.first(where: { $0.column == column }) else { return true }
    guard argument.isUsable else { return false }
    use(argument, argument: 1, isExact: true)
    setEstimate(cost: Double(rows), rows: rows)
    return true
  }

  /// States what the plan costs and how many rows it returns.
  public func setEstimate(cost: Double, rows: Int64) {
    info.pointee.estimatedCost = cost
    info.pointee.estimatedRows = rows
  }

  /// The number that ``TableValuedFunction/rows(plan:_:)`` gets.
  public var number: Int32 {
    get { info.pointee.idxNum }
    nonmutating set { info.pointee.idxNum = newValue }
  }

  /// Whether the statement reads a column, one of the first 63.
  public func reads(_ column: Int32) -> Bool { info.pointee.colUsed & (1 << UInt64(column)) != 0 }

  /// Whether the statement is ordered by this column alone, descending.
  public func isOrdered(descendingBy column: Int32) -> Bool {
    info.pointee.nOrderBy == 1 && info.pointee.aOrderBy[0].iColumn == column && info.pointee.aOrderBy[0].desc != 0
  }

  /// States that the rows come in the order of the statement.
  public func setOrdered() { info.pointee.orderByConsumed = 1 }
}
