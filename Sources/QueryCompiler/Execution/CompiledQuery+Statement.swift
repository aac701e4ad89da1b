public import GRDB
public import SQLiteAccess
import TextIndex

extension CompiledQuery {
  /// Returns a statement of ``sql``.
  ///
  /// - Parameter cached: whether the connection caches the statement for later use.
  /// - Throws: ``QueryCompilationError`` if the query exceeds a limit of SQLite.
  public func statement(cached: Bool, in db: Database) throws -> SQLStatement {
    try QueryCompilationError.convertingLimitErrors {
      try SQLStatement(sql: sql, cached: cached, in: db)
    }
  }

  /// Steps a statement of ``sql`` to the next row.
  ///
  /// - Returns: whether there is one.
  /// - Throws: ``QueryCompilationError`` if a function rejects its arguments, such as an invalid pattern.
  public func step(_ statement: SQLStatement) throws -> Bool {
    try QueryCompilationError.convertingRuntimeErrors { try statement.step() }
  }
}

extension QueryCompilationError {
  /// Runs `body`, which runs the SQL of a query, and converts errors of functions into errors of the query.
  static func convertingRuntimeErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      if error.extendedResultCode.rawValue == CallbackFault.damage {
        throw TextIndexError(damage: error.message ?? "a full-text index is damaged")
      }
      // A missing table was deleted after the query was compiled, so the query itself is valid.
      guard [.SQLITE_ERROR, .SQLITE_TOOBIG].contains(error.resultCode), let message = error.message else { throw error }
      switch error.cause {
      case .missingTable, .missingObject: throw error
      case .statementLimit, .fts5Limit, nil: break
      }
      // SQLite's message for a string or blob above its length limit does not mention queries.
      let isTooLarge = error.resultCode == .SQLITE_TOOBIG
      throw QueryCompilationError(
        .invalid, isTooLarge ? QueryRuntimeError.tooLarge("an expression").description : message)
    }
  }

  /// Runs `body`, which prepares the SQL of a query, and converts errors about limits of SQLite into errors of the
  /// query.
  public static func convertingLimitErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError where error.cause == .statementLimit {
      let message = error.message ?? ""
      throw QueryCompilationError(.invalid, "the query is too large for SQLite (\(message)): \(advice(on: message))")
    }
  }

  /// Returns what to do about a limit of SQLite, which its message names. See <https://www.sqlite.org/limits.html>.
  private static func advice(on message: String) -> String {
    if message.contains("join") || message.contains("FROM clause") {
      return
        "a query may have \(QuerySize.maximumSourceCount) sources, or one less for each RANK whose MATCH does not find "
        + "the rows of the first source; split it"
    }
    if message.contains("columns") || message.contains("terms in") {
      return "SELECT, GROUP BY and ORDER BY may have \(QuerySize.maximumColumnCount) expressions each; split the query"
    }
    if message.contains("parser stack") || message.contains("Expression tree") {
      // The parser's stack has 100 entries, of which each nested call takes several.
      return "its parser supports 10 to 30 nested calls; split the query, or store a part of it in a property"
    }
    return "split the query, or store a part of it in a property"
  }
}
