public import GRDBSQLite

/// Memory passed to SQLite, and SQLite's memory use.
public enum SQLiteMemory {
  /// SQLITE_TRANSIENT, a macro with a cast that Swift does not import: SQLite copies the bytes.
  @inlinable
  static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  /// The C string of a literal.
  static func characters(of literal: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// The memory that SQLite has allocated in this process, in bytes, excluding page caches.
  public static var sizeWithoutPages: Int64 {
    var pages: Int64 = 0
    var highest: Int64 = 0
    sqlite3_status64(SQLITE_STATUS_PAGECACHE_OVERFLOW, &pages, &highest, 0)
    return sqlite3_memory_used() - pages
  }
}
