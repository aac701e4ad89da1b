import GRDB
import SQLiteAccess

/// The ids of recently purged documents. A purge leaves no row, so readers that follow the changes to a collection, in
/// any process, find purges here.
public enum PurgeLog {
  /// A purge remains in the log until the collection has had this many later changes. Readers that follow the
  /// changes poll several times a second, so this is far more than they need. The log takes a few megabytes at most.
  public static let retainedCount: Int64 = 100_000

  /// Records that a document is purged.
  ///
  /// Call it before removing the document. If the removal fails, the next change takes the same sequence number.
  static func append(
    _ id: String, sequence: Int64, collection: CollectionRecord, _ transaction: WriteTransaction
  ) throws {
    let statement = try SQLStatement(
      cached: "INSERT OR REPLACE INTO concordance_purge (collection, sequence, id) VALUES (?, ?, ?)", in: transaction.db
    )
    try statement.withText(3, id) {
      statement.bind(1, collection.id)
      statement.bind(2, sequence)
      try statement.run()
    }
    transaction.state.purgedCollections.insert(collection.id)
  }

  /// Removes entries that are older than the limit. The limit is relative to the state before the transaction, so that
  /// readers do not miss a part of a transaction that purges more documents than the limit.
  static func trim(collection: Int64, _ db: Database) throws {
    let statement = try SQLStatement(
      cached: """
        DELETE FROM concordance_purge WHERE collection = ?1
          AND sequence <= (SELECT last_sequence FROM concordance_collection WHERE id = ?1) - \(retainedCount)
        """, in: db)
    statement.bind(1, collection)
    try statement.run()
  }
}
