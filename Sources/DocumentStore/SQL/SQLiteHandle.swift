import GRDB
import GRDBSQLite

/// Connections outside GRDB's pool, for operations that the pool does not support or is too slow for.
enum SQLiteHandle {
  /// Opens a connection for one thread at a time. The caller closes it.
  ///
  /// - Parameters:
  ///   - location: The location, see ``FileLocation``.
  ///   - flags: The flags of `sqlite3_open_v2`.
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/cannotOpen``.
  static func open(_ location: String, _ flags: Int32) throws -> OpaquePointer {
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(
      location, &handle, flags | SQLITE_OPEN_NOMUTEX | FileLocation.flags(location), nil)
    guard code == SQLITE_OK, let handle, (try? UntrustedSchemaSettings.apply(to: handle)) != nil else {
      // SQLite returns a connection even if opening fails; it must be closed in either case.
      let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
      sqlite3_close_v2(handle)
      throw StoreError(.cannotOpen, "\(location): cannot be opened (\(reason))")
    }
    return handle
  }
}
