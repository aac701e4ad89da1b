import CSQLite
public import GRDB
import GRDBSQLite

/// A table-valued function: `name(input)` returns rows. It is available on a connection without CREATE VIRTUAL TABLE
/// and does not belong to a schema.
///
/// See "The Virtual Table Mechanism Of SQLite", <https://www.sqlite.org/vtab.html>. A subclass chooses a plan and
/// creates a ``RowIterator`` each time the table is read.
open class TableValuedFunction {
  /// The column declarations; arguments are marked `HIDDEN`.
  fileprivate let columns: String

  /// Creates a table.
  public init(columns: String) { self.columns = columns }

  /// Chooses the plan for reading the table.
  ///
  /// - Returns: false if the plan is impossible because an argument is not yet known.
  open func choose(_ plan: RowTablePlan) -> Bool { true }

  /// Starts a scan.
  ///
  /// - Parameters:
  ///   - plan: the number of the plan.
  ///   - arguments: the values of the constraints that the plan uses.
  /// - Returns: the rows; nil for none.
  /// - Throws: any error; it ends the statement; see ``CallbackFault``.
  open func rows(plan: Int32, _ arguments: SQLArguments) throws -> RowIterator? { nil }
}

/// A forward iterator over the rows of a ``TableValuedFunction``.
open class RowIterator {
  /// Creates an iterator.
  public init() {}

  /// Whether there is no current row.
  open var isAtEnd: Bool { true }

  /// The number of the current row.
  open var rowID: Int64 { 0 }

  /// Advances to the next row.
  ///
  /// - Throws: any error; it ends the statement; see ``CallbackFault``.
  open func advance() throws {}

  /// Sets the value of a column of the current row.
  open func setColumn(_ column: Int32, _ result: SQLResult) {}
}

extension Database {
  /// Adds a table to this connection, which retains it.
  ///
  /// - Throws: `DatabaseError`.
  public func addTable(_ name: String, _ table: TableValuedFunction) throws {
    let code = sqlite3_create_module_v2(
      sqliteConnection, name, module, Unmanaged.passRetained(table).toOpaque(),
      // SQLite also calls this after a failure.
      { owner in if let owner { Unmanaged<TableValuedFunction>.fromOpaque(owner).release() } })
    try DatabaseError.check(code, sqliteConnection)
  }
}

/// A table in SQLite's layout: `base` must be the first member.
private struct TableMemory {
  var base = sqlite3_vtab()
  /// The connection retains the table while this exists.
  let table: Unmanaged<TableValuedFunction>
}

/// A cursor in SQLite's layout: `base` must be the first member.
private struct CursorMemory {
  var base = sqlite3_vtab_cursor()
  var iterator: Unmanaged<RowIterator>?
}

private func table(_ memory: UnsafeMutablePointer<sqlite3_vtab>?) -> TableValuedFunction? {
  memory.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: TableMemory.self).pointee.table }?
    .takeUnretainedValue()
}

private func cursor(_ memory: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<CursorMemory>? {
  memory.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: CursorMemory.self) }
}

private func iterator(_ memory: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> RowIterator? {
  cursor(memory)?.pointee.iterator?.takeUnretainedValue()
}

/// Calls `body`; if it throws, passes the code and message of the error to SQLite.
private func reporting(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: () throws -> Void) -> Int32 {
  guard let table = cursor?.pointee.pVtab else { return SQLITE_ERROR }
  do {
    try body()
    return SQLITE_OK
  } catch {
    let fault = CallbackFault(error)
    sqlite3_free(table.pointee.zErrMsg)
    table.pointee.zErrMsg = fault.allocatedMessage
    return fault.code
  }
}

private func connect(
  _ connection: OpaquePointer?, _ owner: UnsafeMutableRawPointer?,
  _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
) -> Int32 {
  guard let owner else { return SQLITE_ERROR }
  let table = Unmanaged<TableValuedFunction>.fromOpaque(owner)
  let columns = table.takeUnretainedValue().columns
  let code = sqlite3_declare_vtab(connection, "CREATE TABLE x(\(columns))")
  guard code == SQLITE_OK else { return code }
  // As with functions, triggers and views must not use the table.
  let restriction = csqlite_forbid_use_by_schema(connection)
  guard restriction == SQLITE_OK else { return restriction }
  let memory = UnsafeMutablePointer<TableMemory>.allocate(capacity: 1)
  memory.initialize(to: TableMemory(table: table))
  result?.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab.self)
  return SQLITE_OK
}

/// The callbacks of all tables. They are initialized once here, and SQLite only reads them.
nonisolated(unsafe) private let module = {
  let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
  module.initialize(to: sqlite3_module())
  // Without xCreate, the table is available without CREATE VIRTUAL TABLE.
  module.pointee.xConnect = { connection, owner, _, _, table, _ in connect(connection, owner, table) }
  module.pointee.xDisconnect = { table in
    table?.deallocate()
    return SQLITE_OK
  }
  module.pointee.xBestIndex = { memory, info in
    guard let table = table(memory), let info else { return SQLITE_ERROR }
    return table.choose(RowTablePlan(info)) ? SQLITE_OK : SQLITE_CONSTRAINT
  }
  module.pointee.xOpen = { _, cursor in
    let memory = UnsafeMutablePointer<CursorMemory>.allocate(capacity: 1)
    memory.initialize(to: CursorMemory())
    cursor?.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }
  module.pointee.xClose = { memory in
    guard let cursor = cursor(memory) else { return SQLITE_OK }
    cursor.pointee.iterator?.release()
    cursor.deinitialize(count: 1)
    cursor.deallocate()
    return SQLITE_OK
  }
  module.pointee.xFilter = { memory, plan, _, count, arguments in
    guard let cursor = cursor(memory), let table = table(cursor.pointee.base.pVtab) else { return SQLITE_ERROR }
    return reporting(memory) {
      let rows = try table.rows(plan: plan, SQLArguments(arguments, count))
      cursor.pointee.iterator?.release()
      cursor.pointee.iterator = rows.map { Unmanaged.passRetained($0) }
    }
  }
  module.pointee.xNext = { cursor in
    reporting(cursor) { try iterator(cursor)?.advance() }
  }
  module.pointee.xEof = { cursor in iterator(cursor)?.isAtEnd == false ? 0 : 1 }
  module.pointee.xRowid = { cursor, row in
    row?.pointee = iterator(cursor)?.rowID ?? 0
    return SQLITE_OK
  }
  module.pointee.xColumn = { cursor, context, column in
    guard let context else { return SQLITE_ERROR }
    iterator(cursor)?.setColumn(column, SQLResult(context: context))
    return SQLITE_OK
  }
  return module
}()
