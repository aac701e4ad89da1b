import GRDB
import SQLiteAccess

/// Ends statements with `SQLITE_INTERRUPT` if the operation of their thread is interrupted (``Interruption``) or its
/// deadline has passed (``Deadline``).
///
/// It is a progress handler, because `sqlite3_interrupt` has no effect between two statements. A connection has only
/// one progress handler, so interruptions and deadlines share it.
enum StatementInterruption {
  /// The number of virtual machine steps between two checks: a few microseconds, unless the statement calls slow
  /// functions.
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
