import PostgresAccess

/// The queue of writers: an advisory lock, which PostgreSQL grants in the order in which clients ask for it.
///
/// The lock of the manifest's row is not granted in order. Each transaction writes a new version of the row, and a
/// writer that waited for the old version then waits for the new one, which a client that writes one transaction after
/// the other has already locked again.
enum WriterQueue {
  /// The number of the lock: "writ" in ASCII.
  private static let number: Int32 = 0x7772_6974
  /// The first half of the number of the lock: "Conc" in ASCII.
  private static let space: Int32 = 0x436F_6E63

  /// The number of the lock that writers with low priority share. Earlier versions use the same number: "pati" in ASCII.
  private static let lowPriorityNumber: Int32 = 0x7061_7469

  /// Marks a merge as low priority: an import that it waits for keeps large transactions, because smaller ones would
  /// add segments.
  static let lowPriorityMark = PostgresStatement("SELECT pg_advisory_xact_lock_shared(\(space), \(lowPriorityNumber))")

  /// Waits until all earlier writers of the database have ended. The lock is held until the end of the transaction.
  static let entry = PostgresStatement("SELECT pg_advisory_xact_lock(\(space), \(number))")

  /// Returns whether a writer without low priority is waiting.
  static let hasWaitingWriter = PostgresStatement(
    """
    SELECT EXISTS (
      SELECT FROM pg_locks w WHERE locktype = 'advisory' AND NOT granted AND classid = \(space) AND objid = \(number)
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND NOT EXISTS (
        SELECT FROM pg_locks p WHERE p.pid = w.pid AND p.locktype = 'advisory' AND p.classid = \(space)
        AND p.objid = \(lowPriorityNumber)))
    """)
}
