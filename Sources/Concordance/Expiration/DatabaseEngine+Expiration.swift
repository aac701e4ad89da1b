import DocumentStore
import GRDB

extension DatabaseEngine {
  /// The maximum number of documents that are purged in one transaction.
  private static let purgeBatchSize = 1000
  /// The time after which a purge commits, so that other writers can continue.
  private static let maximumPurgeDuration = Duration.milliseconds(50)

  /// Starts the timer that purges expired documents.
  func startExpiring() {
    let next: Int64?
    do { next = try store.read { try earliestExpiration($0) } } catch {
      // The file is damaged; calls that read documents report the error. A server may be available later.
      next = store.isFile ? nil : ExpirationTimer.now
    }
    expirations.start(next: next) { [weak self] in try self?.purgeExpired() }
  }

  /// Purges expired documents in batches, so that other writers can write between batches.
  ///
  /// - Returns: the next expiration in milliseconds since 1970; nil if there is none.
  private func purgeExpired() throws -> Int64? {
    let now = ExpirationTimer.now
    // The expirations are read first, so that no write lock is taken if nothing has expired: the timers of several
    // `Database` objects fire at the same time.
    let due = try store.read { db in
      try CollectionCatalog.all(db).filter { try DocumentReader($0, db).earliestExpiration() ?? .max <= now }
    }
    var failure: (any Error)?
    for collection in due {
      do {
        while !expirations.isStopped, try purgeBatch(of: collection, now) {}
      } catch let error as StoreError where error.kind == .noSuchCollection {
        // The collection was deleted.
      } catch {
        // The documents of other collections can still be purged.
        failure = error
      }
    }
    if let failure { throw failure }
    return try store.read { try earliestExpiration($0) }
  }

  /// Purges one batch of expired documents.
  ///
  /// - Returns: whether there may be more expired documents.
  private func purgeBatch(of collection: CollectionRecord, _ now: Int64) throws -> Bool {
    let deadline = ContinuousClock.now + DatabaseEngine.maximumPurgeDuration
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
