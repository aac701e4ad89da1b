import GRDBSQLite

/// What virtual tables have in common that are called like functions: <https://www.sqlite.org/vtab.html#tabfunc2>.
enum TableFunction {
  /// xConnect: declares the columns and makes SQLite's part of a table, which is all of it.
  static func connect(
    _ connection: OpaquePointer?, _ declaration: String,
    _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
  ) -> Int32 {
    let code = sqlite3_declare_vtab(connection, declaration)
    guard code == SQLITE_OK else { return code }
    let memory = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
    memory.initialize(to: sqlite3_vtab())
    table?.pointee = memory
    return SQLITE_OK
  }

  /// xDisconnect.
  static let disconnect: @convention(c) (UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 = { table in
    table?.deallocate()
    return SQLITE_OK
  }

  /// xBestIndex: the argument, a hidden column, is the only condition that is used. A plan that does not have it yet is none.
  static func plan(
    _ info: UnsafeMutablePointer<sqlite3_index_info>?, input: Int32, rows: Int64
  ) -> Int32 {
    guard let info else { return SQLITE_ERROR }
    for index in 0..<Int(info.pointee.nConstraint) {
      let constraint = info.pointee.aConstraint[index]
      guard constraint.iColumn == input, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else { continue }
      guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
      info.pointee.aConstraintUsage[index].argvIndex = 1
      info.pointee.aConstraintUsage[index].omit = 1
      info.pointee.estimatedCost = Double(rows)
      info.pointee.estimatedRows = rows
      return SQLITE_OK
    }
    // Without an argument there are no rows.
    return SQLITE_OK
  }
}
