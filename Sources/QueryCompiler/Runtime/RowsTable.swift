import GRDBSQLite

/// `concordance_rows(blob)`: numbers of rows as rows, for conditions that were decided before the statement runs.
///
/// ```sql
/// SELECT … FROM documents AS t0 WHERE t0.rowid IN (SELECT doc FROM concordance_rows(?1))
/// ```
///
/// The blob holds integers of 8 bytes in the order of the machine: it is made and read by the same process, see ``RowSet``.
enum RowsTable {
  static func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_module_v2(connection, "concordance_rows", module, nil, nil)
  }

  private static let inputColumn: Int32 = 1

  /// The callbacks, in the layout of SQLite; vtab.html. Without xCreate the table is there without being created.
  /// It is written here once and only read by SQLite.
  nonisolated(unsafe) private static let module: UnsafeMutablePointer<sqlite3_module> = {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: sqlite3_module())
    module.pointee.xConnect = { connection, _, _, _, table, _ in
      TableFunction.connect(connection, "CREATE TABLE x(doc INTEGER, input HIDDEN)", table)
    }
    module.pointee.xDisconnect = TableFunction.disconnect
    module.pointee.xBestIndex = { _, info in TableFunction.plan(info, input: RowsTable.inputColumn, rows: 1000) }
    module.pointee.xOpen = { _, cursor in
      let memory = UnsafeMutablePointer<RowsCursor>.allocate(capacity: 1)
      memory.initialize(to: RowsCursor())
      cursor?.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.pointee.xClose = { cursor in
      guard let cursor = RowsTable.cursor(cursor) else { return SQLITE_OK }
      cursor.deinitialize(count: 1)
      cursor.deallocate()
      return SQLITE_OK
    }
    module.pointee.xFilter = { cursor, _, _, count, arguments in
      guard let cursor = RowsTable.cursor(cursor) else { return SQLITE_ERROR }
      let input = SQLArgument(handle: count > 0 ? arguments?[0] : nil)
      cursor.pointee.rows =
        input.handle != nil && input.type == SQLITE_BLOB ? RowSet.rows(ofBlob: input.bytes) : []
      cursor.pointee.position = 0
      return SQLITE_OK
    }
    module.pointee.xNext = { cursor in
      RowsTable.cursor(cursor)?.pointee.position += 1
      return SQLITE_OK
    }
    module.pointee.xEof = { cursor in RowsTable.cursor(cursor)?.pointee.row == nil ? 1 : 0 }
    module.pointee.xRowid = { cursor, row in
      row?.pointee = Int64(RowsTable.cursor(cursor)?.pointee.position ?? 0)
      return SQLITE_OK
    }
    module.pointee.xColumn = { cursor, context, column in
      if column != RowsTable.inputColumn, let row = RowsTable.cursor(cursor)?.pointee.row {
        sqlite3_result_int64(context, row)
      } else {
        sqlite3_result_null(context)
      }
      return SQLITE_OK
    }
    return module
  }()

  private static func cursor(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<RowsCursor>? {
    cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: RowsCursor.self) }
  }
}

/// What SQLite calls a cursor: its own part comes first.
private struct RowsCursor {
  var base = sqlite3_vtab_cursor()
  var rows: [Int64] = []
  var position = 0

  var row: Int64? { position < rows.count ? rows[position] : nil }
}
