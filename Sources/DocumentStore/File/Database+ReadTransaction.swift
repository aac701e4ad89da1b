import GRDB
import SQLiteAccess

extension Database {
  /// Calls `body` in a read transaction.
  ///
  /// GRDB's `inTransaction` compiles the statements that begin and end it each time.
  func inReadTransaction<T>(_ remote: (any RemoteStorage)?, _ body: () throws -> T) throws -> T {
    try remote?.beginReading(self)
    defer { remote?.endReading(self) }
    try SQLStatement(cached: "BEGIN DEFERRED TRANSACTION", in: self).run()
    do {
      let result = try body()
      try rollBackRead()
      return result
    } catch {
      // This error is the cause; an error from the rollback is only a consequence.
      try? rollBackRead()
      throw remote?.cause(of: error, self) ?? error
    }
  }

  /// Ends a read transaction. If the read found damage, a commit would fail, but a rollback does not. SQLite has
  /// already rolled back after some errors.
  private func rollBackRead() throws {
    if !isAutocommitting { try SQLStatement(cached: "ROLLBACK", in: self).run() }
  }
}
