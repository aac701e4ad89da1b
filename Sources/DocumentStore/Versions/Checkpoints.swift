import Foundation
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
  /// The limits of all checkpoints of peers together. If they are exceeded, the checkpoints that were stored first are
  /// deleted, so that a peer cannot fill the file; their replications start over, which is slow but safe.
  struct PeerLimits: Sendable {
    var count: Int64 = 10_000
    /// The total size in bytes.
    var size: Int64 = 16 << 20
  }

  /// A stored checkpoint.
  public struct Stored: Hashable, Sendable {
    /// A number that increases each time that it is stored. For a checkpoint of a peer, it is the time in microseconds
    /// since 1970, or a later number; files of earlier versions contain the number of times that it was stored.
    public let revision: Int64
    /// The JSON text.
    public let body: [UInt8]
  }

  /// Returns a checkpoint, or nil.
  ///
  /// - Parameter isPeer: whether it is the checkpoint of another database.
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
  ///   - expected: the revision that the stored checkpoint must have, or 0 if none may be stored; nil to replace any.
  /// - Returns: The new revision; nil, without storing anything, if the stored checkpoint has another revision.
  public func storeCheckpoint(_ id: String, isPeer: Bool, _ body: [UInt8], replacing expected: Int64?) throws -> Int64?
  {
    try storeCheckpoint(id, isPeer: isPeer, body, replacing: expected, limits: Checkpoints.PeerLimits())
  }

  func storeCheckpoint(
    _ id: String, isPeer: Bool, _ body: [UInt8], replacing expected: Int64?, limits: Checkpoints.PeerLimits
  ) throws -> Int64? {
    try requireIntact()
    guard body.count <= Checkpoints.maximumSize else {
      throw StoreError(.tooLarge, "a checkpoint has \(body.count) bytes; the maximum is \(Checkpoints.maximumSize)")
    }
    let stored = try Checkpoints.read(id, isPeer: isPeer, db)
    let revision = stored?.revision ?? 0
    guard expected == nil || expected == revision else { return nil }
    let following = CounterLimits.counts.contains(revision) ? revision + 1 : 1
    let next = isPeer ? max(following, WriteTransaction.microseconds()) : following
    let statement = try SQLStatement(
      cached: "INSERT OR REPLACE INTO concordance_checkpoint (id, is_peer, revision, body) VALUES (?, ?, ?, ?)", in: db)
    statement.bind(1, copying: Array(id.utf8), asText: true)
    statement.bind(2, isPeer ? 1 as Int64 : 0)
    statement.bind(3, next)
    statement.bind(4, copying: body, asText: true)
    try statement.run()
    statement.clear()
    if isPeer, body.count > stored?.body.count ?? -1 { try trimPeerCheckpoints(keeping: id, body.count, limits) }
    return next
  }

  private static func microseconds() -> Int64 { CounterLimits.currentNanoseconds() / 1000 }

  /// Deletes checkpoints of peers, those with the lowest revisions first, until the limits are met.
  ///
  /// - Parameter size: the size of the checkpoint that is kept.
  /// - Complexity: O(n) in the size of the checkpoints, which the limits bound.
  private func trimPeerCheckpoints(keeping id: String, _ size: Int, _ limits: Checkpoints.PeerLimits) throws {
    let statement = try SQLStatement(
      cached: """
        SELECT id, length(CAST(body AS BLOB)) FROM concordance_checkpoint WHERE is_peer = 1 AND id <> ?
        ORDER BY revision DESC
        """, in: db)
    var (count, total) = (1 as Int64, Int64(size))
    var expired: [String] = []
    try statement.withText(1, id) {
      defer { statement.reset() }
      while try statement.step() {
        count += 1
        total += statement.row.int64(1)
        if count > limits.count || total > limits.size { expired.append(statement.row.string(0)) }
      }
    }
    for id in expired {
      try db.execute(sql: "DELETE FROM concordance_checkpoint WHERE is_peer = 1 AND id = ?", arguments: [id])
    }
  }
}
