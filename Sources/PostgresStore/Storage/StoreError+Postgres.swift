import DocumentStore
import PostgresAccess
import SQLiteAccess

extension StoreError {
  /// Translates an error of PostgreSQL.
  init(_ error: PostgresError) {
    switch error.kind {
    case .libraryMissing: self.init(.cannotOpen, error.message)
    case .notConnected: self.init(.serverUnreachable, error.message)
    case .connectionLost, .notCommitted: self.init(.connectionLost, error.message)
    case .cancelled: self.init(.timeout, error.message)
    case .busy:
      self.init(.busy, error.message + ": another client has been writing for too long; try again when it is done")
    case .conflict: self.init(.busy, error.message + "; try again")
    case .undefinedTable:
      self.init(.notADatabase, error.message + "; initialize the database to create its tables")
    case .notPermitted:
      let isPrivilege = error.state == PostgresError.insufficientPrivilege
      self.init(.readOnly, error.message + (isPrivilege ? StoreError.advice(error) : ""))
    case .resources where error.state == PostgresError.outOfMemory:
      self.init(
        .database, error.message + "; the server lacks memory for the transaction: change fewer documents in a batch")
    case .resources: self.init(.diskFull, error.message)
    case .duplicateKey, .statement: self.init(.database, error.message)
    }
  }

  /// Returns the privileges that a role needs, for the kind of object that the message names in English, or all.
  private static func advice(_ error: PostgresError) -> String {
    let needs = [
      (
        "for schema",
        "reading needs the privilege USAGE on the schema, and only the owner of the tables can create value indexes"
      ),
      ("for table", "reading needs the privilege SELECT on all tables, writing also INSERT, UPDATE and DELETE"),
      ("for sequence", "writing needs the privilege USAGE on all sequences"),
      ("for database", "initializing needs the privilege CREATE on the database"),
    ]
    let chosen = needs.filter { error.message.contains($0.0) }
    return "; " + (chosen.isEmpty ? needs : chosen).map(\.1).joined(separator: "; ")
  }
}

/// Calls `body`, and throws its errors of PostgreSQL as ``StoreError``.
func translatingPostgresErrors<T>(_ body: () throws -> T) throws -> T {
  do { return try body() } catch let error as PostgresError { throw StoreError(error) }
}
