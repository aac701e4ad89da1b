import GRDB
import SQLiteAccess

/// Counters of the open transaction, kept in memory and written once before the commit.
///
/// `@unchecked Sendable`: used only inside blocks of the pool's writer, whose serial queue is the lock. `commits` is
/// set before the first of them.
final class WriterState: @unchecked Sendable {
  struct Counters {
    var lastRevision: Int64?
    var collections: [Int64: CollectionCounters] = [:]
  }

  struct CollectionCounters {
    var lastSequence: Int64
    var documentCount: Int64
  }

  var counters = Counters()
  /// The writing connection while a transaction is open.
  var db: Database?
  /// The reason why the transaction can only be rolled back: a change was only partially applied.
  var failure: (any Error)?
  /// The number of open savepoints.
  var savepointDepth = 0
  /// The outcome of the innermost open transaction.
  var outcome = TransactionOutcome()
  /// The callbacks for the end of the transaction.
  var completions: [(Bool) -> Void] = []

  /// The buffered changes to indexes.
  var deferredWrites: [DeferredWrites] = []
  /// The collections that documents were purged from, by id.
  var purgedCollections: Set<Int64> = []
  /// The earliest expiration that was set, if any.
  var earliestExpiration: Int64?
  /// The changes to observed documents, in order.
  var revisions: [DocumentRevision] = []
  /// The identity of the file, read on first use.
  var knownIdentity: SourceIdentity?
  /// The storage of a store whose rows are in another database. Set before the first transaction.
  var remote: (any RemoteStorage)?
  /// The memory for changes to an index, in bytes. Set before the first transaction.
  var indexMemory = 0
  /// Determines which documents are observed. Set before the first transaction.
  var commits: CommitNotifier?

  /// Records a change to a document if the document is observed.
  func noteChange(_ id: String, in collection: Int64, sequence: Int64) {
    guard let commits, commits.isObserved(DocumentKey(collection: collection, id: id)) else { return }
    revisions.append(DocumentRevision(document: DocumentKey(collection: collection, id: id), sequence: sequence))
  }

  /// Calls all callbacks except the first `count` with false, latest first, because their changes were rolled back.
  func rollBackCompletions(to count: Int) {
    let undone = completions[count...]
    completions.removeSubrange(count...)
    for completion in undone.reversed() { completion(false) }
  }

  /// Returns the counters of a collection, which are read from the file on first use.
  func collection(_ id: Int64, _ db: Database) throws -> CollectionCounters {
    if let known = counters.collections[id] { return known }
    let statement = try SQLStatement(
      cached: "SELECT last_sequence, document_count FROM concordance_collection WHERE id = ?", in: db)
    statement.bind(1, id)
    guard try statement.step() else {
      throw StoreError(.noSuchCollection, "the collection was deleted")
    }
    let read = CollectionCounters(lastSequence: statement.row.int64(0), documentCount: statement.row.int64(1))
    statement.reset()
    // Within these limits, counting cannot overflow.
    guard CounterLimits.counts.contains(read.lastSequence), CounterLimits.counts.contains(read.documentCount) else {
      throw StoreError(
        .corrupt,
        "the counters of a collection are damaged (\(read.lastSequence) changes, \(read.documentCount) documents)",
        recovery: .rebuildIndexes)
    }
    counters.collections[id] = read
    return read
  }

  /// Returns a revision greater than every earlier one of this file: the time in nanoseconds since 1970, or one more
  /// than the last revision if the clock has not advanced or was set back (a hybrid logical clock).
  func nextRevision(_ db: Database) throws -> Int64 {
    let last = try counters.lastRevision ?? WriterState.storedRevision(db)
    guard CounterLimits.revisions.contains(last) else {
      throw StoreError(
        .corrupt, "the revision counter is damaged (\(last))", recovery: .rebuildIndexes)
    }
    let next = max(CounterLimits.currentNanoseconds(), last + 1)
    counters.lastRevision = next
    return next
  }

  /// Writes the changed counters, and trims the purge log.
  func flush(_ db: Database) throws {
    if let lastRevision = counters.lastRevision {
      let statement = try SQLStatement(
        cached: "UPDATE concordance_meta SET value = ? WHERE key = 'last_revision'", in: db)
      statement.bind(1, lastRevision)
      try statement.run()
    }
    for id in purgedCollections { try PurgeLog.trim(collection: id, db) }
    for (id, values) in counters.collections {
      let statement = try SQLStatement(
        cached: "UPDATE concordance_collection SET last_sequence = ?, document_count = ? WHERE id = ?", in: db)
      statement.bind(1, values.lastSequence)
      statement.bind(2, values.documentCount)
      statement.bind(3, id)
      try statement.run()
    }
  }

  func reset() {
    counters = Counters()
    db = nil
    failure = nil
    deferredWrites = []
    purgedCollections = []
    earliestExpiration = nil
    revisions = []
  }

  static func storedRevision(_ db: Database) throws -> Int64 { try FileFormat.number("last_revision", db) }
}
