import GRDBSQLite

/// A plan for reading a ``TableValuedFunction``: the constraints that the function uses, and the cost.
///
/// See "The xBestIndex Method", <https://www.sqlite.org/vtab.html#the_xbestindex_method>. A plan is valid only during
/// ``TableValuedFunction/choose(_:)``.
public struct RowTablePlan {
  /// A constraint `column = value`.
  public struct Equality {
    /// The column.
    public let column: Int32
    /// Whether the value is known when the table is read.
    public let isUsable: Bool
    fileprivate let index: Int
  }

  let info: UnsafeMutablePointer<sqlite3_index_info>

  init(_ info: UnsafeMutablePointer<sqlite3_index_info>) { self.info = info }

  /// The constraints of the form `column = value`.
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
  ///   - argument: the number of its value among the arguments, starting at 1.
  ///   - isExact: whether all rows satisfy the constraint, so that SQLite does not check it again.
  public func use(_ equality: Equality, argument: Int32, isExact: Bool) {
    info.pointee.aConstraintUsage[equality.index].argvIndex = argument
    info.pointee.aConstraintUsage[equality.index].omit = isExact ? 1 : 0
  }

  /// Uses the first constraint on a hidden column as the only argument. Without such a constraint, the table has no
  /// rows.
  ///
  /// - Parameters:
  ///   - column: the hidden column.
  ///   - rows: the estimated number of rows.
  /// - Returns: false if the value is not yet known.
  public func useArgument(_ column: Int32, rows: Int64) -> Bool {
    guard let argument = equalities.first(where: { $0.column == column }) else { return true }
    guard argument.isUsable else { return false }
    use(argument, argument: 1, isExact: true)
    setEstimate(cost: Double(rows), rows: rows)
    return true
  }

  /// Sets the estimated cost of the plan and the estimated number of rows.
  public func setEstimate(cost: Double, rows: Int64) {
    info.pointee.estimatedCost = cost
    info.pointee.estimatedRows = rows
  }

  /// The number passed to ``TableValuedFunction/rows(plan:_:)``.
  public var number: Int32 {
    get { info.pointee.idxNum }
    nonmutating set { info.pointee.idxNum = newValue }
  }

  /// Describes the plan for ``StatementPlan/tableDescriptions``.
  public func describe(_ text: String) {
    let bytes = Array(text.utf8.filter { $0 != 0 }) + [0]
    guard let copy = sqlite3_malloc64(sqlite3_uint64(bytes.count)) else { return }
    UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
    if info.pointee.needToFreeIdxStr != 0 { sqlite3_free(info.pointee.idxStr) }
    info.pointee.idxStr = copy.assumingMemoryBound(to: CChar.self)
    // SQLite frees it.
    info.pointee.needToFreeIdxStr = 1
  }

  /// Whether the statement reads a column, which must be one of the first 63.
  public func reads(_ column: Int32) -> Bool { info.pointee.colUsed & (1 << UInt64(column)) != 0 }

  /// Whether the statement is ordered by this column alone, descending.
  public func isOrdered(descendingBy column: Int32) -> Bool {
    info.pointee.nOrderBy == 1 && info.pointee.aOrderBy[0].iColumn == column && info.pointee.aOrderBy[0].desc != 0
  }

  /// Declares that the rows are returned in the order of the statement's ORDER BY.
  public func setOrdered() { info.pointee.orderByConsumed = 1 }
}
