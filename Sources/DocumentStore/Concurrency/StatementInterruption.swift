import GRDB
import SQLiteAccess

/// Ends statements with `SQLITE_INTERRUPT` if the operation of their thread is interrupted (``Interruption``) or its
/// deadline has passed (``Deadline``).
///
/// A progress handler instead of `sqlite3_interrupt`, which has no effect between two statements. A connection has one
/// handler, so both share it.
enum StatementInterruption {
  /// The number of virtual machine steps between two checks: some microseconds, or this number of rows if their
  /// functions take long.
  private static let stepsBetweenChecks: Int32 = 1000

  /// Installs the handler on a connection.
  static func install(on db: Database) {
    if db.configuration.readonly {
      db.interrupt(every: stepsBetweenChecks) { _ in
        Interruption.current?.isInterrupted == true || Deadline.current?.interrupts() == true ? 1 : 0
      }
    } else {
      // A time limit applies only to queries, which change nothing, so SQLite does not roll back the transaction.
      db.interrupt(every: stepsBetweenChecks) { _ in Deadline.current?.interrupts() == true ? 1 : 0 }
    }
  }
}
