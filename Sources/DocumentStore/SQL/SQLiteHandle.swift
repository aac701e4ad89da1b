import GRDB
import GRDBSQLite

/// Connections beside those of GRDB's pool, for what the pool does not do or does too slowly.
enum SQLiteHandle {
  /// Opens a connection for one thread at a time, which the caller closes.
  ///
  /// - Parameters:
  ///   - location: what to open, see ``FileLocation``.
  ///   - flags: how.
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/cannotOpen``.
  static func open(_ location: String, _ flags: Int32) throws -> OpaquePointer {
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(
      location, &handle, flags | SQLITE_OPEN_NOMUTEX | FileLocation.flags(location), nil)
    guard code == SQLITE_OK, let handle, (try? SchemaDistrust.apply(to: handle)) != nil else {
      // SQLite returns a connection even when opening fails; it must be closed in either case.
      let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
      sqlite3_close_v2(handle)
      throw StoreError(.cannotOpen, "\(location): cannot be opened (\(reason))")
    }
    return handle
  }
}
