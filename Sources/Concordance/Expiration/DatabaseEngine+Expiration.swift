import DocumentStore
import GRDB
import JSONText

extension DatabaseEngine {
  /// The maximum number of documents that are purged in one transaction.
  private static let purgeBatchSize = 1000
  /// The time after which a purge commits, so that other writers can continue.
  private static let maximumPurgeDuration = Duration.milliseconds(50)

  /// Starts the timer that purges expired documents.
  func startExpiring() {
    let next: Int64?
    do {
      next = try store.read { try earliestExpiration($0) }
    } catch let error as StoreError where error.kind == .corrupt || error.kind == .notADatabase {
      // Calls that read documents report the error.
      next = nil
    } catch {
      // Another process may hold a lock, too many files may be open, or a server may not be available.
      next = ExpirationTimer.now + ExpirationTimer.retryInterval
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
        if let error = try purgeExpired(of: collection, now) { failure = error }
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

  /// Purges the expired documents of a collection. After an error, the documents of the batch are purged one by one,
  /// and those that cannot be purged are skipped, so that they do not keep the others.
  ///
  /// - Returns: the error of the last document that was skipped; nil if there is none.
  private func purgeExpired(of collection: CollectionRecord, _ now: Int64) throws -> (any Error)? {
    var skipped: Set<ExactString> = []
    var failure: (any Error)?
    // The number of documents that are still purged one by one.
    var singleCount = 0
    var mayHaveMore = true
    // If a whole batch fails, the index is damaged, and trying all other documents would keep the writer busy.
    while mayHaveMore, !expirations.isStopped, skipped.count < DatabaseEngine.purgeBatchSize {
      let limit = singleCount > 0 ? 1 : DatabaseEngine.purgeBatchSize
      singleCount = max(0, singleCount - 1)
      var ids: [String] = []
      do {
        mayHaveMore = try purgeBatch(of: collection, now, skipped, limit: limit, &ids)
      } catch let error where DatabaseEngine.mayConcernOneDocument(error) && !ids.isEmpty {
        if ids.count > 1 {
          singleCount = ids.count
        } else {
          skipped.formUnion(ids.map { ExactString($0) })
          failure = error
        }
      }
    }
    if let failure {
      log.warning("\(skipped.count) expired documents of \(collection.name) cannot be purged", failure)
    }
    return failure
  }

  /// Returns whether other documents may be purged after an error. A full disk, for example, or a write lock that
  /// another process held for too long concerns all of them.
  private static func mayConcernOneDocument(_ error: any Error) -> Bool {
    guard let error = error as? StoreError else { return true }
    return error.kind == .corrupt || error.kind == .database
  }

  /// Purges one batch of expired documents.
  ///
  /// - Parameter ids: receives the ids of the documents of the batch.
  /// - Returns: whether there may be more expired documents.
  private func purgeBatch(
    of collection: CollectionRecord, _ now: Int64, _ skipped: Set<ExactString>, limit: Int, _ ids: inout [String]
  ) throws -> Bool {
    let deadline = ContinuousClock.now + DatabaseEngine.maximumPurgeDuration
    return try write { transaction in
      try CollectionCatalog.require(collection, transaction.db)
      let expired = try DocumentReader(collection, transaction.db).expiredIDs(at: now, limit: limit + skipped.count)
      ids = Array(expired.filter { !skipped.contains(ExactString($0)) }.prefix(limit))
      let writer = try writer(for: collection, in: transaction)
      for id in ids {
        _ = try writer.purge(id: id)
        if ContinuousClock.now > deadline { return true }
      }
      return ids.count == limit
    }
  }

  private func earliestExpiration(_ db: GRDB.Database) throws -> Int64? {
    try CollectionCatalog.all(db).compactMap { try DocumentReader($0, db).earliestExpiration() }.min()
  }
}
