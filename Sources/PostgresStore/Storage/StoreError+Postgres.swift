import DocumentStore
import PostgresAccess
import SQLiteAccess

extension StoreError {
  /// Translates an error of PostgreSQL.
  init(_ error: PostgresError) {
    switch error.kind {
    case .libraryMissing, .notConnected: self.init(.cannotOpen, error.message)
    case .connectionLost:
      self.init(
        .io,
        error.message + "; if a batch was being committed, it may have been saved: read before you repeat it")
    case .notCommitted: self.init(.io, error.message)
    case .cancelled: self.init(.timeout, error.message)
    case .busy:
      self.init(.busy, error.message + ": another client has been writing for too long; try again when it is done")
    case .conflict: self.init(.busy, error.message + "; try again")
    case .undefinedTable:
      self.init(.notADatabase, error.message + "; initialize the database to create its tables")
    case .notPermitted: self.init(.readOnly, error.message)
    case .resources: self.init(.diskFull, error.message)
    case .duplicateKey, .statement: self.init(.database, error.message)
    }
  }
}
