import GRDB

/// The ids of the documents that were purged last. A purge leaves no row that could tell of it, so those who follow the
/// changes of a collection, in whatever process, read of it here.
enum PurgeLog {
  /// How many changes of its collection back a purge is remembered. Whoever follows the changes asks several times a second,
  /// so this is much more than is ever needed, and a few megabytes at most.
  static let reach: Int64 = 100_000

  /// Notes that a document is purged.
  ///
  /// Called before the document is removed: where that fails, the next change takes the same number.
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

  /// Forgets what is out of reach. Counted from before the transaction, so that nobody misses a part of one that purges more
  /// than that.
  static func trim(collection: Int64, _ db: Database) throws {
    let statement = try SQLStatement(
      cached: """
        DELETE FROM concordance_purge WHERE collection = ?1
          AND sequence <= (SELECT last_sequence FROM concordance_collection WHERE id = ?1) - \(reach)
        """, in: db)
    statement.bind(1, collection)
    try statement.run()
  }
}
