public import GRDB

/// Causes of errors that can be distinguished only by the message, because SQLite reports them with a code that it also
/// uses for other errors. The messages come from SQLite's `build.c`, `expr.c`, `parse.y`, `resolve.c` and FTS5.
public enum SQLiteErrorCause: Hashable, Sendable {
  /// A statement names a table that does not exist.
  case missingTable(String)
  /// A statement names another object that does not exist.
  case missingObject
  /// A statement is nested too deeply, is too long, or has too many terms, columns, tables or arguments for SQLite.
  case statementLimit
  /// FTS5 rejects a query for a reason other than its syntax: it is too large.
  case fts5Limit(String)
}

extension DatabaseError {
  /// The cause that the message names; nil if it names none of these causes.
  public var cause: SQLiteErrorCause? {
    guard [.SQLITE_ERROR, .SQLITE_TOOBIG].contains(resultCode), let message else { return nil }
    if let table = message.suffix(afterPrefix: "no such table: ") { return .missingTable(table) }
    if message.hasPrefix("no such ") { return .missingObject }
    if let reason = message.suffix(afterPrefix: "fts5: ") ?? message.suffix(afterPrefix: "fts5 ") {
      return reason.hasPrefix("syntax error") ? nil : .fts5Limit(reason)
    }
    let limits = ["parser stack overflow", "Expression tree is too large", "too many", "at most", "too big"]
    return limits.contains(where: message.contains) ? .statementLimit : nil
  }
}

extension String {
  fileprivate func suffix(afterPrefix prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
