import CSQLite
import GRDBSQLite

/// A table of ours that is a function: `name(input)` gives rows. It is there without being created, in no schema.
///
/// What all such tables have in common of SQLite's interface, <https://www.sqlite.org/vtab.html>. A table adds its columns,
/// its plan, and a ``RowIterator`` for each time it is read.
enum TableValuedFunction {
  typealias Connect =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<UnsafePointer<CChar>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32
  typealias Plan =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab>?, UnsafeMutablePointer<sqlite3_index_info>?
    ) -> Int32
  typealias Filter =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab_cursor>?, Int32, UnsafePointer<CChar>?, Int32,
      UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32

  /// The callbacks of a table, in memory that is never given back.
  static func module(
    connect: @escaping Connect, plan: @escaping Plan, filter: @escaping Filter
  ) -> UnsafeMutablePointer<sqlite3_module> {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: sqlite3_module())
    // Without xCreate the table is there without being created.
    module.pointee.xConnect = connect
    module.pointee.xDisconnect = { table in
      table?.deallocate()
      return SQLITE_OK
    }
    module.pointee.xBestIndex = plan
    module.pointee.xOpen = { _, cursor in
      let memory = UnsafeMutablePointer<VirtualTableCursor>.allocate(capacity: 1)
      memory.initialize(to: VirtualTableCursor())
      cursor?.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.pointee.xClose = { cursor in
      guard let cursor = TableValuedFunction.cursor(cursor) else { return SQLITE_OK }
      cursor.pointee.iterator?.release()
      cursor.deinitialize(count: 1)
      cursor.deallocate()
      return SQLITE_OK
    }
    module.pointee.xFilter = filter
    module.pointee.xNext = { cursor in
      TableValuedFunction.iterator(cursor)?.advance()
      return SQLITE_OK
    }
    module.pointee.xEof = { cursor in TableValuedFunction.iterator(cursor)?.isAtEnd == false ? 0 : 1 }
    module.pointee.xRowid = { cursor, row in
      row?.pointee = TableValuedFunction.iterator(cursor)?.rowID ?? 0
      return SQLITE_OK
    }
    module.pointee.xColumn = { cursor, context, column in
      guard let context else { return SQLITE_ERROR }
      TableValuedFunction.iterator(cursor)?.setColumn(column, SQLResult(context: context))
      return SQLITE_OK
    }
    return module
  }

  /// Declares the columns of a table.
  static func declare(
    _ columns: String, _ connection: OpaquePointer?,
    _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
  ) -> Int32 {
    let code = sqlite3_declare_vtab(connection, "CREATE TABLE x(\(columns))")
    guard code == SQLITE_OK else { return code }
    // The functions of ours are forbidden to a schema, too: see ``QueryRuntime``.
    let restriction = csqlite_forbid_use_by_schema(connection)
    guard restriction == SQLITE_OK else { return restriction }
    let memory = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
    memory.initialize(to: sqlite3_vtab())
    table?.pointee = memory
    return SQLITE_OK
  }

  /// A plan in which the argument, a hidden column, is the only condition that is used. One that does not have it yet is none.
  static func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>?, input: Int32, rows: Int64) -> Int32 {
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

  /// Begins to read: nil for no rows.
  static func begin(_ iterator: RowIterator?, _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    guard let cursor = TableValuedFunction.cursor(cursor) else { return SQLITE_ERROR }
    cursor.pointee.iterator?.release()
    cursor.pointee.iterator = iterator.map { Unmanaged.passRetained($0) }
    return SQLITE_OK
  }

  private static func cursor(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<VirtualTableCursor>? {
    cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: VirtualTableCursor.self) }
  }

  private static func iterator(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> RowIterator? {
    TableValuedFunction.cursor(cursor)?.pointee.iterator?.takeUnretainedValue()
  }
}

/// Goes over the rows of a ``TableValuedFunction`` once.
class RowIterator {
  var isAtEnd: Bool { true }
  var rowID: Int64 { 0 }
  func advance() {}
  func setColumn(_ column: Int32, _ result: SQLResult) {}
}

/// What SQLite calls a cursor: its own part comes first.
private struct VirtualTableCursor {
  var base = sqlite3_vtab_cursor()
  var iterator: Unmanaged<RowIterator>?
}
