public import GRDB
import GRDBSQLite

/// A collation that is implemented in Swift.
open class SQLCollation {
  /// Creates a collation.
  public init() {}

  /// Returns the collation with the given name; nil if there is none.
  open class func collation(named name: String) -> SQLCollation? { nil }

  /// Compares two strings. Returns a negative number if the first sorts before the second, and 0 if they are equal.
  open func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int { 0 }
}

extension Database {
  /// Registers a class that creates each collation when a statement uses it for the first time.
  ///
  /// - Parameter type: the class whose ``SQLCollation/collation(named:)`` is called.
  /// - Throws: `DatabaseError`.
  public func provideCollations(_ type: SQLCollation.Type) throws {
    // Class metadata is never freed, so SQLite can keep a pointer to it.
    let owner = unsafeBitCast(type, to: UnsafeMutableRawPointer.self)
    let code = sqlite3_collation_needed(sqliteConnection, owner) { owner, connection, _, name in
      guard let owner, let connection, let name else { return }
      let type = unsafeBitCast(owner, to: SQLCollation.Type.self)
      // If it returns nil, SQLite reports that the collation does not exist.
      guard let collation = type.collation(named: String(cString: name)) else { return }
      addCollation(collation, name, connection)
    }
    try DatabaseError.check(code, sqliteConnection)
  }
}

private func addCollation(_ collation: SQLCollation, _ name: UnsafePointer<CChar>, _ connection: OpaquePointer) {
  let owner = Unmanaged.passRetained(collation)
  let code = sqlite3_create_collation_v2(
    connection, name, SQLITE_UTF8, owner.toOpaque(),
    { owner, oneCount, one, otherCount, other in
      guard let owner else { return 0 }
      let order = Unmanaged<SQLCollation>.fromOpaque(owner)._withUnsafeGuaranteedRef {
        $0.compare(
          UnsafeRawBufferPointer(start: one, count: Int(oneCount)),
          UnsafeRawBufferPointer(start: other, count: Int(otherCount)))
      }
      return Int32(order.signum())
    },
    { owner in if let owner { Unmanaged<SQLCollation>.fromOpaque(owner).release() } })
  // Unlike sqlite3_create_function_v2, sqlite3_create_collation_v2 does not call the destructor if it fails.
  if code != SQLITE_OK { owner.release() }
}
