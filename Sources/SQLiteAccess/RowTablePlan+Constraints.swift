import GRDB
import GRDBSQLite

extension RowTablePlan {
  /// A comparison of a column with a value.
  public struct Comparison {
    /// The operator.
    public enum Operator: UInt8, Sendable { case equal, less, lessOrEqual, greater, greaterOrEqual, isNull, isNotNull }

    /// The column; -1 for the number of the row.
    public let column: Int32
    /// The operator.
    public let `operator`: Operator
    /// Whether the value is a list, `column IN (…)`, which can be read as a whole with
    /// ``SQLArgument/forEachElement(_:)``.
    public let isList: Bool
    fileprivate let index: Int32
  }

  /// A term of ORDER BY.
  public struct Ordering: Hashable {
    /// The column; -1 for the number of the row.
    public let column: Int32
    /// Whether the order is descending.
    public let isDescending: Bool
  }

  /// The comparisons whose values are known when the table is read, and whose collation is binary.
  public var comparisons: [Comparison] {
    (0..<info.pointee.nConstraint).compactMap { index in
      let constraint = info.pointee.aConstraint[Int(index)]
      guard constraint.usable != 0 else { return nil }
      let operation: Comparison.Operator
      switch Int32(constraint.op) {
      case SQLITE_INDEX_CONSTRAINT_EQ: operation = .equal
      case SQLITE_INDEX_CONSTRAINT_LT: operation = .less
      case SQLITE_INDEX_CONSTRAINT_LE: operation = .lessOrEqual
      case SQLITE_INDEX_CONSTRAINT_GT: operation = .greater
      case SQLITE_INDEX_CONSTRAINT_GE: operation = .greaterOrEqual
      case SQLITE_INDEX_CONSTRAINT_ISNULL: operation = .isNull
      case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: operation = .isNotNull
      default: return nil
      }
      guard constraint.iColumn < 0 || isBinary(index) else { return nil }
      return Comparison(
        column: constraint.iColumn, operator: operation,
        isList: operation == .equal && sqlite3_vtab_in(info, index, -1) != 0, index: index)
    }
  }

  private func isBinary(_ index: Int32) -> Bool {
    sqlite3_vtab_collation(info, index).map { String(cString: $0).uppercased() == "BINARY" } ?? true
  }

  /// Uses a comparison; SQLite compares the value again.
  ///
  /// - Parameter argument: the number of its value among the arguments, starting at 1.
  public func use(_ comparison: Comparison, argument: Int32) {
    info.pointee.aConstraintUsage[Int(comparison.index)].argvIndex = argument
    if comparison.isList { _ = sqlite3_vtab_in(info, comparison.index, 1) }
  }

  /// The terms of ORDER BY; empty if there is none or if it has a term that is not a column.
  public var orderings: [Ordering] {
    (0..<Int(info.pointee.nOrderBy)).map { index in
      let term = info.pointee.aOrderBy[index]
      return Ordering(column: term.iColumn, isDescending: term.desc != 0)
    }
  }

  /// Declares that the plan returns at most one row.
  public func setUnique() { info.pointee.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE }
}

extension SQLArgument {
  /// Calls `body` with each value of a list, see ``RowTablePlan/Comparison/isList``.
  ///
  /// - Throws: `DatabaseError` if the list cannot be read to its end, for example because memory is exhausted, or if
  ///   the value is not a list.
  public func forEachElement(_ body: (SQLArgument) -> Void) throws {
    var element: OpaquePointer?
    var code = sqlite3_vtab_in_first(handle, &element)
    while code == SQLITE_OK, element != nil {
      body(SQLArgument(handle: element))
      code = sqlite3_vtab_in_next(handle, &element)
    }
    // Any other code would truncate the list, and rows would be missing.
    guard code == SQLITE_OK || code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: "a list of values cannot be read: \(String(cString: sqlite3_errstr(code)))")
    }
  }
}
