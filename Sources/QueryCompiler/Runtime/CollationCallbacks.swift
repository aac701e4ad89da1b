import GRDBSQLite
import TextAnalysis

/// Collations are made when a statement first names them: the name says all (``TextAnalysis/CollationOptions``).
enum CollationCallbacks {
  /// Asks SQLite to call when it does not know a collation.
  static func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_collation_needed(connection, nil) { _, connection, _, name in
      guard let connection, let name, let options = CollationOptions(name: String(cString: name)) else { return }
      // When this fails SQLite says that there is no such collation.
      _ = CollationCallbacks.add(options, named: String(cString: name), to: connection)
    }
  }

  private static func add(_ options: CollationOptions, named name: String, to connection: OpaquePointer) -> Int32 {
    guard let collator = try? Collator(options) else { return SQLITE_ERROR }
    let owner = Unmanaged.passRetained(collator)
    let code = sqlite3_create_collation_v2(
      connection, name, SQLITE_UTF8, owner.toOpaque(),
      { owner, oneCount, one, otherCount, other in
        guard let owner else { return 0 }
        let collator = Unmanaged<Collator>.fromOpaque(owner).takeUnretainedValue()
        let order = collator.compare(
          UnsafeRawBufferPointer(start: one, count: Int(oneCount)),
          UnsafeRawBufferPointer(start: other, count: Int(otherCount)))
        return Int32(order.signum())
      },
      { owner in if let owner { Unmanaged<Collator>.fromOpaque(owner).release() } })
    // Unlike for functions, SQLite does not let go of it after a failure.
    if code != SQLITE_OK { owner.release() }
    return code
  }
}
