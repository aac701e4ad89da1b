import GRDBSQLite
import JSONText

/// `concordance_each(value)`: the elements of an array or the members of an object as rows, for UNNEST and ANY.
///
/// ```sql
/// SELECT e.key, e.value FROM documents, concordance_each(concordance_value(body, 'reviews')) AS e
/// ```
///
/// `key` is the position or the name of the member, `value` is encoded exactly (``SQLEncoding``). Of any other value there are
/// no rows. SQLite's json_each takes no blobs in this encoding and turns booleans into numbers.
enum EachTable {
  static func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_module_v2(connection, "concordance_each", module, nil, nil)
  }

  private static let keyColumn: Int32 = 0
  private static let valueColumn: Int32 = 1
  private static let inputColumn: Int32 = 2

  /// The callbacks, in the layout of SQLite; vtab.html. Without xCreate the table is there without being created.
  /// It is written here once and only read by SQLite.
  nonisolated(unsafe) private static let module: UnsafeMutablePointer<sqlite3_module> = {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: sqlite3_module())
    module.pointee.xConnect = { connection, _, _, _, table, _ in
      TableFunction.connect(connection, "CREATE TABLE x(key, value, input HIDDEN)", table)
    }
    module.pointee.xDisconnect = TableFunction.disconnect
    module.pointee.xBestIndex = { _, info in TableFunction.plan(info, input: EachTable.inputColumn, rows: 10) }
    module.pointee.xOpen = { _, cursor in
      let memory = UnsafeMutablePointer<EachCursor>.allocate(capacity: 1)
      memory.initialize(to: EachCursor())
      cursor?.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.pointee.xClose = { cursor in
      guard let cursor = EachTable.cursor(cursor) else { return SQLITE_OK }
      cursor.pointee.walk?.release()
      cursor.deinitialize(count: 1)
      cursor.deallocate()
      return SQLITE_OK
    }
    module.pointee.xFilter = { cursor, _, _, count, arguments in
      guard let cursor = EachTable.cursor(cursor) else { return SQLITE_ERROR }
      cursor.pointee.walk?.release()
      let input = SQLArgument(handle: count > 0 ? arguments?[0] : nil)
      cursor.pointee.walk =
        input.handle != nil && input.type == SQLITE_BLOB ? Unmanaged.passRetained(EachWalk(input.bytes)) : nil
      return SQLITE_OK
    }
    module.pointee.xNext = { cursor in
      EachTable.walk(cursor)?.advance()
      return SQLITE_OK
    }
    module.pointee.xEof = { cursor in EachTable.walk(cursor)?.item == nil ? 1 : 0 }
    module.pointee.xRowid = { cursor, row in
      row?.pointee = Int64(EachTable.walk(cursor)?.position ?? 0)
      return SQLITE_OK
    }
    module.pointee.xColumn = { cursor, context, column in
      let result = SQLResult(context: context)
      switch column {
      case EachTable.keyColumn: EachTable.walk(cursor)?.setKey(result)
      case EachTable.valueColumn: EachTable.walk(cursor)?.setValue(result)
      default: sqlite3_result_null(context)
      }
      return SQLITE_OK
    }
    return module
  }()

  private static func cursor(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<EachCursor>? {
    cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: EachCursor.self) }
  }

  private static func walk(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> EachWalk? {
    EachTable.cursor(cursor)?.pointee.walk?.takeUnretainedValue()
  }
}

/// What SQLite calls a cursor: its own part comes first.
private struct EachCursor {
  var base = sqlite3_vtab_cursor()
  var walk: Unmanaged<EachWalk>?
}

/// Walks over the items of an array or object. It owns a copy of the text, which SQLite keeps for the call only.
private final class EachWalk {
  private let text: UnsafeMutableRawBufferPointer
  private var scanner: JSONContainerScanner
  private(set) var item: JSONContainerScanner.Item?
  private(set) var position = -1

  init(_ source: UnsafeRawBufferPointer) {
    text = .allocate(byteCount: source.count, alignment: 1)
    text.copyMemory(from: source)
    scanner = JSONContainerScanner(UnsafeRawBufferPointer(text), of: text.indices)
    advance()
  }

  deinit { text.deallocate() }

  func advance() {
    item = scanner.next()
    position += 1
  }

  func setKey(_ result: SQLResult) {
    guard let key = item?.key else { return result.set(.integer(Int64(position)), .exact) }
    result.set(.string(JSONString.string(bytes(key))), .exact)
  }

  func setValue(_ result: SQLResult) {
    guard let item, let slice = JSONSlice(bytes(item.value)) else { return result.set(.missing, .exact) }
    result.set(slice, .exact)
  }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[range])
  }
}
