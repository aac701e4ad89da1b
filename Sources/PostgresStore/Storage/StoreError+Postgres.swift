import DocumentStore
import PostgresAccess
import SQLiteAccess

extension StoreError {
  /// Translates an error of PostgreSQL.
  init(_ error: PostgresError) {
    switch error.kind {
    case .libraryMissing: self.init(.cannotOpen, error.message)
    case .notConnected: self.init(.serverUnreachable, error.message)
    case .connectionLost:
      self.init(
        .connectionLost,
        error.message + "; if a batch was being committed, it may have been saved: read before you repeat it")
    case .notCommitted: self.init(.connectionLost, error.message)
    case .cancelled: self.init(.timeout, error.message)
    case .busy:
      self.init(.busy, error.message + ": another client has been writing for too long; try again when it is done")
    case .conflict: self.init(.busy, error.message + "; try again")
    case .undefinedTable:
      self.init(.notADatabase, error.message + "; initialize the database to create its tables")
    case .notPermitted:
      let advice =
        "; reading needs the privilege SELECT on the tables in the schema \(StoreSchema.name), writing also INSERT, "
        + "UPDATE and DELETE, and USAGE on the sequences; only the owner of the tables can create value indexes"
      self.init(.readOnly, error.message + (error.state == PostgresError.insufficientPrivilege ? advice : ""))
    case .resources: self.init(.diskFull, error.message)
    case .duplicateKey, .statement: self.init(.database, error.message)
    }
  }
}
