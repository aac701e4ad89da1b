public import GRDB
public import SQLiteAccess
import TextIndex

extension CompiledQuery {
  /// A statement of ``sql``.
  ///
  /// - Parameter cached: whether the connection keeps it, to use it again.
  /// - Throws: ``QueryCompilationError`` for a query that is too large for SQLite.
  public func statement(cached: Bool, in db: Database) throws -> SQLStatement {
    try QueryCompilationError.namingLimits {
      try cached ? SQLStatement(cached: sql, in: db) : SQLStatement(sql: sql, in: db)
    }
  }

  /// Goes to the next row of a statement of ``sql``.
  ///
  /// - Returns: whether there is one.
  /// - Throws: ``QueryCompilationError`` for what a function refuses, such as a pattern that cannot be read.
  public func step(_ statement: SQLStatement) throws -> Bool {
    try QueryCompilationError.namingFaults { try statement.step() }
  }
}

extension QueryCompilationError {
  /// Runs `body`, which runs SQL that was made of a query, and tells what a function refuses as an error of the query.
  static func namingFaults<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      if error.extendedResultCode.rawValue == CallbackFault.damage {
        throw TextIndexError(damage: error.message ?? "a full-text index is damaged")
      }
      // A table that is not there was deleted meanwhile: an error of the database.
      guard [.SQLITE_ERROR, .SQLITE_TOOBIG].contains(error.resultCode.primaryResultCode), let message = error.message,
        !message.hasPrefix("no such ")
      else { throw error }
      // SQLite's words for a string or blob that is longer than its limit.
      let isTooLarge = error.resultCode.primaryResultCode == .SQLITE_TOOBIG
      throw QueryCompilationError(
        .invalid, isTooLarge ? QueryRuntimeError.tooLarge("an expression").description : message)
    }
  }

  /// Runs `body`, in which SQLite reads SQL that was made of a query, and says which limit of SQLite is in the way.
  public static func namingLimits<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR || error.resultCode == .SQLITE_TOOBIG {
      throw limit(error.message ?? "") ?? error
    }
  }

  /// See <https://www.sqlite.org/limits.html>. The parser's stack has 100 entries, of which each call takes some.
  private static func limit(_ message: String) -> QueryCompilationError? {
    let limits = ["parser stack overflow", "Expression tree is too large", "too many", "at most", "too big"]
    guard limits.contains(where: message.contains) else { return nil }
    return QueryCompilationError(
      .invalid,
      "the query is too large for SQLite (\(message)): its parser takes 10 to 30 calls nested in each other, "
        + "and 64 sources; divide the query, or put a part of it into a property")
  }
}
