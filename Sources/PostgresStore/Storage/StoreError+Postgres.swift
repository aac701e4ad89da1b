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
      let advice =
        "; reading needs the privileges USAGE on the schema \(StoreSchema.name) and SELECT on its tables, writing also "
        + "INSERT, UPDATE and DELETE, and USAGE on the sequences; initializing needs CREATE on the database, and only the "
        + "owner of the tables can create value indexes"
      self.init(.readOnly, error.message + (error.state == PostgresError.insufficientPrivilege ? advice : ""))
    case .resources: self.init(.diskFull, error.message)
    case .duplicateKey, .statement: self.init(.database, error.message)
    }
  }
}
