import DocumentStore
import GRDB

extension DatabaseEngine {
  /// Documents of a batch of the purge.
  private static let purgeBatchSize = 1000
  /// How long a batch of the purge holds up other writers.
  private static let longestPurge = Duration.milliseconds(50)

  /// Begins to purge what expires.
  func startExpiring() {
    // A file whose expirations cannot be read is damaged; that is for those to hear who read its documents. The timer asks
    // again.
    let next = (try? store.read { try earliestExpiration($0) }) ?? nil
    expirations.start(next: next) { [weak self] in try self?.purgeExpired() }
  }

  /// Purges the documents that have expired, in batches, so that others can write in between.
  ///
  /// - Returns: when the next one expires.
  private func purgeExpired() throws -> Int64? {
    let now = ExpirationTimer.now
    // Asked first, so that nothing is locked for nothing: other objects of the same file wake up as well.
    let due = try store.read { db in
      try CollectionCatalog.all(db).filter { try DocumentReader($0, db).earliestExpiration() ?? .max <= now }
    }
    var failure: (any Error)?
    for collection in due {
      do {
        while !expirations.isStopped, try purgeBatch(of: collection, now) {}
      } catch let error as StoreError where error.kind == .noSuchCollection {
        // It was deleted meanwhile.
      } catch {
        // The other collections may be in a better state.
        failure = error
      }
    }
    if let failure { throw failure }
    return try store.read { try earliestExpiration($0) }
  }

  /// - Returns: whether there may be more.
  private func purgeBatch(of collection: CollectionRecord, _ now: Int64) throws -> Bool {
    let deadline = ContinuousClock.now + DatabaseEngine.longestPurge
    return try write { transaction in
      try CollectionCatalog.require(collection, transaction.db)
      let ids = try DocumentReader(collection, transaction.db).expiredIDs(at: now, limit: DatabaseEngine.purgeBatchSize)
      let writer = try writer(for: collection, in: transaction)
      for id in ids {
        _ = try writer.purge(id: id)
        if ContinuousClock.now > deadline { return true }
      }
      return ids.count == DatabaseEngine.purgeBatchSize
    }
  }

  private func earliestExpiration(_ db: GRDB.Database) throws -> Int64? {
    try CollectionCatalog.all(db).compactMap { try DocumentReader($0, db).earliestExpiration() }.min()
  }
}
