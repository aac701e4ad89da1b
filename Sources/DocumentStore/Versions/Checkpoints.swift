public import GRDB
import SQLiteAccess

/// The stored progress of replications, as JSON text with a revision.
///
/// A file stores the checkpoints of its own replications and, on behalf of its peers, the checkpoints of their
/// replications with this file. The two kinds are separate, because a database can be replicated with itself through a
/// peer.
public enum Checkpoints {
  /// The maximum size of a checkpoint in bytes, needed because checkpoints of peers are untrusted.
  public static let maximumSize = 1 << 20
  /// The maximum number of checkpoints of peers. If there are more, those that were stored least often are deleted, so
  /// that a peer cannot fill the file; their replications start over, which is slow but safe.
  static let maximumPeerCount: Int64 = 10_000

  /// A stored checkpoint.
  public struct Stored: Hashable, Sendable {
    /// The number of times that it was stored.
    public let revision: Int64
    /// The JSON text.
    public let body: [UInt8]
  }

  /// Returns a checkpoint, or nil.
  ///
  /// - Parameter isPeer: Whether it is the checkpoint of another database.
  public static func read(_ id: String, isPeer: Bool, _ db: Database) throws -> Stored? {
    let statement = try SQLStatement(
      cached: "SELECT revision, body FROM concordance_checkpoint WHERE is_peer = ? AND id = ?", in: db)
    defer { statement.reset() }
    statement.bind(1, isPeer ? 1 as Int64 : 0)
    return try statement.withText(2, id) {
      guard try statement.step() else { return nil }
      return Stored(revision: statement.row.int64(0), body: statement.row.bytes(1).map { Array($0) } ?? [])
    }
  }
}

extension WriteTransaction {
  /// Stores a checkpoint.
  ///
  /// - Parameters:
  ///   - expected: The revision that the stored checkpoint must have, or 0 if none may be stored; nil to replace any.
  /// - Returns: The new revision; nil, without storing anything, if the stored checkpoint has another revision.
  public func storeCheckpoint(_ id: String, isPeer: Bool, _ body: [UInt8], replacing expected: Int64?) throws -> Int64?
  {
    try requireIntact()
    guard body.count <= Checkpoints.maximumSize else {
      throw StoreError(.tooLarge, "a checkpoint has \(body.count) bytes; the maximum is \(Checkpoints.maximumSize)")
    }
    let revision = try Checkpoints.read(id, isPeer: isPeer, db)?.revision ?? 0
    guard expected == nil || expected == revision else { return nil }
    let next = CounterLimits.counts.contains(revision) ? revision + 1 : 1
    let statement = try SQLStatement(
      cached: "INSERT OR REPLACE INTO concordance_checkpoint (id, is_peer, revision, body) VALUES (?, ?, ?, ?)", in: db)
    statement.bind(1, copying: Array(id.utf8), asText: true)
    statement.bind(2, isPeer ? 1 as Int64 : 0)
    statement.bind(3, next)
    statement.bind(4, copying: body, asText: true)
    try statement.run()
    statement.clear()
    if isPeer, revision == 0 { try trimPeerCheckpoints(keeping: id) }
    return next
  }

  private func trimPeerCheckpoints(keeping id: String) throws {
    let count = try Int64.fetchOne(db, sql: "SELECT count(*) FROM concordance_checkpoint WHERE is_peer = 1") ?? 0
    guard count > Checkpoints.maximumPeerCount else { return }
    // The revision counts how often a checkpoint was stored. A low one usually belongs to a replication that ran once.
    try db.execute(
      sql: """
        DELETE FROM concordance_checkpoint WHERE is_peer = 1 AND id IN (
          SELECT id FROM concordance_checkpoint WHERE is_peer = 1 AND id <> ? ORDER BY revision LIMIT ?)
        """, arguments: [id, count - Checkpoints.maximumPeerCount])
  }
}
