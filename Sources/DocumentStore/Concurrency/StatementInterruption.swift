import GRDB
import GRDBSQLite

/// Ends statements with `SQLITE_INTERRUPT` when the operation of their thread is interrupted (``Interruption``) or its time is over
/// (``Deadline``).
///
/// A progress handler and not `sqlite3_interrupt`, which does nothing between two statements. A connection has one handler, so both
/// share it.
enum StatementInterruption {
  /// Steps of SQLite's virtual machine between two checks: some microseconds, or so many rows whose functions take long.
  private static let stepsBetweenChecks: Int32 = 1000

  /// Installs the handler on a connection.
  static func install(on db: Database) {
    if db.configuration.readonly {
      sqlite3_progress_handler(
        db.sqliteConnection, stepsBetweenChecks,
        { _ in Interruption.current?.isInterrupted == true || Deadline.current?.interrupts() == true ? 1 : 0 }, nil)
    } else {
      // A time limit concerns queries, which change nothing: SQLite does not end the transaction then.
      sqlite3_progress_handler(
        db.sqliteConnection, stepsBetweenChecks, { _ in Deadline.current?.interrupts() == true ? 1 : 0 }, nil)
    }
  }
}
