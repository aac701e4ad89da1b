extension DocumentWriter {
  /// Sets when a document or tombstone is purged. It keeps its sequence and revision.
  ///
  /// - Parameter expiration: milliseconds since 1970, or nil for never.
  /// - Returns: whether there is such a document or tombstone.
  public func setExpiration(_ expiration: Int64?, id: String) throws -> Bool {
    try transaction.requireSound()
    let statement = try SQLStatement(
      cached: "UPDATE \(collection.table) SET expiration = ? WHERE id = ?", in: transaction.db)
    try statement.withText(2, id) {
      statement.bind(1, expiration)
      try statement.run()
    }
    guard statement.changesCount > 0 else { return false }
    if let expiration {
      transaction.state.earliestExpiration = min(transaction.state.earliestExpiration ?? .max, expiration)
    }
    return true
  }
}

extension DocumentReader {
  /// When a document or tombstone is purged, in milliseconds since 1970; nil for never, or if there is none.
  public func expiration(id: String) throws -> Int64? {
    let statement = try SQLStatement(
      cached: "SELECT expiration FROM \(collection.table) WHERE id = ?", in: db)
    return try statement.withText(1, id) {
      defer { statement.reset() }
      guard try statement.step(), !statement.row.isNull(0) else { return nil }
      return statement.row.int64(0)
    }
  }

  /// When the next document of the collection is to be purged, tombstones included; nil when none is. O(log n).
  public func earliestExpiration() throws -> Int64? {
    let statement = try SQLStatement(
      cached: """
        SELECT expiration FROM \(collection.table) WHERE expiration IS NOT NULL ORDER BY expiration LIMIT 1
        """, in: db)
    defer { statement.reset() }
    return try statement.step() ? statement.row.int64(0) : nil
  }

  /// SQL that selects the rows of documents that have expired and wait for their purge; nil when there are none. O(log n).
  public func expiredRows() throws -> String? {
    let expired = "FROM \(collection.table) WHERE expiration <= \(StoredDocument.now)"
    let statement = try SQLStatement(cached: "SELECT 1 \(expired) LIMIT 1", in: db)
    defer { statement.reset() }
    return try statement.step() ? "SELECT rowid \(expired)" : nil
  }

  /// How many documents have expired and wait for their purge.
  func expiredCount() throws -> Int64 {
    let statement = try SQLStatement(
      cached: "SELECT count(*) FROM \(collection.table) WHERE expiration <= \(StoredDocument.now) AND deleted = 0",
      in: db)
    defer { statement.reset() }
    return try statement.step() ? statement.row.int64(0) : 0
  }

  /// The documents that are to be purged by now, tombstones included, those that have been waiting longest first.
  public func expiredIDs(at time: Int64, limit: Int) throws -> [String] {
    let statement = try SQLStatement(
      cached: """
        SELECT id FROM \(collection.table) WHERE expiration <= ? ORDER BY expiration LIMIT ?
        """, in: db)
    defer { statement.reset() }
    statement.bind(1, time)
    statement.bind(2, Int64(limit))
    var ids: [String] = []
    while try statement.step() { ids.append(statement.row.string(0)) }
    return ids
  }
}
