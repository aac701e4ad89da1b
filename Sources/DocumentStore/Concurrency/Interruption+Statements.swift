import GRDB
import GRDBSQLite

extension Interruption {
  /// Steps of SQLite's virtual machine between two looks at the flag: some microseconds, or so many rows whose functions take long.
  private static let stepsBetweenChecks: Int32 = 1000

  /// Makes statements of a reading connection end with `SQLITE_INTERRUPT` when the operation of their thread is interrupted.
  ///
  /// A progress handler and not `sqlite3_interrupt`, which does nothing between two statements.
  static func endStatements(of db: Database) {
    sqlite3_progress_handler(
      db.sqliteConnection, stepsBetweenChecks, { _ in Interruption.current?.isInterrupted == true ? 1 : 0 }, nil)
  }
}
