import SQLiteAccess

/// The valid range of expiration times.
public enum DocumentExpiration {
  /// The maximum absolute value of an expiration time in milliseconds since 1970: about 285,000 years. A double
  /// represents it exactly.
  public static let limit: Int64 = 1 << 53
}

extension DocumentWriter {
  /// Sets the expiration of a document or tombstone, after which it is purged. Its sequence and revision do not change.
  ///
  /// - Parameter expiration: milliseconds since 1970, or nil for never.
  /// - Returns: Whether the document or its tombstone exists.
  public func setExpiration(_ expiration: Int64?, id: String) throws -> Bool {
    try transaction.requireIntact()
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
  /// Returns the expiration of a document or tombstone, in milliseconds since 1970; nil if it has none or does not
  /// exist.
  public func expiration(id: String) throws -> Int64? {
    let statement = try SQLStatement(
      cached: "SELECT expiration FROM \(collection.table) WHERE id = ?", in: db)
    return try statement.withText(1, id) {
      defer { statement.reset() }
      guard try statement.step(), !statement.row.isNull(0) else { return nil }
      return statement.row.int64(0)
    }
  }

  /// Returns the earliest expiration in the collection, tombstones included; nil if there is none.
  ///
  /// - Complexity: O(log n).
  public func earliestExpiration() throws -> Int64? {
    let statement = try SQLStatement(
      cached: """
        SELECT expiration FROM \(collection.table) WHERE expiration IS NOT NULL ORDER BY expiration LIMIT 1
        """, in: db)
    defer { statement.reset() }
    return try statement.step() ? statement.row.int64(0) : nil
  }

  /// Returns the rows of expired documents and tombstones that have not been purged yet.
  ///
  /// - Complexity: O(log n + m), where m is the number of these rows.
  public func expiredRows() throws -> [Int64] {
    let statement = try SQLStatement(
      cached: "SELECT rowid FROM \(collection.table) WHERE expiration <= \(StoredDocument.now)", in: db)
    defer { statement.reset() }
    var rows: [Int64] = []
    while try statement.step() { rows.append(statement.row.int64(0)) }
    return rows
  }

  /// Returns the number of expired documents that have not been purged yet, not counting tombstones.
  func expiredCount() throws -> Int64 {
    let statement = try SQLStatement(
      cached: "SELECT count(*) FROM \(collection.table) WHERE expiration <= \(StoredDocument.now) AND deleted = 0",
      in: db)
    defer { statement.reset() }
    return try statement.step() ? statement.row.int64(0) : 0
  }

  /// Returns the ids of at most `limit` documents and tombstones that have expired by the given time, ordered by
  /// expiration.
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
