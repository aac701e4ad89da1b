import DocumentStore
import GRDB
import SQLiteAccess

extension Collection {
  /// Returns the number of bytes of all documents as JSON text. Tombstones do not count.
  ///
  /// - Throws: ``CBLError``; ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  /// - Complexity: O(n) in the size of the collection: every document is read.
  public func textSize() throws -> Int {
    try withPublicErrors {
      try engine.store.read { db in
        // The length of a blob is in bytes, that of a text in characters up to the first NUL.
        try Int.fetchOne(
          db, sql: "SELECT sum(length(CAST(body AS BLOB))) FROM \(record.tableName.sqlIdentifier) WHERE deleted = 0")
          ?? 0
      }
    }
  }
}
